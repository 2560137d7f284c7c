/** What becomes of the runs that wait for the day to be over, or for more to be allowed. */
import type { Journal } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import { type AskedDay, waitedForEnd } from '../../model/day-question.ts'
import type { RunEvent } from '../../model/event.ts'
import type { Clock } from '../machine/clock.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Runs } from '../runs/runs.ts'
import { apart, type Tell } from '../streams/apart.ts'
import { parkedRunsSince, waitingIn, waitingRuns } from './day-wait-rows.ts'

interface Needs {
  readonly journal: Pick<Journal, 'list' | 'count'>
  readonly runs: Runs
  readonly clock: Clock
  readonly onBug: Tell
}

/** How many agents go on. */
export async function wakeWaiting(needs: Needs): Promise<number> {
  const { journal, runs, clock } = needs
  let count = 0
  await eachOf(await waitingRuns(journal), needs, async (loaded) => {
    for (const address of waitingIn(loaded)) {
      const woken = await runs.execute(loaded.run, [{ type: 'attempt.wake', at: clock.now(), ...address }])
      if ('loaded' in woken) count++
    }
  })
  return count
}

/**
 * How many runs are ended: those that wait for this day, or did so until it was over. Where one could not be looked at, that is
 * thrown when all others are ended: it may be readable again one day, and must not go on then.
 */
export async function endWaiting(
  needs: Needs,
  { day, by }: { readonly day: AskedDay; readonly by: Actor },
): Promise<number> {
  const { journal, runs, clock } = needs
  const isOver = clock.now() >= day.endAt
  let count = 0
  const keys = isOver ? await parkedRunsSince(journal, day.startAt) : await waitingRuns(journal)
  const missed: unknown[] = []
  await eachOf(keys, { runs, onBug: (error) => missed.push(error) }, async (loaded) => {
    const { run } = loaded
    const waits = isOver ? waitedForEnd(await eventsOf(runs, run), day) : waitingIn(loaded).length > 0
    if (!waits) return
    const reason = 'the limit of the day is used up'
    const ended = await runs.execute(run, [{ type: 'run.cancel', at: clock.now(), by, reason }])
    if ('loaded' in ended) count++
  })
  const [first, ...others] = missed
  for (const error of others) needs.onBug(error)
  if (first !== undefined) throw first
  return count
}

const eachOf = (
  keys: readonly string[],
  { runs, onBug }: Pick<Needs, 'onBug' | 'runs'>,
  act: (loaded: LoadedRun) => Promise<void>,
): Promise<void> => {
  const actOn = async (key: string): Promise<void> => {
    const loaded = await runs.load(key)
    if (loaded !== null) await act(loaded)
  }
  return apart(keys, actOn, onBug)
}

const eventsOf = async (runs: Runs, run: string): Promise<readonly RunEvent[]> =>
  (await runs.events(run)).map(({ data }) => data as RunEvent)
