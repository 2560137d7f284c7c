/**
 * The question that a person is asked when what all runs may use in a day is used up. A question stands for a day, the
 * limits of the config then, and what was allowed before it; so asking twice is asking once, and other limits ask anew.
 */
import type { DecisionRecord } from './decision-record.ts'
import { digestOf } from './digest.ts'
import type { RunEvent } from './event.ts'
import type { DayLimits } from './spending.ts'

export interface AskedDay {
  /** By the calendar. */
  readonly name: string
  readonly startAt: number
  readonly endAt: number
}

/** `again`: what was said is none of the options as they were put, and is not taken for one. */
export type DayPick = 'raise' | 'wait' | 'stop' | 'again'

/** What the record says was done about it. */
export const DAY_DEEDS: Readonly<Record<DayPick, (count: number) => string>> = {
  raise: (count) => `went on with ${count}`,
  wait: () => 'waits',
  stop: (count) => `ended ${count}`,
  again: () => 'asks again: only its options, as they stand, are followed',
}

/** No id of a question that somebody else asks begins so. */
export const DAY_QUESTION_PREFIX = 'day-'

export const dayQuestionId = ({ name }: Pick<AskedDay, 'name'>, limits: DayLimits, nth: number): string =>
  `${DAY_QUESTION_PREFIX}${name}-${digestOf([limits.costUsd, limits.tokens]).slice(0, 4)}-${nth + 1}`

export const isDayQuestion = (id: string): boolean => id.startsWith(DAY_QUESTION_PREFIX)

type Told = Pick<DecisionRecord, 'status' | 'by' | 'pick' | 'edited' | 'undoableUntil' | 'stages'>

/** An answer that is still to be followed, however long ago it was given; null: none, or not any more. */
export function dueAnswer(told: Told): DayPick | null {
  const { status, by, undoableUntil } = told
  const isUnderWay = status === 'answered' || status === 'delivered' || status === 'acknowledged'
  if (by === null || undoableUntil !== undefined || !isUnderWay) return null
  return pickOf(told)
}

const pickOf = ({ pick, edited }: Pick<Told, 'pick' | 'edited'>): DayPick =>
  edited === null && (pick === 'raise' || pick === 'wait' || pick === 'stop') ? pick : 'again'

/**
 * What becomes of the next who would begin. `asked`: it lies with a person, or they let it wait. `raised`: more may be used
 * since then. `gone`: nobody decided, and nobody is asked any more.
 */
export type DayStanding =
  | { readonly kind: 'asked' }
  | { readonly kind: 'raised'; readonly at: number }
  | { readonly kind: 'gone' }

export function dayStanding(told: Told): DayStanding {
  const { status, stages } = told
  if (status === 'withdrawn' || status === 'superseded') return { kind: 'gone' }
  const delivered = stages.find((stage) => stage.status === 'delivered')
  if (delivered !== undefined && pickOf(told) === 'again') return { kind: 'gone' }
  return delivered !== undefined && pickOf(told) === 'raise'
    ? { kind: 'raised', at: delivered.at }
    : { kind: 'asked' }
}

/** Whether somebody in this run waited for the day to end, to the last: also if they have gone on since. */
export function waitedForEnd(events: readonly RunEvent[], day: AskedDay): boolean {
  const waiting = new Set<number>()
  for (const event of events) {
    if (event.type === 'attempt.parked' && event.reason === 'day-limit' && isIn(day, event.at))
      waiting.add(event.member)
    else if (event.type === 'attempt.woken' && isIn(day, event.at)) waiting.delete(event.member)
    else if (event.type === 'visit.left' && isIn(day, event.at)) waiting.clear()
  }
  return waiting.size > 0
}

const isIn = ({ startAt, endAt }: AskedDay, at: number): boolean => at >= startAt && at < endAt
