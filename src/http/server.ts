/**
 * The people's door: the operations over HTTP. At the ports for whoever shows a token or has a session, on both loopbacks and where else its
 * user says; at the socket in the home for the owner. Here is the frame: the names it may be called by, and the reply where no route fits;
 * the routes are declared in `model/api`.
 */

import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
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
import { closeServer, type Listening, openListener } from './listener.ts'
import { createLoginKeys } from './login-keys.ts'
import { openLoopback } from './loopback.ts'
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
  /** The folder of pages that lead to login links; null for none. */
  readonly loginPages?: string | null
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
  /** Takes every request as the owner's: it must listen only where its user alone can connect. */
  readonly ownerServer: Server
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
  const loopback = await openLoopback({ app: createApp(options, door), port: options.port })
  if ('problem' in loopback) return { problem: `${loopback.problem} Choose another with --port.` }
  opened.push(...loopback)
  let wideAt: string | null = null
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
    wideAt = listening.url
  }
  const ownerServer = createAdaptorServer({ fetch: createOwnerApp(options, door).fetch }) as Server
  opened.push({ url: '', close: () => closeServer(ownerServer) })
  const { url } = loopback[0]
  const wideUrl = reach?.behindProxy === true ? publicUrl : wideAt
  return {
    url,
    wideUrl,
    createLoginLink: () =>
      `${wideUrl ?? url}${door.logins.createLink({ person: keys.owner, isOwner: true })}`,
    ownerServer,
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
export const createApp = (options: ServerOptions, door: HttpDoor = createDoor(options)): Hono =>
  appFor(door, options, localNames(options))

/** As it is served to the owner. */
export const createOwnerApp = (options: ServerOptions, door: HttpDoor = createDoor(options)): Hono =>
  appFor({ ...door, isOwners: true }, { ...options, mcp: null, web: null }, localNames(options))

export function createDoor(options: ServerOptions, closing: AbortSignal = NEVER): HttpDoor {
  const {
    operationsFor,
    keys,
    version,
    logs,
    about = UNKNOWN,
    startDemo = null,
    settings = null,
    loginPages = null,
    heartbeatMs = HEARTBEAT_MS,
  } = options
  return {
    ...{ operationsFor, keys, version, about, startDemo, settings, heartbeatMs, closing },
    ...{
      logins: createLoginKeys(keys.secrets, { pages: loginPages }),
      presence: createPresence(),
      isOwners: false,
    },
    instance: randomBytes(16).toString('base64url'),
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
  const app = new Hono()
  app.use(keptNowhere)
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
  for (const served of SERVED) app.all(honoPath(served), (c) => notThisWay(c, served, door))
  // What is not there is nobody's business who may not come in.
  app.all('/api/v1/*', (c) => {
    const away = notAPerson(c, door)
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
function notThisWay(c: Context, { path, route: { access } }: Served, door: HttpDoor): Response {
  const away = access === 'session' || access === 'link' || access === 'open' ? null : notAPerson(c, door)
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

/** Replies hold what agents wrote: no browser keeps them on disk, and none takes them for anything but what they say they are. */
async function keptNowhere(c: Context, next: Next): Promise<void> {
  await next()
  c.header('x-content-type-options', 'nosniff')
  // The files of the application are the same for everybody, and say themselves how long they last.
  if (isData(c.req.path) || !c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
}

const isData = (path: string): boolean => /^\/(?:api|d|mcp)(?:\/|$)/.test(path)

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
