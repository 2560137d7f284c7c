/** What is left of the bounds that the routes of a step draw on. */
import { isFault } from '../../model/fault.ts'
import type { Program } from '../../model/program.ts'
import type { Purse } from '../../model/route.ts'

export interface BoundLeft {
  readonly outcome: string
  readonly left: number
  readonly times: number
}

/** Of the outcomes that somebody gives; faults have theirs, and nobody plans with them. */
export function boundsLeft(
  program: Program | null,
  step: string | null,
  { counters }: Pick<Purse, 'counters'>,
): readonly BoundLeft[] {
  const routes = step === null ? {} : (program?.steps[step]?.routes ?? {})
  return Object.entries(routes).flatMap(([outcome, { arms }]) =>
    arms.flatMap(({ bound }) =>
      bound?.kind === 'max' && !isFault(outcome)
        ? [{ outcome, times: bound.times, left: Math.max(0, bound.times - (counters[bound.counter] ?? 0)) }]
        : [],
    ),
  )
}
