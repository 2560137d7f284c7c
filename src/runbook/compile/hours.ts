/** Working hours: a zone, a part of the day that lies in one day, and the days of the week. */
import { nearest } from '../../model/nearest.ts'
import {
  formatTimeOfDay,
  isTimeZone,
  parseTimeOfDay,
  timeZones,
  WEEKDAYS,
  type Weekday,
  type WorkingHours,
} from '../../model/working-hours.ts'
import { brief } from '../language/shape.ts'
import { childOf, itemsOf, type Tree, textOf } from '../tree.ts'
import { type Scope, spotOf } from './scope.ts'

/** Null where they are not as they should be: then there is no program to run either. */
export function hoursOf(scope: Scope, tree: Tree): WorkingHours | null {
  const to = childOf(tree, 'to')
  const zone = zoneOf(scope, childOf(tree, 'zone'))
  const fromMinute = timeOf(scope, childOf(tree, 'from'))
  const toMinute = timeOf(scope, to)
  const days = daysOf(scope, childOf(tree, 'days'))
  if (to !== undefined && fromMinute !== null && toMinute !== null && fromMinute >= toMinute)
    reportBackward(scope, to, fromMinute, toMinute)
  else if (zone !== null && fromMinute !== null && toMinute !== null && days.length > 0)
    return { zone, fromMinute, toMinute, days }
  return null
}

const MONDAY_TO_FRIDAY = WEEKDAYS.slice(0, 5)

function daysOf(scope: Scope, tree: Tree | undefined): readonly Weekday[] {
  if (tree === undefined) return MONDAY_TO_FRIDAY
  if (tree.kind === 'list' && tree.items.length === 0)
    scope.report.add({
      code: 'no-working-days',
      ...spotOf(tree),
      message: 'There is no day on which this time counts, so the question would wait for ever.',
      help: `Write \`${scope.report.spell({ days: MONDAY_TO_FRIDAY })}\`, or leave \`days\` out for these.`,
    })
  const chosen = itemsOf(tree).map(textOf)
  return WEEKDAYS.filter((day) => chosen.includes(day))
}

function zoneOf(scope: Scope, tree: Tree | undefined): string | null {
  const name = textOf(tree)
  if (tree === undefined || name === undefined) return null
  if (isTimeZone(name)) return name
  const near = nearest(name, timeZones())
  scope.report.add({
    code: 'unknown-zone',
    ...spotOf(tree),
    message: `There is no time zone "${brief(name)}".`,
    help: `${near === undefined ? '' : `Did you mean "${near}"? `}Zones have IANA names, such as Europe/Vienna, America/New_York or UTC.`,
  })
  return null
}

function timeOf(scope: Scope, tree: Tree | undefined): number | null {
  const text = textOf(tree)
  if (tree === undefined || text === undefined) return null
  const minutes = parseTimeOfDay(text)
  if (minutes === null)
    scope.report.add({
      code: 'bad-time',
      ...spotOf(tree),
      message: `"${brief(text)}" is not a time of day.`,
      help: 'Write hours and minutes, from 00:00 to 24:00: "09:00", "17:30".',
    })
  return minutes
}

function reportBackward(scope: Scope, tree: Tree, fromMinute: number, toMinute: number): void {
  const [from, to] = [formatTimeOfDay(fromMinute), formatTimeOfDay(toMinute)]
  scope.report.add({
    code: 'backward-hours',
    ...spotOf(tree),
    message:
      from === to
        ? `A day from ${from} to ${to} has no time in it.`
        : `A day from ${from} to ${to} would go over midnight.`,
    help:
      from === to
        ? 'Write an end that is later than the beginning; the whole day is from "00:00" to "24:00".'
        : `Begin and end on the same day: from "${to}" to "${from}", or from "${from}" to "24:00".`,
  })
}
