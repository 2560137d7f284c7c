/** Who waits for the day is found without reading those who do not, and one that cannot be read keeps no other waiting. */
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it } from 'vitest'
import { keptProgram } from '../../src/host/runs/kept-program.ts'
import { projectWith } from '../../src/host/runs/rebuild.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually, PERSON, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()
const DAY_MS = 86_400_000
const RUNBOOK = `
  steps:
    sign_off:
      decide: Begin?
      options: { go: { to: work }, no: { to: abandoned } }
    work: { agent: dev, next: more }
    more: { agent: dev, next: done }
`

/** A house with limits that can be changed between hosts, and the streams that its journal was asked to read. */
async function openedHouse() {
  const dayLimits: { costUsd: number; tokens: null } = { costUsd: 5, tokens: null }
  const reads: string[] = []
  const house = await openHouse({
    runbook: RUNBOOK,
    plays: { '': [[{ usage: { costUsd: 6, tokens: 100 } }, { say: 'FINISHED' }]] },
    dayLimits,
    journalOver: (journal) => ({
      ...journal,
      readIntact: (stream) => {
        reads.push(stream)
        return journal.readIntact(stream)
      },
      read: (stream, after) => {
        reads.push(stream)
        return journal.read(stream, after)
      },
    }),
  })
  // Not near midnight, whenever this is run.
  const noon = new Date(house.clock.now()).setHours(12, 0, 0, 0)
  house.clock.advance((noon + DAY_MS - house.clock.now()) % DAY_MS)
  const raise = () =>
    house.restart(() => {
      dayLimits.costUsd = 5000
    })
  return { house, reads, raise }
}

const parked = async (house: House): Promise<RunInHouse> => {
  const run = await house.start()
  await run.answer({ decision: 'go' })
  await run.until('attempt.parked')
  return run
}

const idle = async (house: House, count: number): Promise<readonly RunInHouse[]> => {
  const runs = await Promise.all(Array.from({ length: count }, () => house.start()))
  await Promise.all(runs.map((run) => run.question()))
  return runs
}

const answer = async (house: House, pick: string): Promise<void> => {
  const decisions = house.host().decisions(PERSON)
  const asked = async () => {
    const page = await decisions.list({ status: 'pending', cursor: null, limit: 50 })
    return 'problem' in page ? undefined : page.rows.find(({ id }) => id.startsWith('day-'))
  }
  await eventually(async () => (await asked()) !== undefined).toBe(true)
  const given = { note: '', fields: {}, edited: null, digest: null, together: false }
  await decisions.answer((await asked())!.id, { pick, ...given })
}

const unlikeRows = async (house: House) => {
  const { journal } = house.host()
  return (await journal.rowsUnlike(projectWith((digest) => keptProgram(journal, digest)))).differences
}

const streamsOf = (runs: readonly RunInHouse[]): string[] => runs.map(({ id }) => `run/${id}`)

it.concurrent('[A21] no run that waits for something else is read: not at a start, not when a person answers, not when somebody is parked', async () => {
  const { house, reads, raise } = await openedHouse()
  const others = streamsOf(await idle(house, 8))
  const first = await parked(house)
  expect(await unlikeRows(house)).toEqual([])
  await house.restart()
  reads.length = 0
  const second = await parked(house)
  await answer(house, 'raise')
  expect(await Promise.any([first.end(), second.end()])).toBe('done')
  await raise()
  expect([await first.end(), await second.end()]).toEqual(['done', 'done'])
  expect(reads.filter((stream) => others.includes(stream))).toEqual([])
  expect(reads).toContain(`run/${first.id}`)
  expect(await unlikeRows(house)).toEqual([])
})

it.concurrent('[A21] [J9] a run whose record was changed keeps no other waiting for a day that is open again', async () => {
  const { house, raise } = await openedHouse()
  const [whole, , last] = [await parked(house), house.clock.advance(1000), await parked(house)]
  await house.restart(() => {
    const db = new DatabaseSync(house.home.database)
    const changed = db
      .prepare(
        'UPDATE events SET data = replace(data, \'"at":\', \'"at":1\') WHERE version = 1 AND stream = (SELECT id FROM streams WHERE name = ?)',
      )
      .run(`run/${last.id}`)
    expect(Number(changed.changes)).toBe(1)
    db.close()
  })
  await raise()
  expect(await whole.end()).toBe('done')
  expect(house.bugs.map(String)).toContainEqual(expect.stringContaining(`run/${last.id}`))
  house.bugs.length = 0
})
