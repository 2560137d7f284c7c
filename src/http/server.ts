/**
 * The people's door: the operations over HTTP, for whoever shows a token or has a session, on the loopback interface and where else its
 * user says. Here is the frame: by which names it may be called, and what happens to what nobody serves; what is served stands in the table
 * of routes (`model/api`).
 */
import { type Context, Hono, type Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { logFile } from '../host/machine/log.ts'
import { storageFailureOf } from '../host/machine/storage.ts'
import type { Operations } from '../host/operations.ts'
import type { Actor } from '../model/answer.ts'
import { FailureError } from '../model/failure.ts'
import { notAPerson } from './admission.ts'
import type { HostAbout, HttpDoor, StartDemo } from './handler.ts'
import type { HostSettings } from './host-settings.ts'
import { type Listening, openListener } from './listener.ts'
import { createLoginKeys } from './login-keys.ts'
import { LOOPBACK, type OwnNames, onlyOwnPages } from './own-page.ts'
import { createPresence } from './presence.ts'
import { refuse } from './refuse.ts'
import { SERVED, type Served } from './serve.ts'
import type { Keys } from './visitor.ts'
import type { WebFiles } from './web-files.ts'
import { reachedAs, type WideReach } from './wide-reach.ts'

export interface ServerOptions {
  readonly operationsFor: (by: Actor) => Operations
  readonly keys: Keys
  readonly version: string
  /** 0 for any that is free. */
  readonly port: number
  readonly mcp: { fetch(request: Request): Promise<Response> }
  /** The folder of what runs say; left out: nobody is told. */
  readonly logs?: string
  /** What people are told of this host. */
  readonly about?: () => HostAbout
  /** For whoever has no run to look at yet. */
  readonly startDemo?: StartDemo | null
  /** What is in force here; left out: nobody is told. */
  readonly settings?: HostSettings | null
  /** The application for browsers; null for none. */
  readonly web?: WebFiles | null
  /** Where a tunnel lets people's links in from elsewhere; links only, unless a proxy is said to stand there. */
  readonly publicUrl?: string | null
  /** Why nothing that is kept will be found again; null where it will. */
  readonly whyGone?: () => string | null
  /** From where else it can be reached than from this machine. */
  readonly reach?: WideReach | null
  /** How often a quiet stream says that it is still there. */
  readonly heartbeatMs?: number
}

export interface RunningServer {
  readonly url: string
  /** Where it can be reached from elsewhere; null for nowhere. */
  readonly wideUrl: string | null
  /** A link that lets one browser in as the owner, once. */
  readonly createLoginLink: () => string
  close(): Promise<void>
}

const LARGEST_BODY = 4 * 1024 * 1024
/** Proxies and clients cut what is quiet for half a minute. */
const HEARTBEAT_MS = 25_000

export async function startServer(
  options: ServerOptions,
): Promise<RunningServer | { readonly problem: string }> {
  const { reach = null, publicUrl = null, keys } = options
  const closing = new AbortController()
  const door = createDoor(options, closing.signal)
  const opened: Listening[] = []
  const close = async (): Promise<void> => {
    closing.abort()
    await Promise.all(opened.map((listening) => listening.close()))
  }
  const local = await openListener({
    app: createApp(options, door),
    address: '127.0.0.1',
    port: options.port,
    tls: null,
  })
  if ('problem' in local) return { problem: `${local.problem} Choose another with --port.` }
  opened.push(local)
  const wide = reach?.listen ?? null
  if (wide !== null) {
    // Agents work on this machine: their door is not opened to others.
    const app = appFor(
      door,
      { ...options, mcp: null },
      { names: reachedAs(wide, publicUrl), linksOnly: null },
    )
    const listening = await openListener({ app, ...wide })
    if ('problem' in listening) {
      await close()
      return { problem: `${listening.problem} Choose another with --listen.` }
    }
    opened.push(listening)
  }
  const url = local.url
  const wideUrl = reach?.behindProxy === true ? publicUrl : (opened[1]?.url ?? null)
  return {
    url,
    wideUrl,
    createLoginLink: () =>
      `${wideUrl ?? url}${door.logins.createLink({ person: keys.owner, isOwner: true })}`,
    close,
  }
}

const localNames = ({ publicUrl = null, reach = null }: ServerOptions): OwnNames => {
  const publicName = publicUrl === null ? null : new URL(publicUrl).hostname
  const proxied = reach?.behindProxy === true && publicName !== null ? [publicName] : []
  return { names: new Set([...LOOPBACK, ...proxied]), linksOnly: publicName }
}

const NEVER = new AbortController().signal

/** As it is served on this machine. */
export const createApp = (options: ServerOptions, door: HttpDoor = createDoor(options, NEVER)): Hono =>
  appFor(door, options, localNames(options))

function createDoor(options: ServerOptions, closing: AbortSignal): HttpDoor {
  const {
    operationsFor,
    keys,
    version,
    logs,
    about = UNKNOWN,
    startDemo = null,
    settings = null,
    heartbeatMs = HEARTBEAT_MS,
  } = options
  return {
    ...{ operationsFor, keys, version, about, startDemo, settings, heartbeatMs, closing },
    ...{ logins: createLoginKeys(), presence: createPresence() },
    logFile: (run) => (logs === undefined ? null : logFile(logs, run)),
  }
}

const UNKNOWN = (): HostAbout => ({ people: [], startedAt: 0, unconfined: null, holdMs: 0 })

interface Frame {
  readonly mcp: ServerOptions['mcp'] | null
  readonly web?: WebFiles | null
  readonly whyGone?: () => string | null
}

function appFor(door: HttpDoor, { mcp, web = null, whyGone = () => null }: Frame, names: OwnNames): Hono {
  const { keys } = door
  const app = new Hono()
  app.use(onlyOwnPages(names))
  app.use(whileHomeIsThere(whyGone))
  app.use(
    bodyLimit({
      maxSize: LARGEST_BODY,
      onError: (c) => refuse(c, { code: 'too-large', problem: 'The body is larger than 4 MiB.' }),
    }),
  )
  if (mcp !== null) app.all('/mcp', (c) => mcp.fetch(c.req.raw))
  for (const served of SERVED) app.on(served.method, honoPath(served), (c) => served.serve(c, door))
  for (const served of SERVED) app.all(honoPath(served), (c) => notThisWay(c, served, keys))
  // What is not there is nobody's business who may not come in.
  app.all('/api/v1/*', (c) => {
    const away = notAPerson(c, keys)
    return away === null ? nothingAt(c) : refuse(c, away)
  })
  app.notFound((c) => web?.respond(c) ?? nothingAt(c))
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
