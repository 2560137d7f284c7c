/**
 * Messages that nobody meant, at every door that others can reach: a real agent's process over ACP, MCP (on a pipe as well) and HTTP over their
 * real server, and the files that agents answer in. Nothing falls, nothing grows, every reply is one that is documented, and
 * runs beside it go on. The seed is printed; FUZZ_SEED brings a run back, FUZZ_MESSAGES makes it longer (`npm run fuzz`).
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundledBridge } from '../../src/drivers/bundle.fixture.ts'
import { readDecision, whyNotTaken } from '../../src/engine/index.ts'
import { programOf } from '../../src/host/runs/runs.fixture.ts'
import { readAnswerFile } from '../../src/host/session/answer-file.ts'
import { readDecisionFile } from '../../src/host/session/decision-file.ts'
import { fetchOver } from '../../src/http/socket-fetch.fixture.ts'
import { STATUS_OF } from '../../src/model/api/rejection.ts'
import { ROUTES } from '../../src/model/api/routes.ts'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { createLineSplitter } from '../../src/model/line-splitter.ts'
import { type Chance, chanceOf, mutated, textOf } from '../mutation.fixture.ts'
import { type House, houses } from './host.fixture.ts'
import { hostileAgent } from './hostile-agent.fixture.ts'
import { eventually, type RunInHouse } from './run.fixture.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const MESSAGES = Number(process.env['FUZZ_MESSAGES'] ?? 2_000)
const PATIENCE_MS = 120_000 + MESSAGES * 20

/** Whoever is asked something is not left without an answer. */
const LONGEST_WAIT_MS = 30_000

const openHouse = houses()
const share = (part: number): number => Math.ceil(MESSAGES * part)

const ASKS = `
  agents: { odd: { use: hostile }, dev: {} }
  steps: { judge: { agent: odd, nudges: 20, questions: 0, options: { good: done, poor: abandoned } } }
  on: { else: abandoned }
`
const GOOD =
  'steps: { work: { agent: dev, options: { good: done, poor: abandoned } } }\non: { else: abandoned }'
const WAITS = 'steps: { ship: { decide: Ship it?, options: { yes: done, no: abandoned } } }'

/** Whoever works beside all this, and comes to its end. */
const healthy = (house: House): Promise<RunInHouse> => house.start({ program: programOf(GOOD) })

describe('[K6] messages that nobody meant', () => {
  beforeAll(() => console.info(`messages: FUZZ_SEED=${SEED} FUZZ_MESSAGES=${MESSAGES}`))

  it(
    'of an agent over its own wire',
    async () => {
      const chance = chanceOf(SEED)
      const lines = Array.from({ length: share(0.4) }, () =>
        textOf(mutated(chance.pick(SAID), chance), chance),
      )
      let argv: readonly string[] = []
      const house = await openHouse({
        runbook: ASKS,
        plays: { work: [[{ answer: { decision: 'good' }, via: 'file' }]] },
        permissions: 'allow',
        programFor: (use, scripted) => (use === 'hostile' ? { ...scripted, driver: 'acp', argv } : scripted),
      })
      const agent = hostileAgent(house.ground, {
        lines,
        perTurn: Math.max(100, Math.ceil(lines.length / 40)),
      })
      argv = agent.argv
      const beside = await healthy(house)
      const left = (): number => lines.length - Number(readFileSync(agent.cursor, 'utf8'))
      const heap = createHeap()
      while (left() > 0) {
        const run = await house.start()
        await ended(house, run)
        house.wire.length = 0
        heap.look()
      }
      expect(await beside.end()).toBe('done')
      expect(await (await healthy(house)).end()).toBe('done')
      heap.isFlat()
    },
    PATIENCE_MS,
  )

  it(
    'of people and of agents over HTTP and MCP',
    async () => {
      const chance = chanceOf(SEED + 1)
      const house = await openHouse({
        runbook: GOOD.replace('work:', 'sleep:'),
        doors: true,
        plays: {
          sleep: [[{ hang: true }]],
          work: [[{ answer: { decision: 'good' }, via: 'file' }]],
        },
      })
      const waiting = await house.start({ program: programOf(WAITS) })
      const asleep = await house.start()
      await eventually(() => house.tokens().length).toBe(1)
      const [token = ''] = house.tokens()
      const beside = await healthy(house)
      const pipe = openPipe(house, token)
      const heap = createHeap()
      for (let nth = 0; nth < share(0.5); nth++) {
        if (nth % 2 === 0) await overHttp(house, { chance, run: waiting.id })
        else if (nth % 4 === 1) await overMcp(house, { chance, token })
        else await pipe.say(textOf(mutated(chance.pick(CALLS), chance), chance))
        if (nth % 500 === 499) heap.look()
      }
      expect(await beside.end()).toBe('done')
      heap.isFlat()
      await pipe.end()
      await asleep.tell({ type: 'run.cancel', reason: 'it slept enough' })
    },
    PATIENCE_MS,
  )

  it(
    'in the files that agents answer in',
    async () => {
      const chance = chanceOf(SEED + 2)
      const { house, answer, decision } = await atFiles()
      const run = await house.start({ program: programOf(GOOD) })
      await run.until('attempt.began')
      const { program, state } = (await house.host().runs.load(run.id))!
      const address = { step: 'work', visit: 1, member: 0, attempt: 1 }
      const heap = createHeap()
      for (let nth = 0; nth < share(0.1); nth++) {
        writeFileSync(answer, textOf(mutated(ANSWER, chance), chance))
        const given = await readAnswerFile(answer, { maxBytes: 1024 * 1024, within: house.ground })
        const why = whyNotTaken(program, state, address, given)
        if (why !== null) expect(why.message).not.toBe('')
        writeFileSync(decision, textOf(mutated(EXAMPLE_DECISION, chance), chance))
        const asked = await readDecisionFile(decision, house.ground)
        if (asked.kind === 'wrong') expect(asked.message).toContain('A correct one:')
        else if (asked.kind === 'decision') readDecision(program, asked.payload)
        if (nth % 500 === 499) heap.look()
      }
      heap.isFlat()
      await run.tell({ type: 'run.cancel', reason: 'that was all' })
    },
    PATIENCE_MS,
  )
})

