/**
 * Working time: how far a duration reaches when only certain hours of certain days count. A working day lasts from the
 * first moment at which the clocks of its zone show `from` or later until the first at which they show `to` or later,
 * so clocks that are put forward or back make it shorter or longer and never make two of it.
 */

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export interface WorkingHours {
  /** An IANA name: `Europe/Vienna`. */
  readonly zone: string
  /** Minutes since midnight by the zone's clocks; 1440 for the end of the day. */
  readonly fromMinute: number
  readonly toMinute: number
  readonly days: readonly Weekday[]
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/** The first moment of working time by which this much of it has gone by since `at`. */
export function addWorkingTime(at: number, durationMs: number, hours: WorkingHours): number {
  const { zone, days } = hours
  const weekMs = workingWeekMs(hours)
  let fromAt = at
  let restMs = durationMs
  for (let day = Math.floor((at + offsetAt(zone, at)) / DAY_MS) - 1; ; day++) {
    while (restMs > weekMs && offsetAt(zone, fromAt - DAY_MS) === offsetAt(zone, fromAt + WEEK_MS)) {
      fromAt += WEEK_MS
      restMs -= weekMs
      day += 7
    }
    if (!days.includes(weekdayOf(day))) continue
    const [opensAt, closesAt] = workingDay(day, hours)
    const startAt = Math.max(fromAt, opensAt)
    // A day that the clocks skip has no working time in it, and nothing can be due then.
    if (opensAt === closesAt || startAt > closesAt) continue
    if (startAt + restMs <= closesAt) return startAt + restMs
    restMs -= closesAt - startAt
    fromAt = closesAt
  }
}

export const isTimeZone = (name: string): boolean => formatOf(name) !== null

/** Those that can be suggested; older names of a zone are understood too. */
export const timeZones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** Minutes since midnight of `09:00`, `9:30` or `24:00`; null where the text is no time of day. */
export function parseTimeOfDay(text: string): number | null {
  const match = /^(\d{1,2}):([0-5]\d)$/.exec(text)
  if (match === null) return null
  const minutes = Number(match[1]) * 60 + Number(match[2])
  return minutes > 1440 ? null : minutes
}

export const formatTimeOfDay = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

export const workingWeekMs = ({ days, fromMinute, toMinute }: WorkingHours): number =>
  days.length * (toMinute - fromMinute) * MINUTE_MS

/** Days count from 1970-01-01, which was a Thursday. */
const weekdayOf = (day: number): Weekday => WEEKDAYS[(((day + 3) % 7) + 7) % 7]!

function workingDay(day: number, { zone, fromMinute, toMinute }: WorkingHours): [number, number] {
  const midnight = day * DAY_MS
  const before = offsetAt(zone, midnight - DAY_MS)
  const after = offsetAt(zone, midnight + 2 * DAY_MS)
  const reachedAt = (minute: number) => momentOf(midnight + minute * MINUTE_MS, { zone, before, after })
  return [reachedAt(fromMinute), reachedAt(toMinute)]
}

interface Around {
  readonly zone: string
  /** The zone's offsets a day earlier and a day later. */
  readonly before: number
  readonly after: number
}

/** The first moment at which the zone's clocks show this time (given as if it were UTC) or a later one. */
function momentOf(shown: number, { zone, before, after }: Around): number {
  const early = shown - before
  if (before === after || offsetAt(zone, early) === before) return early
  const late = shown - after
  return offsetAt(zone, late) === after ? late : changeBetween(zone, late, early)
}

/** When clocks are put forward, the time between is never shown: what was due then is due at the change. */
function changeBetween(zone: string, from: number, to: number): number {
  const before = offsetAt(zone, from)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

/** Beyond it there are no dates. */
const LAST_MS = 8_640_000_000_000_000
const OFFSET = /GMT([+-])(\d\d):(\d\d)/

function offsetAt(zone: string, at: number): number {
  const match = OFFSET.exec(formatOf(zone)?.format(Math.min(at, LAST_MS)) ?? '')
  if (match === null) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return (match[1] === '-' ? -minutes : minutes) * MINUTE_MS
}

/** Making one takes far longer than asking it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = createFormat(zone)
  if (format !== null) formats.set(zone, format)
  return format
}

function createFormat(zone: string): Intl.DateTimeFormat | null {
  // An offset such as +01:00 is a zone to some runtimes only.
  if (!/^[A-Za-z]/.test(zone)) return null
  // There is no other way to ask whether a zone is known.
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch {
    return null
  }
}
