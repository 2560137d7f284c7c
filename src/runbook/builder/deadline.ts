/** How long a question waits, and who is told of it meanwhile. */
import type { Weekday } from '../../model/working-hours.ts'
import type { Duration } from './work.ts'

export interface WrittenDeadline {
  /** When to remind the person, counted from the question. */
  readonly remind?: Duration | readonly Duration[]
  /** When the question goes to somebody else. */
  readonly reroute?: Reroute | readonly Reroute[]
  /** When the question counts as `expired`. Silence is never taken as an answer. */
  readonly expire?: Duration
  /** Only this time counts: `1d` is then 24 hours of it. Every hour counts by default. */
  readonly hours?: Hours
}

interface Reroute {
  /** When, counted from the question. */
  readonly after: Duration
  /** Who: the name of a person, or `@` and the name of a group. */
  readonly to: string
}

interface Hours {
  /** The time zone, by its IANA name. */
  readonly zone: string
  /** When the day begins, by the clocks there. */
  readonly from: TimeOfDay
  /** When it ends, on the same day; `24:00` at the latest. */
  readonly to: TimeOfDay
  /** The days that count. Monday to Friday by default. */
  readonly days?: readonly Weekday[]
}

type TimeOfDay = `${number}:${number}`
