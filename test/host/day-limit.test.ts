/** What all runs of a day may use together: beyond it they wait, a person is asked once, and nothing is forgotten. */
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it } from 'vitest'
import type { PersonAnswer } from '../../src/host/inbox/decisions.ts'
import type { DayLimits } from '../../src/model/spending.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually, PERSON } from './run.fixture.ts'

const openHouse = houses()
const WORK = 'steps: { work: { agent: dev, next: more }, more: { agent: dev, next: done } }'
const spend = (costUsd: number) => [{ usage: { costUsd, tokens: 100 } }, { say: 'FINISHED' }]
type Writable<T> = { -readonly [K in keyof T]: T[K] }
const DAY_MS = 86_400_000

const pending = async (house: House) => {
  const page = await house.host().decisions(PERSON).list({ status: 'pending', cursor: null, limit: 9 })
  if ('problem' in page) throw new Error(page.problem)
  return page.rows
}

const answer = async (house: House, pick: string, { holdMs = 0, note = '' } = {}) => {
  await eventually(async () => (await pending(house)).length).toBe(1)
  const [asked] = await pending(house)
  const given: PersonAnswer = {
    ...(holdMs === 0 ? {} : { holdMs }),
    pick,
    note,
    fields: {},
    edited: null,
    digest: null,
    together: false,
  }
  expect(await house.host().decisions(PERSON).answer(asked!.id, given)).toMatchObject({
    answered: [asked!.id],
  })
  return asked!.id
}

const decision = async (house: House, id: string) => {
  const shown = await house.host().decisions(PERSON).show(id)
  if ('problem' in shown) throw new Error(shown.problem)
  return shown
}

// Not near midnight, whenever this is run.
const untilNoon = ({ clock }: House) => {
  const noon = new Date(clock.now()).setHours(12, 0, 0, 0)
  clock.advance((noon + DAY_MS - clock.now()) % DAY_MS)
}

async function usedUp(used = 6) {
  const dayLimits: Writable<DayLimits> = { costUsd: 5, tokens: null }
  const house = await openHouse({
    runbook: WORK,
    plays: { work: [spend(used)], more: [spend(6)] },
    dayLimits,
  })
  untilNoon(house)
  const run = await house.start()
  const parked = await run.until('attempt.parked')
  return { house, run, parked, dayLimits }
}

