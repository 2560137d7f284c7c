/** Hours in which only what is urgent is told; the rest waits until they are over. */
import { addWorkingTime, WEEKDAYS } from '../../model/working-hours.ts'

export interface QuietHours {
  /** An IANA name: `Europe/Vienna`. */
  readonly zone: string
  /** Minutes since midnight by the zone's clocks. An end before the beginning is on the next day. */
  readonly fromMinute: number
  readonly toMinute: number
}

const DAY_MINUTES = 1440

/** The first moment from `at` on that is not quiet. */
export function afterQuiet(at: number, { zone, fromMinute, toMinute }: QuietHours): number {
  const loud: readonly (readonly [from: number, to: number])[] =
    toMinute < fromMinute
      ? [[toMinute, fromMinute]]
      : [
          [0, fromMinute],
          [toMinute, DAY_MINUTES],
        ]
  const moments = loud
    .filter(([from, to]) => from < to)
    .map(([from, to]) => addWorkingTime(at, 0, { zone, fromMinute: from, toMinute: to, days: WEEKDAYS }))
  return Math.min(...moments)
}
