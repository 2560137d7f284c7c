/** An inbox of many open decisions: its first page, and how fast it can be answered empty. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Decisions } from '../src/host/inbox/decisions.ts'
import { systemClock } from '../src/host/machine/clock.ts'
import { homeAt } from '../src/host/machine/home.ts'
import { openQuietHost } from '../src/host/quiet-host.fixture.ts'
import { openSqliteJournal } from '../src/journal/index.ts'
import { EXAMPLE_DECISION } from '../src/model/decision.ts'
import { type Spread, spreadOf } from './spread.ts'

const PAGE = 50
const LOOKS = 300
const AT_ONCE = 50
const ANSWERS = 1_000

export interface InboxTimes {
  /** Milliseconds for the first page. */
  readonly page: Spread
  /** Answers a second: one after the other, and fifty at once. */
  readonly sequential: number
  readonly atOnce: number
}

export async function inboxTimes(open: number): Promise<InboxTimes> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  const home = homeAt(dir)
  const journal = await openSqliteJournal({ file: home.database })
  const host = openQuietHost({ journal, home, clock: systemClock, onBug: console.error })
  try {
    const desk = host.decisions({ kind: 'person', name: 'bench' })
    const ids = await raiseMany(desk, open)
    const page = spreadOf(await looks(desk))
    const [some, more] = [ids.slice(0, ANSWERS / 2), ids.slice(ANSWERS / 2, ANSWERS)]
    return {
      page,
      sequential: await answersASecond(desk, some, 1),
      atOnce: await answersASecond(desk, more, AT_ONCE),
    }
  } finally {
    await host.close()
    await journal.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** No two alike, as in an inbox. */
export async function raiseMany(desk: Decisions, count: number): Promise<string[]> {
  const ids: string[] = []
  const asker = { agent: 'bench', program: 'bench', version: '', model: '' }
  const one = async (nth: number): Promise<void> => {
    const payload = { ...EXAMPLE_DECISION, headline: `Question ${nth}` }
    const made = await desk.create({ payload, asker, door: 'http', resume: null, repo: '' })
    if ('problem' in made) throw new Error(made.problem)
    ids.push(made.id)
  }
  for (let nth = 0; nth < count; nth += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - nth) }, (_, each) => one(nth + each)))
  return ids
}

async function looks(desk: Decisions): Promise<number[]> {
  const took: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    const began = performance.now()
    const page = await desk.list({ status: 'pending', cursor: null, limit: PAGE })
    took.push(performance.now() - began)
    if ('problem' in page || page.rows.length !== PAGE) throw new Error('the page is not there')
  }
  return took
}

async function answersASecond(desk: Decisions, ids: readonly string[], atOnce: number): Promise<number> {
  const left = ids.slice()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const answer = { pick: 'sqlite', note: '', fields: {}, edited: null, digest: null, together: false }
        const done = await desk.answer(id, answer)
        if ('problem' in done) throw new Error(done.problem)
      }
    }),
  )
  return ids.length / ((performance.now() - began) / 1000)
}
