/**
 * The people's door: the operations over HTTP, on the loopback interface, for whoever holds the token that lies in the
 * user's own data directory. Every refusal has a status, a code and a sentence.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Server as NodeServer } from 'node:http'
import { type ServerType, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { streamSSE } from 'hono/streaming'
import type { Operations, StoredEvent, Trouble } from '../host/operations.ts'
import { parseAction, parseStart } from './bodies.ts'

export interface ServerOptions {
  readonly operations: Operations
  readonly token: string
  readonly version: string
  /** 0 for any that is free. */
  readonly port: number
  readonly mcp: { fetch(request: Request): Promise<Response> }
}

export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

const LARGEST_BODY = 4 * 1024 * 1024

export async function startServer(
  options: ServerOptions,
): Promise<RunningServer | { readonly problem: string }> {
  const app = createApp(options)
  const opened = await new Promise<ServerType | Error>((resolve) => {
    const server: ServerType = serve({ fetch: app.fetch, port: options.port, hostname: '127.0.0.1' }, () =>
      resolve(server),
    )
    server.once('error', resolve)
  })
  if (opened instanceof Error)
    return { problem: `Port ${options.port} cannot be used (${opened.message}). Choose another with --port.` }
  const address = opened.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        opened.close(() => resolve())
        ;(opened as NodeServer).closeAllConnections()
      }),
  }
}

export function createApp({ operations, token, version, mcp }: ServerOptions): Hono {
  const app = new Hono()
  // A page in the user's browser must not reach this by a name of its own.
  app.use(async (c, next) => {
    const host = (c.req.header('host') ?? '').replace(/:\d+$/, '')
    if (!LOCAL.has(host)) return c.json({ code: 'wrong-host', message: `This is not ${host}.` }, 403)
    return next()
  })
  app.use(
    bodyLimit({
      maxSize: LARGEST_BODY,
      onError: (c) => c.json({ code: 'too-large', message: 'The body is larger than 4 MiB.' }, 413),
    }),
  )
  app.all('/mcp', (c) => mcp.fetch(c.req.raw))
  app.get('/', (c) => c.html(WELCOME))
  app.get('/api/v1/health', (c) => c.json({ version }))
  app.use('/api/v1/*', async (c, next) => {
    const given = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    if (!sameText(given, token))
      return c.json({ code: 'unauthorized', message: 'The token of this host is in its host.json.' }, 401)
    return next()
  })

  app.get('/api/v1/runs', async (c) => {
    const limit = Math.min(1000, wholeOr(100, c.req.query('limit')))
    return c.json(await operations.runs({ all: c.req.query('all') === 'true', limit }))
  })
  app.get('/api/v1/find', async (c) => {
    const found = await operations.find(c.req.query('prefix') ?? '')
    return 'problem' in found ? c.json(troubleBody(found), statusOf(found)) : c.json(found)
  })
  app.get('/api/v1/runs/:run', async (c) => {
    const detail = await operations.show(c.req.param('run'))
    return 'problem' in detail ? c.json(troubleBody(detail), statusOf(detail)) : c.json(detail)
  })
  app.get('/api/v1/runs/:run/events', async (c) =>
    c.json(await operations.events(c.req.param('run'), wholeOr(0, c.req.query('after')))),
  )
  app.get('/api/v1/questions', async (c) => c.json(await operations.questions()))
  app.get('/api/v1/kept/:digest', async (c) => {
    const bytes = await operations.kept(c.req.param('digest'))
    if (bytes === null) return c.json({ code: 'unknown', message: 'Nothing is kept under that digest.' }, 404)
    return c.body(new Uint8Array(bytes), 200, { 'content-type': 'application/octet-stream' })
  })
  app.post('/api/v1/runs', async (c) => {
    const order = parseStart(await bodyOf(c.req.raw))
    if ('problem' in order) return c.json({ code: 'bad-request', message: order.problem }, 400)
    const started = await operations.start(order)
    if ('problems' in started)
      return c.json(
        { code: 'not-started', message: started.problems.join('\n'), problems: started.problems },
        422,
      )
    return c.json(started, 201)
  })
  app.post('/api/v1/runs/:run/actions', async (c) => {
    const action = parseAction(await bodyOf(c.req.raw))
    if ('problem' in action) return c.json({ code: 'bad-request', message: action.problem }, 400)
    const done = await operations.act(c.req.param('run'), action)
    return 'problem' in done ? c.json(troubleBody(done), statusOf(done)) : c.json(done)
  })
  app.get('/api/v1/stream', (c) =>
    streamSSE(c, async (stream) => {
      // Before anything is written: whoever leaves at once must not be followed for ever.
      const gone = new Promise<void>((resolve) => stream.onAbort(resolve))
      const unfollow = operations.follow((event: StoredEvent | null) => {
        if (event !== null) void stream.writeSSE({ id: `${event.position}`, data: JSON.stringify(event) })
      })
      await stream.writeSSE({ event: 'ready', data: '' })
      await gone
      unfollow()
    }),
  )
  app.notFound((c) => c.json({ code: 'not-found', message: `There is nothing at ${c.req.path}.` }, 404))
  app.onError((error, c) => c.json({ code: 'bug', message: error.message }, 500))
  return app
}

/** For a browser that looks in. Nothing here tells of runs: that needs the token. */
const WELCOME = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Signalbox</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem } code { font-size: .95em }</style>
<h1>Signalbox is up</h1>
<p>Runs are started and watched from the terminal: <code>signalbox run</code>, <code>signalbox ps</code>, <code>signalbox decision list</code>.</p>
</html>
`

const LOCAL = new Set(['127.0.0.1', 'localhost', '[::1]'])

function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    return undefined
  }
}

function wholeOr(otherwise: number, text: string | undefined): number {
  const value = Number(text ?? '')
  return Number.isSafeInteger(value) && value > 0 ? value : otherwise
}

const troubleBody = ({ code, problem }: Trouble) => ({ code, message: problem })

/** The status of each refusal, in one place. */
function statusOf({ code }: Trouble): 403 | 404 | 409 | 422 {
  if (code === 'unknown-run' || code === 'unknown-question' || code === 'not-started') return 404
  if (
    code === 'invalid-answer' ||
    code === 'unknown-step' ||
    code === 'bad-amount' ||
    code === 'unknown-budget'
  )
    return 422
  if (code === 'agents-do-not-answer' || code === 'people-only') return 403
  return 409
}
