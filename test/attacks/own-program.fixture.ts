/** A real host beside agents whose program is the attacker's: each deed of it is an agent of the config, with a runbook of its name. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FoundHost } from '../../src/cli/hosting/find-host.ts'
import { fetchOver } from '../../src/http/socket-fetch.fixture.ts'
import { type HostProcess, startHost } from '../host-process.fixture.ts'

export interface Staging {
  /** Words of the program that answers what a host asks; they find `send`, `raw`, `say`, `times` and `launches`. */
  readonly deeds: Readonly<Record<string, string>>
  /** What else it wants to have at hand. */
  readonly before?: string
  readonly nodeWords?: readonly string[]
}

export interface Staged {
  /** Each time another process; the one before must have ended. */
  begin(): HostProcess
  /** A file beside the repository. */
  at(...names: string[]): string
  start(door: FoundHost, name: string): Promise<string>
}

export function stage({ deeds, before = '', nodeWords = [] }: Staging): Staged {
  const dir = mkdtempSync('/var/tmp/signalbox-own-')
  const at = (...names: string[]): string => join(dir, ...names)
  for (const each of ['repo', 'config']) mkdirSync(at(each))
  writeFileSync(at('agent.mjs'), programOf(deeds, before))
  const names = Object.keys(deeds)
  const agents = names.map(
    (name) =>
      `  ${name}: { acp: "${process.execPath} ${at('agent.mjs')} ${name} ${at(name)}", permissions: ask }`,
  )
  writeFileSync(at('config', 'config.yaml'), `sandbox: { use: off }\nagents:\n${agents.join('\n')}\n`)
  for (const name of names) writeFileSync(at('repo', `${name}.yaml`), flowOf(name))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...words], { cwd: at('repo') })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'first')
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    SIGNALBOX_HOME: at('home'),
    SIGNALBOX_CONFIG: at('config'),
    GIT_CONFIG_NOSYSTEM: '1',
  }
  let host: HostProcess | null = null
  onTestFinished(async () => {
    await host?.kill()
    rmSync(dir, { recursive: true, force: true })
  })
  return {
    at,
    begin: () => {
      host = startHost({ env, doorFile: at('home', 'host.json'), port: 0, nodeWords })
      return host
    },
    start: async (door, name) => {
      const { run } = await askHost<{ run: string }>(door, '/runs', {
        runbook: at('repo', `${name}.yaml`),
        dir: at('repo'),
      })
      return run
    },
  }
}

export const flowOf = (name: string): string =>
  `runbook: 1\nagents: { dev: { use: ${name} } }\nsteps: { work: { agent: dev, prompt: go, options: { good: done, poor: abandoned }, on: { else: abandoned } } }\n`

/** It adds a line to the file of its deed whenever it is started. */
const programOf = (deeds: Readonly<Record<string, string>>, before: string): string => `
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [, , deed, launches] = process.argv
appendFileSync(launches, process.pid + '\\n')
const raw = (text) => new Promise((written) => process.stdout.write(text + '\\n', written))
const send = (message) => raw(JSON.stringify({ jsonrpc: '2.0', ...message }))
const say = (text) => send({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } })
const times = async (count, act) => { for (let nth = 0; nth < count; nth++) await act(nth) }
${before}
const deeds = { ${Object.entries(deeds)
  .map(([name, words]) => `${name}: ${words}`)
  .join(',\n')} }
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method } = JSON.parse(line)
  const end = () => send({ id, result: { stopReason: 'end_turn' } })
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  else if (method === 'session/new') send({ id, result: { sessionId: 's' } })
  else if (method === 'session/prompt') await deeds[deed]({ id, end })
}).on('close', () => process.exit(0))
`

export interface Told {
  readonly type: string
  readonly data: { readonly detail?: string; readonly end?: string }
}

export const eventsOf = (door: FoundHost, run: string): Promise<readonly Told[]> =>
  askHost(door, `/runs/${run}/events`)

async function askHost<T>({ socket }: FoundHost, path: string, body?: object): Promise<T> {
  const response = await fetchOver(socket)(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
