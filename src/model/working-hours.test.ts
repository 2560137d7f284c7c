import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addWorkingTime, isTimeZone, parseTimeOfDay, WEEKDAYS, type WorkingHours } from './working-hours.ts'

const HOUR_MS = 3_600_000
const QUARTER_MS = 900_000
const OFFICE: WorkingHours = {
  zone: 'Europe/Vienna',
  fromMinute: 540,
  toMinute: 1020,
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
}
const NIGHT: WorkingHours = { ...OFFICE, fromMinute: 0, toMinute: 240, days: WEEKDAYS }

const dueAfter = (at: string, hours: number, within = OFFICE): string =>
  new Date(addWorkingTime(Date.parse(at), hours * HOUR_MS, within)).toISOString().slice(0, 16)

describe('working time', () => {
  it.each([
    ['stays within the day', '2026-03-02T09:00Z', 2, '2026-03-02T11:00'],
    ['ends with the day, not with the next one', '2026-03-02T09:00Z', 7, '2026-03-02T16:00'],
    ['goes over to the next day', '2026-03-02T09:00Z', 8, '2026-03-03T09:00'],
    ['begins with the day', '2026-03-02T03:00Z', 1, '2026-03-02T09:00'],
    ['leaves the evening out', '2026-03-02T19:00Z', 1, '2026-03-03T09:00'],
    ['leaves the weekend out', '2026-03-06T15:00Z', 2, '2026-03-09T09:00'],
    ['counts 24 hours for a day', '2026-03-02T08:00Z', 24, '2026-03-04T16:00'],
    ['is full at the end of a day, be it a week later', '2026-03-07T12:00Z', 40, '2026-03-13T16:00'],
    ['is where it begins when there is nothing to wait for', '2026-03-07T12:00Z', 0, '2026-03-09T08:00'],
  ])('[Q20] %s', (_what, at, hours, due) => {
    expect(dueAfter(at, hours)).toBe(due)
  })

  it('[Q20] follows the clocks when they are put forward or back between two days', () => {
    expect(dueAfter('2026-03-27T15:00Z', 2)).toBe('2026-03-30T08:00')
    expect(dueAfter('2026-10-23T14:00Z', 2)).toBe('2026-10-26T09:00')
  })

  it('[Q20] counts the hours that there are on a day of 23 hours and on one of 25', () => {
    expect(dueAfter('2026-03-28T23:00Z', 3, NIGHT)).toBe('2026-03-29T02:00')
    expect(dueAfter('2026-10-24T22:00Z', 5, NIGHT)).toBe('2026-10-25T03:00')
  })

  it('[Q20] begins at the change where the clocks skip the beginning, and knows no day that a zone left out', () => {
    const early = { ...NIGHT, fromMinute: 150 }
    expect(dueAfter('2026-03-29T00:00Z', 0.5, early)).toBe('2026-03-29T01:30')
    const apia = { ...OFFICE, zone: 'Pacific/Apia', days: WEEKDAYS }
    // On the evening of Thursday, 29 December 2011; the next day there was Saturday.
    expect(dueAfter('2011-12-30T04:00Z', 1, apia)).toBe('2011-12-30T20:00')
  })

  const zones = [
    'Europe/Vienna',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'UTC',
  ]
  const quarter = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * QUARTER_MS)
  const someHours = fc
    .record({
      zone: fc.constantFrom(...zones),
      minutes: fc.uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 2, maxLength: 2 }),
      days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
    })
    .map(({ zone, minutes, days }): WorkingHours => {
      const [fromMinute, toMinute] = minutes.map((count) => count * 15).toSorted((a, b) => a - b)
      return { zone, fromMinute: fromMinute!, toMinute: toMinute!, days }
    })
  // Days before a change of the clocks in one of the zones, and any other.
  const changes = [
    '2011-12-30',
    '2026-03-29',
    '2026-10-25',
    '2026-11-01',
    '2026-04-05',
    '2017-10-15',
    '2018-02-18',
    '2024-04-26',
  ]
  const someMoment = fc.oneof(
    fc
      .tuple(fc.constantFrom(...changes), quarter(-192, 96))
      .map(([day, beforeMs]) => Date.parse(day) + beforeMs),
    quarter(Date.parse('2012-01-01') / QUARTER_MS, Date.parse('2030-01-01') / QUARTER_MS),
  )

  it('[Q20] between a moment and what is due after it lies exactly as much working time, whatever the clocks do', () => {
    fc.assert(
      fc.property(someMoment, quarter(0, 24), someHours, (at, durationMs, hours) => {
        const due = addWorkingTime(at, durationMs, hours)
        expect(due).toBeGreaterThanOrEqual(at)
        expect(workingMsBetween(at, due, hours)).toBe(durationMs)
        // Due the moment it is full, so the time just before was still working time.
        const isLast = isWorkingAt(due - QUARTER_MS, hours)
        expect(durationMs === 0 ? isLast || isWorkingAt(due, hours) : isLast).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('[Q20] is the same in one piece and in two, over weeks with a change of the clocks in them', () => {
    fc.assert(
      fc.property(
        someMoment,
        fc.integer({ min: 1, max: HOUR_MS * 300 }),
        fc.integer({ min: 1, max: HOUR_MS * 300 }),
        someHours,
        (at, firstMs, secondMs, hours) => {
          const half = addWorkingTime(at, firstMs, hours)
          expect(addWorkingTime(half, secondMs, hours)).toBe(addWorkingTime(at, firstMs + secondMs, hours))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('[Q20] what comes later or lasts longer is never due earlier', () => {
    fc.assert(
      fc.property(
        someMoment,
        fc.nat(HOUR_MS * 30),
        fc.nat(HOUR_MS * 40),
        fc.nat(HOUR_MS * 40),
        someHours,
        (at, laterMs, durationMs, moreMs, hours) => {
          const due = addWorkingTime(at, durationMs, hours)
          expect(addWorkingTime(at + laterMs, durationMs, hours)).toBeGreaterThanOrEqual(due)
          expect(addWorkingTime(at, durationMs + moreMs, hours)).toBeGreaterThanOrEqual(due)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('a time zone', () => {
  it.each(['Europe/Vienna', 'UTC', 'America/Argentina/Buenos_Aires'])('%s is one', (name) => {
    expect(isTimeZone(name)).toBe(true)
  })
  it.each(['', 'Europe/Wien', '+01:00', 'Vienna', 'constructor'])('"%s" is none', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})

describe('a time of day', () => {
  it.each([
    ['09:00', 540],
    ['9:30', 570],
    ['00:00', 0],
    ['24:00', 1440],
    ['24:01', null],
    ['9', null],
    ['9am', null],
    ['12:60', null],
    ['-1:00', null],
  ])('%s', (text, minutes) => {
    expect(parseTimeOfDay(text)).toBe(minutes)
  })
})

/** Another way to know: what the clocks of the zone show at every quarter of an hour. */
function workingMsBetween(from: number, to: number, hours: WorkingHours): number {
  let total = 0
  for (let at = from; at < to; at += QUARTER_MS) if (isWorkingAt(at, hours)) total += QUARTER_MS
  return total
}

/** A time that is shown twice counts the first time only, as the beginning or the end of a day does. */
function isWorkingAt(at: number, { zone, fromMinute, toMinute, days }: WorkingHours): boolean {
  const highest = Math.max(
    ...Array.from({ length: 9 }, (_, quarters) => shownAt(zone, at - quarters * QUARTER_MS)),
  )
  const day = Math.floor(highest / DAY_MINUTES)
  const isWorkday = days.includes(WEEKDAYS[(day + 3) % 7]!)
  return isWorkday && highest - day * DAY_MINUTES >= fromMinute && highest - day * DAY_MINUTES < toMinute
}

const DAY_MINUTES = 1440
const clocks = new Map<string, Intl.DateTimeFormat>()
const shown = new Map<string, number>()

/** What the clocks show, in minutes since 1970 as if they showed UTC. */
function shownAt(zone: string, at: number): number {
  const key = `${zone} ${at}`
  let minutes = shown.get(key)
  if (minutes === undefined) {
    minutes = readClock(zone, at)
    shown.set(key, minutes)
  }
  return minutes
}

function readClock(zone: string, at: number): number {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(zone, clock)
  const [day, month, year, hour, minute] = clock.format(at).split(/\D+/).map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute) / 60_000
}
