/** An agent that asks before it acts. */
import { expect, it } from 'vitest'
import type { RunCommand } from '../../src/model/command.ts'
import { type HouseOptions, houses } from './host.fixture.ts'
import { eventually, PERSON } from './run.fixture.ts'

const openHouse = houses()
const asking = (more: Partial<HouseOptions>) =>
  openHouse({
    runbook: 'steps: { work: { agent: dev, time: 10m, stall: 5m, next: done } }',
    plays: {
      work: [
        [
          {
            permission: { title: 'rm -rf build' },
            allowed: [{ write: { path: 'allowed.txt', text: '1' } }],
            rejected: [{ write: { path: 'rejected.txt', text: '1' } }],
          },
          { say: 'FINISHED' },
        ],
      ],
    },
    ...more,
  })

it.concurrent.each([
  ['allow_once', 'allowed.txt'],
  ['allow_always', 'allowed.txt'],
  ['reject_once', 'rejected.txt'],
])('asks a person, who picks %s, and the turn goes on', async (key, file) => {
  const house = await asking({ permissions: 'ask' })
  const run = await house.start()
  const card = await run.question()
  expect(card.decision).toMatchObject({ kind: 'permission', headline: 'rm -rf build', urgency: 'high' })
  // Hours of a person's time are neither working time nor silence of the agent.
  house.clock.advance(3_600_000)
  await run.answer({ pick: key })
  expect(await run.end()).toBe('done')
  expect(run.work.has(file)).toBe(true)
  expect(run.prompts()).toHaveLength(1)
  expect(await run.all('member.faulted')).toEqual([])
})

it.concurrent('[Q11] is given by the answer that stands, and not by one that was taken back at once', async () => {
  const house = await asking({ permissions: 'ask' })
  const run = await house.start()
  const { id: question } = await run.question()
  const at = house.clock.now()
  const said = { type: 'question.answer', at, by: PERSON, question, extra: null, note: '' } as const
  const say = (pick: string): RunCommand => ({ ...said, given: { kind: 'value', value: { pick } } })
  const tell = (command: RunCommand) => house.host().command(run.id, command)
  const told = await Promise.all([
    tell(say('allow_once')),
    tell({ type: 'decision.undo', at, by: PERSON, question }),
    tell(say('reject_once')),
  ])
  expect(told.map((result) => 'loaded' in result)).toEqual([true, true, true])
  expect(await run.end()).toBe('done')
  expect([run.work.has('allowed.txt'), run.work.has('rejected.txt')]).toEqual([false, true])
})

it.concurrent('[D8] is answered by the user’s rule where there is one', async () => {
  for (const [permissions, file] of [
    ['allow', 'allowed.txt'],
    ['reject', 'rejected.txt'],
  ] as const) {
    const run = await (await asking({ permissions })).start()
    expect(await run.end()).toBe('done')
    expect(run.work.has(file)).toBe(true)
    expect(await run.all('question.opened')).toEqual([])
  }
})

it.concurrent('asks a person where the rule is auto and there is no sandbox', async () => {
  const run = await (await asking({ permissions: 'auto' })).start()
  await run.answer({ pick: 'reject_once' })
  expect(await run.end()).toBe('done')
  expect(run.work.has('rejected.txt')).toBe(true)
})

it.concurrent('is asked again after a restart, by the session that was resumed', async () => {
  const house = await asking({ permissions: 'ask' })
  const run = await house.start()
  const first = await run.question()
  await house.restart()
  expect((await run.question()).id).toBe(first.id)
  await run.answer({ pick: 'allow_once' })
  await eventually(async () => (await run.question()).id === first.id).toBe(false)
  await run.answer({ pick: 'allow_once' })
  expect(await run.end()).toBe('done')
  expect(run.work.has('allowed.txt')).toBe(true)
})
