/**
 * When a usage limit resets, read from the message that reports it: an epoch, an ISO instant, a wait ("in 3 hours 5
 * minutes", "after 8h44m7s"), a date or a clock time, the last two in the zone the message names.
 */

interface Clock {
  readonly nowMs: number
  /** For times without a zone; the machine's own by default. */
  readonly zone?: string
}

export function readResetTime(message: string, clock: Clock): number | null {
  return epoch(message) ?? iso(message) ?? wait(message, clock.nowMs) ?? calendar(message, clock)
}

function epoch(message: string): number | null {
  const digits = /(?:\||reset\w*\W{1,6}(?:at\W{1,3})?)(\d{13}|\d{10})\b/i.exec(message)?.[1]
  if (digits === undefined) return null
  return digits.length === 13 ? Number(digits) : Number(digits) * 1000
}

function iso(message: string): number | null {
  const found = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?/i.exec(
    message,
  )
  if (found === null) return null
  const [, day, time, zone = 'Z'] = found
  const offset = /^[a-z]/i.test(zone)
    ? 'Z'
    : zone.includes(':')
      ? zone
      : `${zone.slice(0, 3)}:${zone.slice(3)}`
  return known(Date.parse(`${day}T${time}${offset}`))
}

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const AMOUNT =
  /(\d+(?:\.\d+)?) ?(ms|milliseconds?|w(?:eeks?)?|d(?:ays?)?|h(?:ou)?r?s?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])/gi

function wait(message: string, nowMs: number): number | null {
  const cue =
    /(?:again|retry(?:ing)?|resets?|reset|available|wait)(?:[ -](?:after|in|for))?["']?[:=]? ?["']?(?=\d)/gi
  for (const found of message.matchAll(cue)) {
    const rest = message.slice(found.index + found[0].length)
    const span = /^(?:\d+(?:\.\d+)? ?[a-z]+(?:,? and |, | )?)+/i.exec(rest)?.[0] ?? ''
    const amounts = [...span.replace(/(?<=[a-z])(?=\d)/gi, ' ').matchAll(AMOUNT)]
    if (amounts.length > 0)
      return nowMs + Math.round(amounts.reduce((sum, [, n, unit]) => sum + Number(n) * unitMs(unit!), 0))
    const seconds = /retry[ -]after/i.test(found[0]) ? /^\d+(?![\d:]| ?[ap]m)/i.exec(rest)?.[0] : undefined
    if (seconds !== undefined) return nowMs + Number(seconds) * 1000
  }
  return null
}

function unitMs(unit: string): number {
  const word = unit.toLowerCase()
  if (word === 'ms' || word.startsWith('milli')) return UNITS_MS.ms
  return UNITS_MS[word[0] as keyof typeof UNITS_MS]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TIME = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d\d))?(?::\d\d)? ?(?<half>[ap])?\.?m?\b`
const DATED = new RegExp(
  String.raw`\b(?<month>${MONTHS.join('|')})[a-z]*\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}),?)?(?: at)? ${TIME}`,
  'i',
)
const TIMED = new RegExp(String.raw`\b(?:resets?|again|available)(?: today| tomorrow)?(?: at)? ${TIME}`, 'i')
const ZONE = /\(((?:[a-z_]+\/[\w+/-]+)|utc|gmt)\)|\b(utc|gmt)\b/i

/** A limit reported in the minutes after its reset is about that reset, not about the one a day later. */
const JUST_PASSED_MS = 5 * 60_000

function calendar(message: string, { nowMs, zone }: Clock): number | null {
  const found = (DATED.exec(message) ?? TIMED.exec(message))?.groups
  if (found === undefined) return null
  const { month, day, year, hour, minute, half } = found
  // A bare number is no time of day.
  if (minute === undefined && half === undefined) return null
  const named = ZONE.exec(message)
  const offsetAt = zoneOffset(named?.[1] ?? named?.[2] ?? zone)
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const here = new Date(nowMs + offsetAt(nowMs))
  const monthIndex =
    month === undefined ? here.getUTCMonth() : MONTHS.indexOf(month.slice(0, 3).toLowerCase())
  const instant = (fullYear: number, date: number): number | null => {
    const wallMs = Date.UTC(fullYear, monthIndex, date, hours, Number(minute ?? 0))
    return known(wallMs - offsetAt(wallMs - offsetAt(wallMs)))
  }
  if (year !== undefined) return instant(Number(year), Number(day))
  const first = instant(here.getUTCFullYear(), month === undefined ? here.getUTCDate() : Number(day))
  if (first === null || first > nowMs - JUST_PASSED_MS) return first
  return month === undefined
    ? instant(here.getUTCFullYear(), here.getUTCDate() + 1)
    : instant(here.getUTCFullYear() + 1, Number(day))
}

/** How far a zone's wall clock is ahead of UTC at an instant; the machine's own zone where the name is unknown. */
function zoneOffset(zone: string | undefined): (atMs: number) => number {
  const format = formatIn(zone) ?? formatIn(undefined)!
  return (atMs) => {
    const part = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    )
    const { year, month, day, hour, minute, second } = part
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
  }
}

function formatIn(timeZone: string | undefined): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...(timeZone === undefined ? {} : { timeZone }),
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    // The message named a zone this machine does not know.
    return null
  }
}

const known = (ms: number): number | null => (Number.isFinite(ms) ? ms : null)
