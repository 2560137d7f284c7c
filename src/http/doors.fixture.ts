/** A host on a journal in memory and a real repository, asked but not at work; and its doors. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import type { Host } from '../host/host.ts'
import { createManualClock, type ManualClock } from '../host/machine/clock.fixture.ts'
import { type Home, homeAt } from '../host/machine/home.ts'
import { createOperations, type Operations } from '../host/operations.ts'
import { openQuietHost } from '../host/quiet-host.fixture.ts'
import { programOf } from '../host/runs/runs.fixture.ts'
import { createRepository, temporaryFolder } from '../host/workspace/repository.fixture.ts'
import { createMemoryJournal } from '../journal/index.ts'
import type { Actor } from '../model/answer.ts'
import { type ListStanding, openPeopleSecrets, type PeopleSecrets } from './people-secrets.ts'
import { createApp, createDoor, createOwnerApp, type ServerOptions, startServer } from './server.ts'
import { signatureOf } from './signature.ts'
import { fetchOver } from './socket-fetch.fixture.ts'
import { type Colleague, type Keys, personalToken } from './visitor.ts'

/** Stands for the owner's door: what a test asks with it goes to the application behind the socket, without it. */
export const TOKEN = 'the-door-of-the-owner'
export const AGENT_TOKEN = 'the-token-of-an-agents-session'
const SECRET = 'the secret of this home, long enough for anybody'

export const SIGN_OFF = `
name: sign-off
vars: { what: { required: true } }
budgets: { rework: 2 }
steps:
  sign_off:
    decide: "Ship \${var.what}?"
    options:
      ship: { say: Keep it, to: done, recommended: true }
      again: { to: sign_off, spend: rework, then: abandoned }
      drop: { to: abandoned }
`

export interface Opened {
  readonly host: Host
  readonly operations: Operations
  readonly clock: ManualClock
  readonly repo: string
  readonly home: Home
  readonly runbook: string
  readonly options: ServerOptions
  /** Who is on the list beside alice, whose host it is. */
  readonly people: Map<string, Colleague>
  /** Starts a run that asks whether to ship. */
  readonly begin: (what?: string) => Promise<string>
}

export function openOperations(): Opened {
  const repository = createRepository({ 'a.txt': 'a', 'sign-off.yaml': SIGN_OFF })
  const runbook = join(repository.dir, 'sign-off.yaml')
  const clock = createManualClock(1_000_000)
  const home = homeAt(temporaryFolder())
  const host = openQuietHost({
    journal: createMemoryJournal(),
    home,
    clock,
    onBug: (error) => {
      throw error
    },
  })
  onTestFinished(() => host.close())
  const operationsFor = (by: Actor): Operations =>
    createOperations({
      host,
      now: () => 2_000_000,
      by,
      compile: async (file) => ({ program: programOf(readFileSync(file, 'utf8')) }),
    })
  const operations = operationsFor({ kind: 'person', name: 'alice' })
  const people = new Map<string, Colleague>(['maria', 'jo'].map((name) => [name, { groups: [], may: [] }]))
  const keys: Keys = {
    owner: 'alice',
    secrets: openSecrets((name) => (name === 'alice' || people.has(name) ? 'listed' : 'unlisted')),
    colleague: (name) => people.get(name) ?? null,
    agents: { ...host.agents, knows: (token) => token === AGENT_TOKEN },
  }
  const mcp = { fetch: async () => new Response('mcp') }
  return {
    host,
    operations,
    repo: repository.dir,
    home,
    runbook,
    clock,
    people,
    options: { operationsFor, keys, version: '1.2.3', port: 0, mcp, logs: home.logs },
    begin: async (what = 'this') => {
      const order = { runbook, dir: repository.dir, base: null, issue: null, vars: { what } }
      const started = await operations.start(order)
      if ('problems' in started) throw new Error(started.problems.join('\n'))
      return started.run
    },
  }
}

/** Of a home whose marks are known, so that tokens can be made without it. */
export function openSecrets(listingOf: (name: string) => ListStanding): PeopleSecrets {
  const folder = temporaryFolder()
  const [file, dir] = [join(folder, 'people.secret'), join(folder, 'people')]
  writeFileSync(file, SECRET)
  mkdirSync(dir)
  for (const name of ['alice', 'maria', 'jo']) writeFileSync(join(dir, `${name}.mark`), markOf(name))
  return openPeopleSecrets({ file, dir, listingOf })
}

const markOf = (name: string): string => `mark-of-${name}`
const FAR = 4_000_000_000_000

export const tokenOf = (name: string, { secret = SECRET, endsAt = FAR } = {}): string =>
  personalToken({ name, endsAt }, signatureOf(secret, ['person', name, markOf(name)]))

/** Both applications over one door: asked with `TOKEN`, the owner's answers. */
export function appOf(options: ServerOptions): Pick<Hono, 'request'> {
  const door = createDoor(options)
  const [app, owners] = [createApp(options, door), createOwnerApp(options, door)]
  const request = (input: string, init: RequestInit = {}, env?: object) => {
    const headers = new Headers(init.headers)
    const isOwners = headers.get('authorization') === `Bearer ${TOKEN}`
    if (isOwners) headers.delete('authorization')
    return (isOwners ? owners : app).request(input, { ...init, headers }, env)
  }
  return { request: request as Hono['request'] }
}

/** Listens, and gives back how the owner asks it: over a socket, like `fetch`. */
export async function serveOwner(options: ServerOptions, at = join(temporaryFolder(), 's')) {
  const server = await startServer(options)
  if ('problem' in server) throw new Error(server.problem)
  onTestFinished(() => server.close())
  await new Promise<void>((resolve) => server.ownerServer.listen(at, resolve))
  return { server, socket: at, fetch: fetchOver(at) }
}

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly token?: string | null
  readonly host?: string
}

/** Asks the app as a client would, and gives back status and JSON. */
export function askerOf(options: ServerOptions) {
  const app = appOf(options)
  return async (path: string, { method, body, token = TOKEN, host = '127.0.0.1:7474' }: Asked = {}) => {
    const headers = new Headers({ host, 'content-type': 'application/json' })
    if (token !== null) headers.set('authorization', `Bearer ${token}`)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const verb = method ?? (body === undefined ? 'GET' : 'POST')
    const init = body === undefined ? { method: verb, headers } : { method: verb, headers, body: text }
    const response = await app.request(`http://127.0.0.1:7474${path}`, init)
    const said = await response.text()
    return {
      status: response.status,
      data: isJson(response) ? JSON.parse(said) : said,
    }
  }
}

const isJson = (response: Response): boolean =>
  /^application\/json(?:;|$)/.test(response.headers.get('content-type') ?? '')
