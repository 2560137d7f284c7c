/** A decision that an agent raises: put to a person, answered once, followed until the agent acted on it. */
import { expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import type { RunEvent } from '../../src/model/event.ts'
import { type HouseOptions, houses, type Turns } from './host.fixture.ts'
import { eventually, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()
const WORK = 'steps: { work: { agent: dev, time: 10m, stall: 5m, options: { good: done, poor: abandoned } } }'
const raise = (more: object = {}) => ({
  tool: { name: 'create_decision', arguments: { ...EXAMPLE_DECISION, ...more } },
})
const good = { answer: { decision: 'good' }, via: 'mcp' } as const

const asking = (turns: Turns, more: Partial<HouseOptions> = {}) =>
  openHouse({ runbook: WORK, plays: { work: turns }, doors: true, ...more })

const ROUND: Turns = [
  [raise(), { say: 'I wait.' }],
  [{ write: { path: 'picked.txt', text: 'sqlite' } }, good],
]

const isEndOfTurn = ({ direction, message }: { direction: string; message: object }): boolean =>
  direction === 'in' && 'stopReason' in ((message as { result?: object }).result ?? {})

/** What the record tells of a decision, stage by stage. */
const stages = async (run: RunInHouse): Promise<string[]> => {
  const told = (await run.events()).filter(
    ({ type }) => type.startsWith('decision.') || type === 'question.opened' || type === 'question.answered',
  )
  return told.map(({ type }) => type)
}

const WHOLE: RunEvent['type'][] = [
  'question.opened',
  'decision.proven',
  'question.answered',
  'decision.delivered',
  'decision.acknowledged',
  'decision.acted',
]

it.concurrent('[Q5] comes back to the session that raised it, as a message that needs no memory', async () => {
  const run = await (await asking(ROUND)).start()
  const card = await run.question()
  expect(card).toMatchObject({ cause: 'agent', headline: `dev: ${EXAMPLE_DECISION.headline}` })
  expect(card.decision?.options.map(({ key }) => key)).toEqual(['sqlite', 'redis'])
  await run.answer('sqlite', { note: 'One machine is enough.' })
  expect(await run.end()).toBe('done')
  const [, envelope = ''] = run.prompts()
  for (const part of [
    EXAMPLE_DECISION.headline,
    EXAMPLE_DECISION.question,
    'sqlite (SQLite file)',
    'One machine is enough.',
    'alice',
    'Do not ask this again',
  ])
    expect(envelope).toContain(part)
  expect((await run.all('session.opened')).length).toBe(1)
  expect(await stages(run)).toEqual(WHOLE)
  expect(await run.until('decision.acted')).toMatchObject({
    question: card.id,
    did: expect.stringContaining('picked.txt'),
  })
})

it.concurrent('[Q6] is delivered after a restart, by the session that is resumed', async () => {
  const house = await asking(ROUND)
  const run = await house.start()
  const { id } = await run.question()
  await eventually(() => house.wire.some(isEndOfTurn)).toBe(true)
  await house.restart()
  expect((await run.question()).id).toBe(id)
  await run.answer('redis')
  expect(await run.end()).toBe('done')
  expect(await stages(run)).toEqual(WHOLE)
  expect((await run.all('session.opened')).map(({ resumed }) => resumed)).toEqual([false, true])
})

it.concurrent('[Q5] is rejected with the contract and an example, and may be mended in the same turn', async () => {
  const house = await asking([
    [raise({ headline: 'x'.repeat(81), options: [] }), raise(), { say: 'I wait.' }],
    [good],
  ])
  const run = await house.start()
  await run.question()
  const said = JSON.stringify(house.wire)
  expect(said).toContain('may have 80 characters and has 81')
  await run.answer('sqlite')
  expect(await run.end()).toBe('done')
  expect((await run.all('question.opened')).length).toBe(1)
})

it.concurrent('[Q7] is answered by one of its options or in words, and words are never taken for an option', async () => {
  const house = await asking(ROUND)
  const run = await house.start()
  const { id: question } = await run.question()
  const answer = (given: object, note = '') =>
    house.host().command(run.id, {
      type: 'question.answer',
      at: Date.now(),
      question,
      by: { kind: 'person', name: 'bob' },
      extra: null,
      given: given as never,
      note,
    })
  expect(await answer({ kind: 'value', value: 'postgres' })).toMatchObject({
    refusal: { code: 'not-offered' },
  })
  expect(await answer({ kind: 'nothing' })).toMatchObject({ refusal: { code: 'invalid-answer' } })
  await answer({ kind: 'nothing' }, 'sqlite is what I do not want')
  expect(await run.end()).toBe('done')
  expect(run.prompts()[1]).toContain('They picked none of your options')
  expect(await answer({ kind: 'value', value: 'redis' })).toMatchObject({
    refusal: { code: 'already-answered' },
  })
})

it.concurrent('[Q8] may be waited for, for a bounded time, and is then not told twice', async () => {
  const wait = (seconds: number) => ({
    tool: { name: 'wait_decision', arguments: { decision: 'work#1.0?1', seconds } },
  })
  const house = await asking([[raise(), wait(0), wait(20), { run: 'true' }, good]])
  const run = await house.start()
  await run.question()
  await run.answer('sqlite')
  expect(await run.end()).toBe('done')
  expect(run.prompts()).toHaveLength(1)
  expect(await run.all('decision.delivered')).toMatchObject([{ via: 'wait' }])
  await eventually(() => stages(run)).toEqual(WHOLE)
})

it.concurrent('[Q9] that nobody answers in time is told as that, and is no answer', async () => {
  const house = await asking([[raise({ deadline: '1h' })], [good]])
  const run = await house.start()
  await run.question()
  house.clock.advance(3_600_000)
  expect(await run.end()).toBe('done')
  expect(await run.until('question.closed')).toMatchObject({ reason: 'expired' })
  expect(run.prompts()[1]).toContain('Nobody answered your decision')
})

it.concurrent('[Q9] [Q21] that lapses by the flow’s ladder is told as that, also where an earlier one was answered', async () => {
  const runbook = `
    deadline: { expire: 1h }
    steps: { work: { agent: dev, prompt: Keep sessions., time: 10m, stall: 5m, next: done } }`
  const turns: Turns = [
    [raise(), { say: 'I wait.' }],
    [raise({ headline: 'And the cache?' }), { say: 'I wait again.' }],
    [{ write: { path: 'own.txt', text: 'my own choice' } }, { say: 'FINISHED' }],
  ]
  const house = await asking(turns, { runbook })
  const run = await house.start()
  await run.question()
  await run.answer('sqlite')
  await run.until('question.opened', 2)
  house.clock.advance(3_600_000)
  expect(await run.end()).toBe('done')
  expect(run.prompts()[2]).toContain('Nobody answered your decision')
  expect(run.work.read('own.txt')).toBe('my own choice')
})

it.concurrent('[Q6] an agent that stays silent after its answer is a fault, never done', async () => {
  const run = await (await asking([[raise(), { say: 'I wait.' }], []])).start()
  await run.question()
  await run.answer('sqlite')
  expect(await run.until('member.faulted')).toMatchObject({
    fault: 'failed',
    detail: 'It ended its turn without a word and without a tool call.',
  })
  expect((await run.all('decision.acted')).length).toBe(0)
})
