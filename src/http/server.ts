/**
 * The people's door: the operations over HTTP, on the loopback interface, for whoever shows a token. Here is the frame:
 * who may come in, and what happens to what nobody serves; what is served stands in the table of routes (`model/api`).
 */
import type { Server as NodeServer } from 'node:http'
import { type ServerType, serve } from '@hono/node-server'
import { type Context, Hono, type Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { storageFailureOf } from '../host/machine/storage.ts'
import type { Operations } from '../host/operations.ts'
import type { Actor } from '../model/answer.ts'
import { FailureError } from '../model/failure.ts'
import { notAPerson } from './admission.ts'
import type { HttpDoor } from './handler.ts'
import { refuse } from './refuse.ts'
import { SERVED, type Served } from './serve.ts'
import type { Keys } from './visitor.ts'

export interface ServerOptions {
  readonly operationsFor: (by: Actor) => Operations
  readonly keys: Keys
  readonly version: string
  /** 0 for any that is free. */
  readonly port: number
  readonly mcp: { fetch(request: Request): Promise<Response> }
  /** Where a tunnel lets people's links in from elsewhere; links only. */
  readonly publicUrl?: string | null
  /** Why nothing that is kept will be found again; null where it will. */
  readonly whyGone?: () => string | null
  /** How often a quiet stream says that it is still there. */
  readonly heartbeatMs?: number
}

export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

const LARGEST_BODY = 4 * 1024 * 1024
/** Proxies and clients cut what is quiet for half a minute. */
const HEARTBEAT_MS = 25_000

export async function startServer(
  options: ServerOptions,
): Promise<RunningServer | { readonly problem: string }> {
  const closing = new AbortController()
  const app = createApp(options, closing.signal)
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
        closing.abort()
        opened.close(() => resolve())
        ;(opened as NodeServer).closeAllConnections()
      }),
  }
}

const NEVER = new AbortController().signal

export function createApp(options: ServerOptions, closing: AbortSignal = NEVER): Hono {
  const {
    operationsFor,
    keys,
    version,
    mcp,
    publicUrl = null,
    heartbeatMs = HEARTBEAT_MS,
    whyGone = () => null,
  } = options
  const door: HttpDoor = { operationsFor, keys, version, heartbeatMs, closing }
  const app = new Hono()
  app.use(onlyHere(publicUrl))
  app.use(whileHomeIsThere(whyGone))
  app.use(
    bodyLimit({
      maxSize: LARGEST_BODY,
      onError: (c) => refuse(c, { code: 'too-large', problem: 'The body is larger than 4 MiB.' }),
    }),
  )
  app.all('/mcp', (c) => mcp.fetch(c.req.raw))
  app.get('/', (c) => c.html(WELCOME))
  for (const served of SERVED) app.on(served.method, honoPath(served), (c) => served.serve(c, door))
  for (const served of SERVED) app.all(honoPath(served), (c) => notThisWay(c, served, keys))
  // What is not there is nobody's business who may not come in.
  app.all('/api/v1/*', (c) => {
    const away = notAPerson(c, keys)
    return away === null ? nothingAt(c) : refuse(c, away)
  })
  app.notFound(nothingAt)
  app.onError((error, c) => {
    const failure = error instanceof FailureError ? error : storageFailureOf(error)
    const { code, message } = failure ?? { code: 'bug', message: error.message }
    return refuse(c, { code, problem: message })
  })
  return app
}

const honoPath = ({ path }: Served): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The address is there, and takes something else. */
function notThisWay(c: Context, { path, route: { access } }: Served, keys: Keys): Response {
  const away = access === 'token' || access === 'owner' ? notAPerson(c, keys) : null
  if (away !== null) return refuse(c, away)
  const taken = SERVED.flatMap((served) => (served.path === path ? [served.method] : []))
  c.header('allow', taken.join(', '))
  return refuse(c, {
    code: 'wrong-method',
    problem: `${c.req.path} takes ${taken.join(' or ')}, not ${c.req.method}.`,
  })
}

const nothingAt = (c: Context): Response =>
  refuse(c, { code: 'not-found', problem: `There is nothing at ${c.req.path}.` })

const LOCAL = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** A page in the user's browser must not reach this by a name of its own. */
function onlyHere(publicUrl: string | null): (c: Context, next: Next) => Promise<Response | undefined> {
  const publicName = publicUrl === null ? null : new URL(publicUrl).hostname
  return async (c, next) => {
    const host = (c.req.header('host') ?? '').replace(/:\d+$/, '')
    const isLink = c.req.path.startsWith('/d/') && host === publicName
    if (!LOCAL.has(host) && !isLink) return refuse(c, { code: 'wrong-host', problem: `This is not ${host}.` })
    await next()
    return undefined
  }
}

/** Who asks a host whose home was taken away would be told of what is no longer there. */
function whileHomeIsThere(
  whyGone: () => string | null,
): (c: Context, next: Next) => Promise<Response | undefined> {
  return async (c, next) => {
    const why = whyGone()
    if (why !== null) return refuse(c, { code: 'home-gone', problem: why })
    await next()
    return undefined
  }
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
