/** A host on a journal in memory and a real repository, asked but not at work; and its doors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Host } from '../host/host.ts'
import { createManualClock, type ManualClock } from '../host/machine/clock.fixture.ts'
import { homeAt } from '../host/machine/home.ts'
import { createOperations, type Operations } from '../host/operations.ts'
import { openQuietHost } from '../host/quiet-host.fixture.ts'
import { programOf } from '../host/runs/runs.fixture.ts'
import { createRepository, temporaryFolder } from '../host/workspace/repository.fixture.ts'
import { createMemoryJournal } from '../journal/index.ts'
import type { Actor } from '../model/answer.ts'
import { createApp, type ServerOptions } from './server.ts'
import type { Keys } from './visitor.ts'

export const TOKEN = 'the-token-of-this-host'
export const AGENT_TOKEN = 'the-token-of-an-agents-session'
export const SECRET = 'the secret of this home, long enough for anybody'

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
  readonly runbook: string
  readonly options: ServerOptions
  /** Who is on the list beside alice, whose host it is. */
  readonly people: Set<string>
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
  const people = new Set(['maria', 'jo'])
  const keys: Keys = {
    token: TOKEN,
    owner: 'alice',
    secret: SECRET,
    isPerson: (name) => people.has(name),
    agents: { ...host.agents, knows: (token) => token === AGENT_TOKEN },
  }
  const mcp = { fetch: async () => new Response('mcp') }
  return {
    host,
    operations,
    repo: repository.dir,
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

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly token?: string | null
  readonly host?: string
}

/** Asks the app as a client would, and gives back status and JSON. */
export function askerOf(options: ServerOptions) {
  const app = createApp(options)
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
