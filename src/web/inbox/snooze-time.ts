/** Until when a decision can be put off, by a person's own clock. */

export interface SnoozeTime {
  readonly label: string
  readonly until: number
}

const HOUR_MS = 60 * 60 * 1000
const MORNING = 9

export function snoozeTimes(now: number): readonly SnoozeTime[] {
  return [
    { label: 'For an hour', until: now + HOUR_MS },
    { label: 'For three hours', until: now + 3 * HOUR_MS },
    { label: 'Until tomorrow morning', until: morningIn(now, 1) },
    { label: 'Until Monday morning', until: morningIn(now, daysToMonday(now)) },
  ]
}

function morningIn(now: number, days: number): number {
  const then = new Date(now)
  then.setDate(then.getDate() + days)
  return then.setHours(MORNING, 0, 0, 0)
}

/** The next one: on a Monday, that of the next week. */
const daysToMonday = (now: number): number => (8 - new Date(now).getDay()) % 7 || 7
