/** The part of the language that says how long a question waits, who is told of it meanwhile, and which time counts. */
import { WEEKDAYS } from '../../model/working-hours.ts'
import type { ObjectShape, Shape } from './shape.ts'

const duration = (doc: string): Shape => ({ kind: 'duration', doc })
const text = (doc: string, ...examples: string[]): Shape => ({ kind: 'text', doc, examples })
const object = (doc: string, required: string[], fields: Record<string, Shape>): ObjectShape => ({
  kind: 'object',
  doc,
  required,
  fields,
})
/** One, or a list of them. */
const some = (doc: string, one: Shape): Shape => ({
  kind: 'either',
  doc,
  of: [one, { kind: 'list', of: one, doc, least: 1 }],
})

const hours = object(
  'Only this time counts: `1d` is then 24 hours of it. Every hour counts by default.',
  ['zone', 'from', 'to'],
  {
    zone: text('The time zone, by its IANA name.', 'Europe/Vienna'),
    from: text('When the day begins, by the clocks there.', '09:00'),
    to: text('When it ends, on the same day; `24:00` at the latest.', '17:00'),
    days: {
      kind: 'list',
      of: { kind: 'text', values: WEEKDAYS, doc: 'A day.' },
      doc: 'The days that count. Monday to Friday by default.',
      least: 0,
    },
  },
)

const reroute = object('Somebody else is asked.', ['after', 'to'], {
  after: duration('When, counted from the question.'),
  to: text('Who: the name of a person, or `@` and the name of a group.', 'anna', '@leads'),
})

export const DEADLINE: ObjectShape = object(
  'When to remind, whom to ask instead, and when to give up waiting.',
  [],
  {
    remind: some('When to remind the person, counted from the question.', duration('A reminder.')),
    reroute: some('When the question goes to somebody else.', reroute),
    expire: duration('When the question counts as `expired`. Silence is never taken as an answer.'),
    hours,
  },
)