it.concurrent('[A21] whoever would begin beyond it is parked until tomorrow, a person is asked once, and a restart changes nothing', async () => {
  const { house, run, parked } = await usedUp()
  const { until } = parked
  expect(new Date(until).getHours()).toBe(0)
  expect(until - house.clock.now()).toBeLessThanOrEqual(DAY_MS)
  expect(await house.host().spending()).toEqual({
    limits: { costUsd: 5, tokens: null },
    spent: { costUsd: 6, tokens: 100, unpriced: 0 },
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
  expect((await house.host().spending()).limits.costUsd).toBe(11)
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

it.concurrent('[A21] [Q11] who lets them wait can take that back for as long as the day lasts, and allow more', async () => {
  const { house, run } = await usedUp()
  const id = await answer(house, 'wait')
  await house.restart()
  const decisions = house.host().decisions(PERSON)
  // Whoever heard of it has changed nothing.
  expect(await decisions.wait(id, 1_000)).toMatchObject({ pick: 'wait' })
  expect(await decisions.undo(id)).toMatchObject({ undone: [id] })
  expect(await answer(house, 'raise')).toBe(id)
  expect(await run.end()).toBe('done')
})

it.concurrent('[A21] when the day is over it has been followed, and one that lies with a person again is taken away', async () => {
  const { house, run, parked } = await usedUp()
  const id = await answer(house, 'wait')
  await house.restart()
  house.clock.advance(parked.until - house.clock.now())
  expect(await run.end()).toBe('done')
  await eventually(async () => (await decision(house, id)).status).toBe('acted')
  expect(await house.host().decisions(PERSON).undo(id)).toMatchObject({ code: 'too-late' })

  const other = await usedUp()
  const open = await answer(other.house, 'wait')
  other.house.clock.advance(60 * 60_000)
  await other.house.host().decisions(PERSON).undo(open)
  other.house.clock.advance(other.parked.until - other.house.clock.now())
  expect(await other.run.end()).toBe('done')
  await eventually(async () => (await decision(other.house, open)).status).toBe('withdrawn')
})

it.concurrent('[A21] who takes that back when more is allowed by then is asked nothing', async () => {
  const { house, run, dayLimits } = await usedUp()
  const id = await answer(house, 'wait')
  dayLimits.costUsd = 100
  await house.restart()
  expect(await run.end()).toBe('done')
  await house.host().decisions(PERSON).undo(id)
  await eventually(async () => (await decision(house, id)).status).toBe('withdrawn')
})

it.concurrent('[A21] or are ended, if a person says so', async () => {
  const { house, run } = await usedUp()
  await answer(house, 'stop')
  expect(await run.end()).toBe('cancelled')
  expect((await house.host().spending()).spent.costUsd).toBe(6)
})

it.concurrent('[A21] [J9] a run that could not be looked at is ended once it can be, and others are at once', async () => {
  const { house, run } = await usedUp()
  const other = await house.start()
  await other.until('attempt.parked')
  const wayBack = (last: number | bigint) => {
    const db = new DatabaseSync(house.home.database)
    const name = `run/${run.id}`
    const { last: was } = db.prepare('SELECT last FROM streams WHERE name = ?').get(name) as { last: number }
    db.prepare('UPDATE streams SET last = ? WHERE name = ?').run(last, name)
    db.close()
    return was
  }
  let was = 0
  await house.restart(() => {
    was = wayBack(1)
  })
  const id = await answer(house, 'stop')
  expect(await other.end()).toBe('cancelled')
  await eventually(async () => house.bugs.length).toBe(1)
  expect(await decision(house, id)).toMatchObject({ status: 'delivered' })
  await house.restart(() => {
    wayBack(was)
  })
  expect(await run.end()).toBe('cancelled')
  await eventually(async () => (await decision(house, id)).status).toBe('acted')
  house.bugs.length = 0
})

it.concurrent('[A21] as much again opens it, however far beyond it is', async () => {
  const { house, run } = await usedUp(400)
  await answer(house, 'raise')
  expect(await run.end()).toBe('done')
  expect((await house.host().spending()).limits.costUsd).toBe(405)
  // What was allowed stays allowed.
  await house.restart()
  expect((await house.host().spending()).limits.costUsd).toBe(405)
})

it.concurrent('[A21] a limit that the config raises is followed when the host begins: who waits goes on, and nothing is asked', async () => {
  const { house, run, dayLimits } = await usedUp()
  await eventually(async () => (await pending(house)).length).toBe(1)
  const [asked] = await pending(house)
  await house.restart(() => {
    dayLimits.costUsd = 5000
  })
  expect(await run.end()).toBe('done')
  expect(await pending(house)).toEqual([])
  expect(await decision(house, asked!.id)).toMatchObject({ status: 'withdrawn' })
  // And used up again it is asked anew.
  await house.restart(() => {
    dayLimits.costUsd = 8
  })
  const other = await house.start()
  await other.until('attempt.parked')
  await eventually(async () => (await pending(house)).length).toBe(1)
})

it.concurrent('[A21] one that the config takes away is followed, too, also by those whom a person let wait', async () => {
  const { house, run, dayLimits } = await usedUp()
  const id = await answer(house, 'wait')
  expect(await decision(house, id)).toMatchObject({ status: 'answered', pick: 'wait' })
  await house.restart(() => {
    dayLimits.costUsd = null
  })
  expect(await run.end()).toBe('done')
})

it.concurrent('[A21] one that is raised by too little asks anew, by what holds now', async () => {
  const { house, dayLimits } = await usedUp()
  await answer(house, 'wait')
  await house.restart(() => {
    dayLimits.costUsd = 6
  })
  await eventually(async () => (await pending(house)).length).toBe(1)
})

it.concurrent('[A21] an answer that counts only after midnight is followed then', async () => {
  const { house, run, parked } = await usedUp()
  house.clock.advance(parked.until - 3000 - house.clock.now())
  const id = await answer(house, 'stop', { holdMs: 5000 })
  house.clock.advance(6000)
  expect(await run.end()).toBe('cancelled')
  await eventually(async () => (await decision(house, id)).status).toBe('acted')
})

it.concurrent('[A21] whom a limit of its own model has parked is not ended by it', async () => {
  const house = await openHouse({ runbook: WORK, dayLimits: { costUsd: 5, tokens: null } })
  untilNoon(house)
  const midnight = new Date(new Date(house.clock.now()).setHours(24, 0, 0, 0)).toISOString()
  const limit = { text: `Usage limit reached. Your limit resets at ${midnight}.` }
  house.rehearse({ work: [[{ run: 'true' }, { limit }]] })
  const other = await house.start()
  const { until } = await other.until('attempt.parked')
  house.rehearse({ work: [spend(6)] })
  const run = await house.start()
  expect(await run.until('attempt.parked')).toMatchObject({ until, reason: 'day-limit' })
  const id = await answer(house, 'stop')
  expect(await run.end()).toBe('cancelled')
  await eventually(async () => (await decision(house, id)).status).toBe('acted')
  expect(await other.all('run.ended')).toEqual([])
})

it.concurrent('[A25] what no turn can use is told of its run, and closes the day for nobody', async () => {
  const house = await openHouse({
    runbook: WORK,
    plays: { work: [spend(1e9)], more: [spend(0)] },
    dayLimits: { costUsd: 5, tokens: null },
  })
  untilNoon(house)
  const bad = await house.start()
  expect(await bad.end()).toBe('done')
  const doubts = (await bad.all('usage.recorded')).flatMap(({ doubted }) => doubted?.said ?? [])
  expect(doubts[0]).toBe('$1000000000 and 100 tokens')
  house.rehearse({ '': [spend(0.01)] })
  const good = await house.start()
  expect(await good.end()).toBe('done')
  expect(await house.host().spending()).toMatchObject({ spent: { costUsd: 0.02 }, closedUntil: null })
})

it.concurrent('[A21] [Q7] words are not taken for an option, and who takes the question away is asked again', async () => {
  const { house, run } = await usedUp()
  const asked = async (but: readonly string[]) => {
    await eventually(async () => (await pending(house)).filter(({ id }) => !but.includes(id)).length).toBe(1)
    return (await pending(house))[0]!.id
  }
  const first = await answer(house, '', { note: 'Raise it, please, to $50' })
  const second = await asked([first])
  expect(await decision(house, first)).toMatchObject({
    status: 'acted',
    did: expect.stringContaining('again'),
  })
  await house.host().decisions(PERSON).withdraw(second, '')
  await asked([first, second])
  await answer(house, 'raise')
  expect(await run.end()).toBe('done')
})
