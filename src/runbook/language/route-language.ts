/** The part of the language that says where outcomes and faults lead, and what bounds the way. */
import { FAULT_MEANING, FAULTS } from '../../model/fault.ts'
import type { Shape } from './shape-kinds.ts'
import { either, flag, integer, object, text } from './shapes.ts'

export const target = text(
  'Where it leads: a step, an end (`done`, `abandoned` or one of `ends`), `retry` (this step again; needs a bound) or `ask` (a person decides).',
)

export const perStep = text(
  'A step: the count starts again whenever a route that does not count leads there, so each entry into a loop has its own rounds.',
)

export const boundKeys = {
  max: integer(1, 1000, 'How often this route may be taken. Starts again when a budget is spent.'),
  per: { ...perStep, doc: `With \`max\`. ${perStep.doc}` },
  count: text('A counter of `counters` that this route shares with others.'),
  spend: text('A budget of the run that this route draws on. Budgets are never refilled.'),
  forget: flag(
    'With `spend`: what the steps said before is forgotten, but for the one that sends the run back; its findings are forgotten, too.',
  ),
}

// A `then` may hold a bounded route again; three levels are as many as a reader can follow.
export const thenRoute = (depth: number): Shape => {
  const doc = 'Where it leads once `max` is reached or the budget is gone.'
  if (depth === 0) return { ...target, doc }
  return either(
    doc,
    { ...target, doc },
    object(doc, { to: target, ...boundKeys, then: thenRoute(depth - 1) }, ['to']),
  )
}

export const route = (doc: string): Shape =>
  either(
    doc,
    target,
    object(
      'A bounded route: after `max` times, or when the budget is gone, it takes `then`.',
      { to: target, ...boundKeys, then: thenRoute(2) },
      ['to'],
    ),
  )

const faultRoute = route('Where a fault leads.')

export const on = object(
  'Routes of faults. What is not written here is routed by the flow, and else a person is asked.',
  {
    ...Object.fromEntries(FAULTS.map((fault) => [fault, { ...faultRoute, doc: `${FAULT_MEANING[fault]}.` }])),
    else: { ...faultRoute, doc: 'All faults that are not named here.' },
  },
)
