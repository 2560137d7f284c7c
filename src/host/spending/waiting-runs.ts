/** The runs that wait for the day to be over, or for more to be allowed. */
import type { Journal } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { Address } from '../../model/command.ts'
import { type AskedDay, waitedForEnd } from '../../model/day-question.ts'
import type { RunEvent } from '../../model/event.ts'
import type { Clock } from '../machine/clock.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { RUNS } from '../runs/projection.ts'
import type { Runs } from '../runs/runs.ts'
import { apart, type Tell } from '../streams/apart.ts'

interface Needs {
  readonly journal: Pick<Journal, 'list'>
  readonly runs: Runs
  readonly clock: Clock
  readonly onBug: Tell
}

const PAGE = 200

/** How many agents go on. */
export async function wakeWaiting(needs: Needs): Promise<number> {
  let count = 0
  await eachOpen(needs, async (loaded) => {
    for (const address of waitingIn(loaded)) {
      const woken = await needs.runs.execute(loaded.run, [
        { type: 'attempt.wake', at: needs.clock.now(), ...address },
      ])
      if ('loaded' in woken) count++
    }
  })
  return count
}

/** How many runs are ended: those that wait for this day, or did so until it was over. */
export async function endWaiting(
  needs: Needs,
  { day, by }: { readonly day: AskedDay; readonly by: Actor },
): Promise<number> {
  const { runs, clock } = needs
  const isOver = clock.now() >= day.endAt
  let count = 0
  await eachOpen(needs, async (loaded) => {
    const { run } = loaded
    const waits = isOver ? waitedForEnd(await eventsOf(runs, run), day) : waitingIn(loaded).length > 0
    if (!waits) return
    const reason = 'the limit of the day is used up'
    const ended = await runs.execute(run, [{ type: 'run.cancel', at: clock.now(), by, reason }])
    if ('loaded' in ended) count++
  })
  return count
}

export async function isAnyWaiting(needs: Needs): Promise<boolean> {
  let isWaiting = false
  await eachOpen(needs, async (loaded) => {
    isWaiting ||= waitingIn(loaded).length > 0
  })
  return isWaiting
}

/** Whom a limit of its model has parked waits for something else. */
function waitingIn({ state: { current } }: LoadedRun): Address[] {
  return (current?.members ?? []).flatMap(({ status, parkedFor, attempt }, member) =>
    status === 'parked' && parkedFor === 'day-limit'
      ? [{ step: current!.step, visit: current!.number, member, attempt }]
      : [],
  )
}

async function eachOpen(
  { journal, runs, onBug }: Needs,
  act: (loaded: LoadedRun) => Promise<void>,
): Promise<void> {
  // All keys first: what is done about a run moves its row.
  const keys: string[] = []
  for (let before: { rank: number; key: string } | null = null; ; ) {
    const rows = await journal.list({ model: RUNS, facet: 'open', before, limit: PAGE })
    keys.push(...rows.map(({ key }) => key))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) break
    before = { rank: last.rank, key: last.key }
  }
  const actOn = async (key: string): Promise<void> => {
    const loaded = await runs.load(key)
    if (loaded !== null) await act(loaded)
  }
  await apart(keys, actOn, onBug)
}

const eventsOf = async (runs: Runs, run: string): Promise<readonly RunEvent[]> =>
  (await runs.events(run)).map(({ data }) => data as RunEvent)