async function atFiles() {
  const house = await openHouse({ runbook: GOOD, plays: { work: [[{ hang: true }]] } })
  const dir = join(house.ground, 'files')
  mkdirSync(dir)
  return { house, answer: join(dir, 'answer.json'), decision: join(dir, 'decision.json') }
}

/** It ends by itself, or asks a person, who has seen enough. */
async function ended(house: House, run: RunInHouse): Promise<void> {
  const look = async (): Promise<string> => {
    const { state } = (await house.host().runs.load(run.id))!
    return state.status
  }
  await eventually(async () => ['ended', 'waiting'].includes(await look())).toBe(true)
  if ((await look()) === 'ended') return
  await run.tell({ type: 'run.cancel', reason: 'it asked' })
  await run.end()
}

const update = (sessionUpdate: string, more: object) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate, ...more } },
})
const TOOL = {
  toolCallId: 't1',
  title: 'Read a.txt',
  kind: 'read',
  status: 'completed',
  rawInput: { path: 'a.txt' },
  content: [{ type: 'content', content: { type: 'text', text: '{"command":"ls"}' } }],
  locations: [{ path: '/a.txt', line: 1 }],
}
const OPTIONS = [
  { optionId: 'a', name: 'Allow', kind: 'allow_once' },
  { optionId: 'r', name: 'Reject', kind: 'reject_once' },
]
const FORM = {
  type: 'object',
  properties: { pick: { type: 'string', enum: ['a', 'b'] } },
  required: ['pick'],
}

/** What agents say when they mean it; most of it often, what has to be answered seldom. */
const SAID: readonly unknown[] = [
  ...Array.from({ length: 12 }, () => [
    update('agent_message_chunk', { content: { type: 'text', text: 'Hello.' }, messageId: 'm' }),
    update('agent_thought_chunk', { content: { type: 'text', text: 'Hm.' } }),
    update('tool_call', TOOL),
    update('tool_call_update', TOOL),
    update('usage_update', { used: 10, size: 100, cost: { amount: 0.1, currency: 'USD' } }),
    update('plan', { entries: [{ content: 'x', priority: 'high', status: 'pending' }] }),
  ]).flat(),
  {
    jsonrpc: '2.0',
    id: 5,
    method: 'session/request_permission',
    params: { sessionId: 's', toolCall: TOOL, options: OPTIONS },
  },
  {
    jsonrpc: '2.0',
    id: 6,
    method: 'elicitation/create',
    params: { sessionId: 's', mode: 'form', message: 'Which?', requestedSchema: FORM },
  },
  { jsonrpc: '2.0', id: 7, method: 'fs/read_text_file', params: { path: '/etc/passwd' } },
  { jsonrpc: '2.0', id: 99, result: { stopReason: 'end_turn' } },
  { jsonrpc: '2.0', id: 99, error: { code: -32000, message: 'no' } },
]
const ANSWER = {
  decision: 'good',
  notes: 'It is fine.',
  handoff: { goal: 'x' },
  findings: [{ id: 'a', text: 'b' }],
}

/** Those that answer and are over: what waits or goes on for ever has tests of its own. */
const ADDRESSES = Object.keys(ROUTES).filter((address) => !/stream|wait|export/.test(address))

