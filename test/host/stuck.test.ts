/** Agents that do the same again and again: work looks like that, and so does a loop. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()

/** It edits and tests in turn, a round for each letter in a file, and tells what a test has it tell. */
const AGENT = `
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [told, rounds] = process.argv.slice(2)
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const update = (update) => send({ method: 'session/update', params: { sessionId: 's', update } })
const call = (toolCallId, about, result, act) => {
  update({ sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', ...about })
  act()
  update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', ...result })
}
const text = (text) => ({ content: [{ type: 'content', content: { type: 'text', text } }] })
let n = 0, cwd = '', cancelled = false
const round = () => {
  n += 1
  const path = cwd + '/a.txt'
  const newText = 'line\\n'.repeat(n)
  const diff = told === 'changes' ? { content: [{ type: 'diff', path, oldText: '', newText }] } : {}
  const write = () => told === 'nothing' || told === 'results' || writeFileSync(path, newText)
  call('w' + n, { title: 'Writing to a.txt', kind: 'edit', ...diff }, {}, told === 'changes' ? () => {} : write)
  const failing = told === 'results' ? 100 - n : 100
  call('t' + n, { title: 'npm test', rawInput: { command: 'npm test' } }, text(failing + ' tests fail'), () => {})
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  else if (method === 'session/new') { cwd = params.cwd; send({ id, result: { sessionId: 's' } }) }
  else if (method === 'session/cancel') cancelled = true
  else if (method === 'session/prompt') {
    cancelled = false
    const timer = setInterval(() => {
      const wanted = readFileSync(rounds, 'utf8')
      while (n < wanted.replace('!', '').length && !cancelled) round()
      if (!cancelled && !wanted.endsWith('!')) return
      clearInterval(timer)
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'FINISHED' } })
      send({ id, result: { stopReason: cancelled ? 'cancelled' : 'end_turn' } })
    }, 10)
  } else if (method !== undefined && id !== undefined) send({ id, error: { code: -32601, message: 'no' } })
}).on('close', () => process.exit(0))
`

async function working(told: 'changes' | 'results' | 'files' | 'nothing') {
  let argv: readonly string[] = []
  const house = await openHouse({
    runbook:
      'steps: { work: { agent: dev, stuck: { calls: 4 }, next: done, on: { stalled: abandoned, failed: abandoned } } }',
    programFor: (_use, scripted) => ({ ...scripted, driver: 'acp', argv }),
  })
  const [agent, rounds] = [join(house.ground, 'agent.mjs'), join(house.ground, 'rounds')]
  writeFileSync(agent, AGENT)
  writeFileSync(rounds, '')
  argv = [process.execPath, agent, told, rounds]
  const run = await house.start()
  await run.until('agent.prompted')
  const isStalled = async (): Promise<boolean> => (await run.all('member.faulted')).length > 0
  let made = 0
  /** One more, and the clock is looked at. */
  const round = async (): Promise<void> => {
    appendFileSync(rounds, 'r')
    made += 1
    const isMade = (): boolean => JSON.stringify(house.wire).includes(`"t${made}","status":"completed"`)
    await eventually(async () => isMade() || (await isStalled())).toBe(true)
    house.clock.advance(5_000)
  }
  return { run, round, isStalled, end: () => appendFileSync(rounds, '!') }
}

it.concurrent.each(['changes', 'results', 'files'] as const)(
  '[D20] an agent that edits and tests in turn works on, where only its %s differ',
  async (told) => {
    const { run, round, end } = await working(told)
    for (let rounds = 0; rounds < 12; rounds++) await round()
    end()
    expect(await run.end()).toBe('done')
    expect(run.prompts()).toHaveLength(1)
  },
)

it.concurrent('[D20] one whose calls, results and files stay the same is told once, and then stalled', async () => {
  const { run, round, isStalled } = await working('nothing')
  // On a busy machine the first look at its worktree may come late, and one round more is seen.
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    for (let rounds = 0; rounds < 10 && !(await isSo()); rounds++) await round()
  }
  await until(() => run.prompts().length > 1)
  await eventually(() => run.prompts().length).toBe(2)
  expect(run.prompts()[1]).toMatch(
    /^You have made the same 2 tool calls in turn, [4-9] times: Writing to a\.txt/,
  )
  await until(isStalled)
  expect(await run.until('member.faulted')).toMatchObject({
    fault: 'stalled',
    detail: expect.stringContaining('(it was told so before)'),
  })
  expect(await run.end()).toBe('abandoned')
})

it.concurrent('[D20] a member of a panel who may write nothing is not at work because another one is', async () => {
  const programs: Record<string, readonly string[]> = {}
  const house = await openHouse({
    runbook: `
      agents: { reader: { use: reader, writes: [] }, writer: { use: writer } }
      steps:
        work: { panel: [reader, writer], stuck: { calls: 4 }, next: done, on: { stalled: abandoned, failed: abandoned } }
    `,
    programFor: (use, scripted) => ({ ...scripted, driver: 'acp', argv: programs[use] ?? [] }),
  })
  const agent = join(house.ground, 'agent.mjs')
  writeFileSync(agent, AGENT)
  const rounds = (use: string): string => join(house.ground, `${use}-rounds`)
  for (const [use, told] of [
    ['reader', 'nothing'],
    ['writer', 'files'],
  ] as const) {
    writeFileSync(rounds(use), '')
    programs[use] = [process.execPath, agent, told, rounds(use)]
  }
  const run = await house.start()
  await run.until('agent.prompted', 2)
  const isTold = (): boolean => run.prompts().length > 2
  const didAll = (made: number) => (): number =>
    JSON.stringify(house.wire).split(`"t${made}","status":"completed"`).length - 1
  for (let made = 1; made <= 12 && !isTold(); made++) {
    for (const use of ['writer', 'reader']) appendFileSync(rounds(use), 'r')
    await eventually(() => didAll(made)() === 2 || isTold()).toBe(true)
    house.clock.advance(5_000)
  }
  await eventually(isTold).toBe(true)
  expect(run.prompts().at(-1)).toMatch(/^You have made the same 2 tool calls in turn/)
  for (const use of ['writer', 'reader']) appendFileSync(rounds(use), '!')
  expect(await run.end()).toBe('done')
})
