/** What all runs of a day may use together: beyond it they wait, a person is asked once, and nothing is forgotten. */
import { expect, it } from 'vitest'
import type { PersonAnswer } from '../../src/host/inbox/decisions.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually, PERSON } from './run.fixture.ts'

const openHouse = houses()
const WORK = 'steps: { work: { agent: dev, next: more }, more: { agent: dev, next: done } }'
const spend = (costUsd: number) => [{ usage: { costUsd, tokens: 100 } }, { say: 'Done.' }]
const DAY_MS = 86_400_000

const pending = async (house: House) => {
  const page = await house.host().decisions(PERSON).list({ status: 'pending', cursor: null, limit: 9 })
  if ('problem' in page) throw new Error(page.problem)
  return page.rows
}

const answer = async (house: House, pick: string) => {
  const [asked] = await pending(house)
  const given: PersonAnswer = {
    pick,
    note: '',
    fields: {},
    edited: null,
    digest: null,
    together: false,
  }
  expect(await house.host().decisions(PERSON).answer(asked!.id, given)).toMatchObject({
    answered: [asked!.id],
  })
}

async function usedUp() {
  const house = await openHouse({
    runbook: WORK,
    plays: { work: [spend(6)], more: [spend(6)] },
    dayLimits: { costUsd: 5, tokens: null },
  })
  // Not near midnight, whenever this is run.
  const noon = new Date(house.clock.now()).setHours(12, 0, 0, 0)
  house.clock.advance((noon + DAY_MS - house.clock.now()) % DAY_MS)
  const run = await house.start()
  const parked = await run.until('attempt.parked')
  return { house, run, parked }
}

it.concurrent('[A21] whoever would begin beyond it is parked until tomorrow, a person is asked once, and a restart changes nothing', async () => {
  const { house, run, parked } = await usedUp()
  const { until } = parked
  expect(new Date(until).getHours()).toBe(0)
  expect(until - house.clock.now()).toBeLessThanOrEqual(DAY_MS)
  expect(await house.host().spending()).toEqual({
    limits: { costUsd: 5, tokens: null },
    spent: { costUsd: 6, tokens: 100 },
    closedUntil: until,
  })
  await house.restart()
  // Another run does not begin either, and nobody is asked again.
  const other = await house.start()
  await other.until('attempt.parked')
  expect(other.prompts()).toEqual([])
  expect(await pending(house)).toMatchObject([{ headline: expect.stringContaining('limit of today') }])
  await answer(house, 'raise')
  expect(await run.end()).toBe('done')
  expect((await house.host().spending()).limits.costUsd).toBe(10)
  // The first has used 12 by now: the other is stopped at that, and asks anew.
  await other.until('attempt.parked', 2)
  await eventually(async () => (await pending(house)).length).toBe(1)
})

it.concurrent('[A21] they go on by themselves on the next day, whoever decides to wait', async () => {
  const { house, run, parked } = await usedUp()
  await answer(house, 'wait')
  house.clock.advance(parked.until - house.clock.now())
  expect(await run.end()).toBe('done')
})

it.concurrent('[A21] or are ended, if a person says so', async () => {
  const { house, run } = await usedUp()
  await answer(house, 'stop')
  expect(await run.end()).toBe('cancelled')
  expect((await house.host().spending()).spent.costUsd).toBe(6)
})