async function overHttp(house: House, { chance, run }: { chance: Chance; run: string }): Promise<void> {
  const [method = '', template = ''] = chance.pick(ADDRESSES).split(' ')
  const path = template.replaceAll(/\{\w+\}/g, () =>
    chance.pick([
      run,
      `${run}/ship#1`,
      'x',
      '%00',
      '..%2f..',
      '__proto__',
      encodeURIComponent('😀'),
      'a'.repeat(3_000),
    ]),
  )
  const query = chance.pick([
    '',
    '?limit=-1',
    '?limit=1e9',
    '?run=__proto__',
    '?after=%ff',
    '?prefix=%00',
    '?all=maybe&all=1',
  ])
  const body = textOf(mutated(chance.pick(BODIES), chance), chance)
  const isOwners = chance.pick([true, true, true, false])
  const ask = isOwners
    ? fetchOver(house.home.socket)
    : (at: string, init: RequestInit) => fetch(`${house.url()}${at}`, init)
  const response = await ask(`${path}${query}`, {
    method,
    headers: {
      ...(isOwners ? {} : { authorization: 'Bearer wrong' }),
      'content-type': chance.pick([
        'application/json',
        'application/x-www-form-urlencoded',
        'text/plain',
        'x',
      ]),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
    ...(method === 'GET' ? {} : { body }),
  }).catch((error: unknown) => {
    throw new Error(`no answer to ${method} ${path.slice(0, 200)}${query} ${body.slice(0, 300)}`, {
      cause: error,
    })
  })
  const text = await response.text()
  const said = `${method} ${path.slice(0, 200)}${query} ${body.slice(0, 300)} → ${response.status} ${text.slice(0, 300)}`
  expect(response.status, said).toBeLessThan(500)
  if (response.status >= 400 && path.startsWith('/api/')) {
    const { code, message } = JSON.parse(text) as { code: string; message: string }
    expect(STATUS_OF, said).toHaveProperty(code)
    expect(message, said).not.toBe('')
  }
}

const BODIES: readonly unknown[] = [
  { decision: EXAMPLE_DECISION },
  { pick: 'yes', note: '', fields: {}, digest: 'x' },
  { do: 'retry', reason: 'x' },
  { do: 'extend', budget: 'interventions', amount: 1, reason: 'x' },
  { runbook: 'a.yaml', dir: '/tmp', base: null, issue: null, vars: {} },
  { until: 1, reason: 'x' },
  { to: 'alice' },
  EXAMPLE_DECISION,
]

const call = (name: string, given: unknown) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: given },
})
const CALLS: readonly unknown[] = [
  call('report_outcome', ANSWER),
  call('hand_off', { goal: 'x' }),
  call('create_decision', EXAMPLE_DECISION),
  call('wait_decision', { decision: 'nowhere', wait_seconds: 1 }),
  call('read_run', {}),
  { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
]

async function overMcp(house: House, { chance, token }: { chance: Chance; token: string }): Promise<void> {
  const body = textOf(mutated(chance.pick(CALLS), chance), chance)
  const response = await fetch(`${house.url()}/mcp`, {
    method: chance.below(20) === 0 ? chance.pick(['PUT', 'DELETE']) : 'POST',
    headers: {
      authorization: `Bearer ${chance.below(10) === 0 ? 'wrong' : token}`,
      accept: chance.pick(['application/json, text/event-stream', '*/*', 'x']),
      'content-type': chance.pick(['application/json', 'application/json', 'text/plain']),
      'mcp-protocol-version': chance.pick(['2025-06-18', '2025-06-18', 'x']),
    },
    body,
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  }).catch((error: unknown) => {
    throw new Error(`no answer to ${body.slice(0, 500)}`, { cause: error })
  })
  const text = await response.text()
  expect(response.status, `${body.slice(0, 500)} → ${response.status} ${text.slice(0, 500)}`).toBeLessThan(
    500,
  )
}

/** An agent's MCP server on standard input: whatever is said to it, it hears the next. */
function openPipe(house: House, token: string) {
  const env = { SIGNALBOX_MCP_URL: `${house.url()}/mcp`, SIGNALBOX_MCP_TOKEN: token }
  const bridge = spawn(process.execPath, [bundledBridge()], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(bridge, 'close')
  const awaited = new Map<unknown, () => void>()
  const onLine = (line: string): void => awaited.get((JSON.parse(line) as { id?: unknown }).id)?.()
  const onTooLong = (): never => {
    throw new Error('the bridge said more than anybody reads')
  }
  bridge.stdout
    .setEncoding('utf8')
    .on('data', createLineSplitter({ onLine, maxLength: 8 * 1024 * 1024, onTooLong }))
  let said = 0
  return {
    say: async (line: string): Promise<void> => {
      const id = `next ${++said}`
      const heard = new Promise<void>((resolve) => void awaited.set(id, resolve))
      bridge.stdin.write(`${line}\n${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`)
      await heard
      awaited.delete(id)
    },
    end: async (): Promise<void> => {
      bridge.stdin.end()
      expect(await closed).toEqual([0, null])
    },
  }
}

/** What is held after everything that can go has gone. */
function createHeap() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const megabytes: number[] = []
  return {
    look: (): void => {
      collect()
      megabytes.push(Math.round(process.memoryUsage().heapUsed / 1024 / 1024))
    },
    /** From its first quarter on, where everything that is loaded late is loaded. */
    isFlat: (): void => {
      const settled = megabytes.slice(Math.floor(megabytes.length / 4))
      const [first = 0] = settled
      expect((settled.at(-1) ?? first) - first, `the heap in MiB: ${megabytes.join(' ')}`).toBeLessThan(30)
    },
  }
}
