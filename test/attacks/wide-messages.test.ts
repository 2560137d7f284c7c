/**
 * Messages within every limit of length, of which a few fill a host's memory: millions of small values
 * in a call, in a request or in an answer. A real host, with no more memory than such messages would take if they were parsed or kept.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { DoorFile } from '../../src/cli/hosting/door-file.ts'
import { eventually } from '../host/run.fixture.ts'
import { startHost } from '../host-process.fixture.ts'

const HEAP_MEGABYTES = 256

/** All at once, each in a run of its own, with the words of its fault. */
const DEEDS = {
  wide_calls: /more than 100000 values/,
  wide_requests: /more than 100000 values/,
  wide_answer: /more than 100000 values/,
} as const

const AGENT = `
import { createInterface } from 'node:readline'
const raw = (text) => new Promise((written) => process.stdout.write(text + '\\n', written))
const send = (message) => raw(JSON.stringify({ jsonrpc: '2.0', ...message }))
const wide = '[' + '{},'.repeat(2_600_000) + '{}]'
const call = (more) => raw('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call",' + more + '}}}')
const options = '[{"optionId":"a","name":"Allow","kind":"allow_once"},{"optionId":"b","name":"No","kind":"reject_once"}]'
const ask = (nth, more) => raw('{"jsonrpc":"2.0","id":"p' + nth + '","method":"session/request_permission","params":{"sessionId":"s","options":' + options + ',"toolCall":{"toolCallId":"t' + nth + '",' + more + '}}}')
const times = async (count, deed) => { for (let nth = 0; nth < count; nth++) await deed(nth) }
const deeds = {
  wide_calls: () => times(40, (nth) => call('"toolCallId":"t' + nth + '","title":"x","status":"pending","rawInput":' + wide)),
  wide_requests: () => times(60, (nth) => ask(nth, '"title":"x","rawInput":' + wide)),
  wide_answer: (id) => raw('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":{"stopReason":"end_turn","_meta":' + wide + '}}'),
}
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  else if (method === 'session/new') send({ id, result: { sessionId: 's' } })
  else if (method === 'session/prompt') {
    await deeds[process.argv[2]](id)
    send({ id, result: { stopReason: 'end_turn' } })
  }
}).on('close', () => process.exit(0))
`

function settle() {
  const dir = mkdtempSync('/var/tmp/signalbox-wide-')
  const at = (...names: string[]): string => join(dir, ...names)
  for (const each of ['repo', 'config']) mkdirSync(at(each))
  writeFileSync(at('agent.mjs'), AGENT)
  const names = Object.keys(DEEDS)
  const agents = names.map(
    (name) => `  ${name}: { acp: "${process.execPath} ${at('agent.mjs')} ${name}", permissions: ask }`,
  )
  writeFileSync(at('config', 'config.yaml'), `sandbox: { use: off }\nagents:\n${agents.join('\n')}\n`)
  for (const name of names)
    writeFileSync(
      at('repo', `${name}.yaml`),
      `runbook: 1\nagents: { dev: { use: ${name} } }\nsteps: { work: { agent: dev, prompt: go, next: done, on: { else: abandoned } } }\n`,
    )
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...words], { cwd: at('repo') })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'first')
  const { PATH = '', HOME = '' } = process.env
  const host = startHost({
    env: { PATH, HOME, SIGNALBOX_HOME: at('home'), SIGNALBOX_CONFIG: at('config'), GIT_CONFIG_NOSYSTEM: '1' },
    doorFile: at('home', 'host.json'),
    port: 0,
    nodeWords: [`--max-old-space-size=${HEAP_MEGABYTES}`],
  })
  onTestFinished(async () => {
    await host.kill()
    rmSync(dir, { recursive: true, force: true })
  })
  return { host, at }
}

it('[K6] fill nothing: each is the fault of who said it, and the host is there for everybody', async ({
  task,
}) => {
  const { host, at } = settle()
  const door = await host.up
  expect(door, host.stderr()).not.toBeNull()
  const begin = async (name: string): Promise<string> => {
    const run = await ask(door!, '/runs', { runbook: at('repo', `${name}.yaml`), dir: at('repo') })
    return (run as { run: string }).run
  }
  const detailOf = async (id: string): Promise<string | undefined> => {
    const events = (await ask(door!, `/runs/${id}/events`)) as readonly Told[]
    return events.find(({ type }) => type === 'member.faulted')?.data.detail
  }
  const runs = await Promise.all(Object.keys(DEEDS).map(begin))
  await eventually(() => Promise.all(runs.map(detailOf))).toEqual(
    Object.values(DEEDS).map((words) => expect.stringMatching(words)),
  )
  expect(peakMegabytes(host.pid)).toBeLessThan(3 * HEAP_MEGABYTES)
  task.meta.deeds = runs.length
})

const peakMegabytes = (pid: number): number => {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

interface Told {
  readonly type: string
  readonly data: { readonly detail?: string }
}

async function ask({ url, token }: DoorFile, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
