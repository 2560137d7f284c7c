/** Which runs have a landing without a recorded end: a host that starts reads those runs and no others. */
import type { Row } from '../../journal/index.ts'
import type { EventOf } from '../../model/event.ts'

export const LANDINGS = 'landing'

interface Landing {
  readonly run: string
  readonly landing: EventOf<'landing.begun'> | null
}

export const UNSETTLED = 'begun'

export function landingRows({ run: key, landing }: Landing, before: Landing | null): Row[] {
  if (landing === (before?.landing ?? null)) return []
  // A row without data is removed.
  return [
    { model: LANDINGS, key, facet: UNSETTLED, rank: landing?.at ?? 0, data: landing === null ? null : {} },
  ]
}
