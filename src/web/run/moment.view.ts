/** A run as it was after so many of its events, folded by the engine's own function. */
import { evolve } from '../../engine/evolve.ts'
import { NEW_RUN, type RunState } from '../../engine/state.ts'
import { type RunView, runView } from '../../engine/views/run.ts'
import type { TimedEvent } from './axis.view.ts'

export interface RunMoment {
  readonly state: RunState
  /** Its events up to then. */
  readonly events: readonly TimedEvent[]
  readonly version: number
  /** Of how many there are. */
  readonly latest: number
  readonly isNow: boolean
  readonly at: number
}

export function momentOf(events: readonly TimedEvent[], version: number | undefined): RunMoment {
  const latest = events.length
  const until = Math.min(version ?? latest, latest)
  const shown = events.slice(0, until)
  return {
    state: shown.reduce((state, { event }) => evolve(state, event), NEW_RUN),
    events: shown,
    version: until,
    latest,
    isNow: until === latest,
    at: shown.at(-1)?.event.at ?? 0,
  }
}

export interface SpentTime {
  readonly workingMs: number
  readonly waitingMs: number
}

/** How long it worked and how long it lay with people, until now where it goes on. */
export function spentTime(events: readonly TimedEvent[], now: number): SpentTime {
  const spent: Record<RunView['status'], number> = {
    new: 0,
    working: 0,
    waiting: 0,
    parked: 0,
    taken: 0,
    ended: 0,
  }
  let state = NEW_RUN
  for (const [index, { event }] of events.entries()) {
    state = evolve(state, event)
    const until = events[index + 1]?.event.at ?? now
    spent[runView(state).status] += Math.max(0, until - event.at)
  }
  return { workingMs: spent.working, waitingMs: spent.waiting + spent.taken }
}
