/** The part of the language that says what a decision table decides on, and what its rows are called. */
import type { Shape } from './shape.ts'

const text = (doc: string, ...examples: string[]): Shape =>
  examples.length === 0 ? { kind: 'text', doc } : { kind: 'text', doc, examples }
const flag: Shape = { kind: 'boolean', doc: 'The value of a boolean.' }
const either = (doc: string, ...of: Shape[]): Shape => ({ kind: 'either', of, doc })
const list = (doc: string, of: Shape): Shape => ({ kind: 'list', of, doc, least: 1 })

export const OPTIONAL: Shape = list(
  'Variables of the decision table that an answer may leave out; their value is then `absent`.',
  text('A variable.'),
)

/** A row: its name, its conditions, and the keys of a route. */
export const rowShape = (route: Readonly<Record<string, Shape>>): Shape => ({
  kind: 'object',
  doc: 'A row of the decision table. The first row whose conditions all hold is taken.',
  fields: {
    name: text('Its name, as an outcome of the step. `row-1`, `row-2`, … by default.', 'urgent'),
    if: {
      kind: 'map',
      noun: 'variable',
      doc: 'Variable, or field of the answer or its handoff that is a choice or a boolean → value. `absent` is the value of what an answer may leave out. What is not named may have any value; no `if` at all fits everything.',
      of: either(
        'The value or values.',
        text('The value.'),
        flag,
        list('Any of these.', either('A value.', text('A value.'), flag)),
      ),
      least: 0,
    },
    ...route,
  },
  required: ['to'],
})

/** Where a step leads that asks nothing, or where each value of one field leads. */
export const nextShape = (target: Shape, route: Shape): Shape =>
  either(
    'Where it leads when the work is done; or, by the value of one field, where each value leads.',
    { ...target, doc: 'Where it leads when the work is done. For steps that ask nothing.' },
    {
      kind: 'place',
      noun: 'field',
      doc: 'One field that is a choice or a boolean, of the answer or its handoff, or one variable of `asks`.',
      of: {
        kind: 'map',
        noun: 'value',
        doc: 'Value → route. `absent` is the value of what an answer may leave out, `else` stands for all values not named.',
        of: route,
        least: 1,
      },
    },
  )
