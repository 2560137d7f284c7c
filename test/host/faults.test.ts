/** What an agent can do wrong without answering. An ended turn is not yet success. */
import { expect, it } from 'vitest'
import { type House, type HouseOptions, houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const good = { answer: { decision: 'good' }, via: 'file' } as const
const ON = 'on: { failed: abandoned, stalled: abandoned, timed_out: abandoned, invalid: abandoned }'
const ASKS = `steps: { judge: { agent: dev, options: { good: done, poor: abandoned }, ${ON} } }`
const WORKS = `steps: { judge: { agent: dev, next: done, ${ON} } }`

interface Falling extends HouseOptions {
  /** Time passes once this is so. */
  readonly when?: (house: House) => boolean
  readonly passMs?: number
}

const fallen = async ({ when = () => false, passMs = 0, ...options }: Falling) => {
  const house = await openHouse(options)
  const run = await house.start()
  if (passMs > 0) {
    await run.until('attempt.began')
    await eventually(() => when(house)).toBe(true)
    house.clock.advance(passMs)
  }
  const { fault, detail } = await run.until('member.faulted')
  expect(await run.end()).toBe('abandoned')
  await eventually(() => house.running()).toEqual([])
  return { run, fault, detail }
}

const HOUR_MS = 3_600_000
const completed = ({ wire }: House): number =>
  wire.filter(({ message }) => JSON.stringify(message).includes('"completed"')).length

/** As one whose model failed after a tool call, and that does not tell. */
const QUIET = [{ run: 'true' }, { say: '' }] as const

it.concurrent('[D5] [D29] an agent that worked and ended without a word is asked once, and says that it is done', async () => {
  const house = await openHouse({ runbook: WORKS, plays: { judge: [QUIET, [{ say: 'It is done.' }]] } })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(run.prompts()).toHaveLength(2)
  expect(run.prompts()[1]).toContain('nothing shows that your work is finished')
  expect((await run.all('session.opened')).length).toBe(1)
  expect(await run.all('turn.ended')).toMatchObject([{ said: '' }, { said: 'It is done.' }])
})

it.concurrent('[D5] [agents 8] one that stays silent is a fault, and its work is not taken for done', async () => {
  const { run, fault, detail } = await fallen({ runbook: WORKS, plays: { judge: [QUIET] } })
  expect([fault, detail]).toEqual(['failed', expect.stringContaining('Its model may have failed.')])
  expect(run.prompts()).toHaveLength(2)
})

it.concurrent('[D5] where an answer is asked, silence is told as a missing answer', async () => {
  const { run, fault } = await fallen({ runbook: ASKS, plays: { judge: [QUIET] } })
  expect(fault).toBe('invalid')
  expect(run.prompts().length).toBeGreaterThan(1)
})

it.concurrent('[D5] a turn without a word and without a deed is a fault, also where nothing is asked', async () => {
  for (const runbook of [ASKS, WORKS]) {
    const { fault, detail } = await fallen({ runbook, plays: { judge: [[]] } })
    expect([fault, detail]).toEqual(['failed', 'It ended its turn without a word and without a tool call.'])
  }
})

it.concurrent('[D5] a model error told as the last word is a fault, and so is a refusal or a turn that was cut off', async () => {
  const text = 'API Error: 529 {"type":"overloaded_error"}'
  const error = await fallen({ runbook: WORKS, plays: { judge: [[{ say: text }]] } })
  expect([error.fault, error.detail]).toEqual(['failed', `The model could not be reached: ${text}`])
  const refusal = await fallen({ runbook: WORKS, plays: { judge: [[{ say: 'No.' }, { stop: 'refusal' }]] } })
  expect(refusal.detail).toBe('The model refused to go on. No.')
  const cut = await fallen({ runbook: WORKS, plays: { judge: [[{ run: 'true' }, { stop: 'max_tokens' }]] } })
  expect(cut.detail).toContain('Its turn was cut off (max_tokens) before it was done.')
})

it.concurrent('a crash in the middle of a turn is a fault that says how it ended', async () => {
  const { fault, detail } = await fallen({
    runbook: ASKS,
    plays: { judge: [[{ run: 'true' }, { crash: 7 }]] },
  })
  expect(fault).toBe('failed')
  expect(detail).toContain('It ended in the middle of its turn.')
  expect(detail).toContain('The script says: crash with exit code 7.')
})

it.concurrent('a crash after the answer was given is none: the answer counts, and the record says how it ended', async () => {
  const reported = { answer: { decision: 'good' }, via: 'mcp' } as const
  for (const answer of [good, reported]) {
    const play = [{ write: { path: 'src/new.ts', text: '1' } }, answer, { crash: 7 }]
    const house = await openHouse({ runbook: ASKS, doors: true, plays: { judge: [play] } })
    const run = await house.start()
    expect(await run.end()).toBe('done')
    expect(await run.all('member.faulted')).toEqual([])
    expect((await run.until('answer.received')).via).toBe(answer.via)
    expect(await run.until('work.committed')).toMatchObject({ step: 'judge' })
    const { text } = await run.until('host.noted')
    expect(text).toContain('judge: dev had answered when it ended.')
    expect(text).toContain('exit code 7')
    await eventually(() => house.running()).toEqual([])
  }
})

it.concurrent('a crash after something that is no answer, or where none is asked for, is a fault', async () => {
  const file = 'echo not-json > "$SIGNALBOX_ANSWER_FILE"'
  const torn = await fallen({ runbook: ASKS, plays: { judge: [[{ run: file }, { crash: 7 }]] } })
  expect(torn.detail).toContain('It ended in the middle of its turn.')
  const unasked = await fallen({ runbook: WORKS, plays: { judge: [[good, { crash: 7 }]] } })
  expect(unasked.detail).toContain('It ended in the middle of its turn.')
})

it.concurrent('[D6] an agent that gives no sign of life is stopped, with what it started', async () => {
  const { fault, detail } = await fallen({
    runbook: WORKS.replace('next:', 'stall: 1h, next:'),
    plays: { judge: [[{ spawn: 'sleep 300' }, { hang: true }]] },
    when: (house) => house.running().length > 1,
    passMs: HOUR_MS,
  })
  expect(fault).toBe('stalled')
  expect(detail).toMatch(/^No output and no tool call for 36\d\d seconds\.$/)
})

it.concurrent('[D20] an agent that goes round in circles is told so in the same session, and then is stopped', async () => {
  const around = [
    { repeat: { times: 12, do: [{ run: 'cat a.txt' }, { run: 'true' }] } },
    { hang: true },
  ] as const
  const house = await openHouse({ runbook: WORKS, plays: { judge: [[...around]] } })
  const run = await house.start()
  for (const times of [24, 48]) {
    await eventually(() => completed(house)).toBe(times)
    house.clock.advance(10_000)
  }
  const { fault, detail } = await run.until('member.faulted')
  expect(fault).toBe('stalled')
  expect(detail).toContain('It made the same 2 tool calls in turn, 12 times: cat a.txt')
  expect(await run.end()).toBe('abandoned')
  expect(run.prompts()).toHaveLength(2)
  expect(run.prompts()[1]).toMatch(/^You have made the same 2 tool calls/)
  await eventually(() => house.running()).toEqual([])
})

it.concurrent('[D20] one that minds what it was told goes on, in the same attempt', async () => {
  const around = [{ repeat: { times: 12, do: [{ run: 'cat a.txt' }] } }, { hang: true }] as const
  const house = await openHouse({ runbook: ASKS, plays: { judge: [[...around], [good]] } })
  const run = await house.start()
  await eventually(() => completed(house)).toBe(12)
  house.clock.advance(10_000)
  expect(await run.end()).toBe('done')
  expect((await run.events()).filter(({ type }) => type === 'attempt.began')).toHaveLength(1)
})

it.concurrent('an agent out of working time is stopped in the middle', async () => {
  const { fault } = await fallen({
    runbook: WORKS.replace('next:', 'time: 1h, next:'),
    plays: { judge: [[{ repeat: { times: 1000, do: [{ run: 'true' }, { wait: 50 }] } }]] },
    when: (house) => completed(house) > 0,
    passMs: HOUR_MS,
  })
  expect(fault).toBe('timed_out')
})

it.concurrent('a wrong answer is told as often as it may be, and then is a fault', async () => {
  const { run, fault, detail } = await fallen({ runbook: ASKS, plays: { judge: [[{ say: 'Looks good.' }]] } })
  expect(fault).toBe('invalid')
  expect(detail).toContain('There was no answer.')
  expect(run.prompts()).toHaveLength(3)
})

it.concurrent('a person is asked where nobody wrote what a fault means, and the retry begins anew with their note', async () => {
  const house = await openHouse({
    runbook: 'steps: { judge: { agent: dev, options: { good: done, poor: abandoned } } }',
    plays: { 'judge#1': [[{ crash: 1 }]], judge: [[good]] },
  })
  const run = await house.start()
  expect(await run.question()).toMatchObject({ cause: 'fault', extras: ['@retry', '@stop'] })
  await run.answer(undefined, { extra: '@retry', note: 'Mind the gap' })
  expect(await run.end()).toBe('done')
  for (const part of [
    'a person has it tried again',
    'alice says: Mind the gap',
    'It ended as failed:\n\n```report by Signalbox and the programs it ran\nIt ended in',
  ])
    expect(run.prompts()[1]).toContain(part)
})

it.concurrent('a program that cannot be started is a fault at once, not a wait', async () => {
  const house = await openHouse({
    runbook: WORKS,
    programFor: (_, scripted) => ({ ...scripted, driver: 'acp', argv: ['/bin/false'] }),
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  expect((await run.until('member.faulted')).detail).toContain('scripted could not be started')
})

it.concurrent('an agent that ended in time is not late because its work is still being committed', async () => {
  const house = await openHouse({
    runbook: WORKS.replace('next:', 'time: 1h, next:'),
    files: { '.gitattributes': '*.slow filter=slow\n' },
    plays: { judge: [[{ write: { path: 'large.slow', text: '1' } }]] },
  })
  house.repo.git('config', 'filter.slow.clean', 'sleep 1; cat')
  const run = await house.start()
  await eventually(() => JSON.stringify(house.wire).includes('"end_turn"')).toBe(true)
  house.clock.advance(HOUR_MS)
  expect(await run.end()).toBe('done')
  expect(await run.all('member.faulted')).toEqual([])
})
