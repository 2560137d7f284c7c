/** A budget or a counter that nothing draws on: a slip, or a bound that was meant and is not there. */
import { INTERVENTIONS, type Step } from '../../model/program.ts'
import type { Bound } from '../../model/route.ts'
import { childOf, entriesOf } from '../tree.ts'
import type { Checked } from './checked.ts'

export function checkBudgets({ program, own, scope }: Checked): void {
  const bounds = own.flatMap(boundsOf)
  const spent = new Set(bounds.map((bound) => (bound.kind === 'spend' ? bound.budget : '')))
  const isSpent = (budget: string): boolean =>
    // Only this one is shared with the flows inside.
    spent.has(budget) || (budget === INTERVENTIONS && Object.values(program.steps).some(intervenes))
  for (const { key, at, value } of entriesOf(childOf(scope.root, 'budgets')))
    if (!isSpent(key))
      scope.report.add({
        code: 'unused-budget',
        severity: 'warning',
        at,
        path: value.path,
        message: `Nothing spends the budget "${key}".`,
        help:
          key === INTERVENTIONS
            ? 'No step of this flow can be put to a person, so it has no use here.'
            : `Write \`${scope.report.spell({ spend: key })}\` on the route it should bound, or remove it.`,
      })
  const counted = new Set(bounds.map((bound) => (bound.kind === 'max' ? bound.counter : '')))
  for (const { key, at, value } of entriesOf(childOf(scope.root, 'counters')))
    if (!counted.has(key))
      scope.report.add({
        code: 'unused-counter',
        severity: 'warning',
        at,
        path: value.path,
        message: `No route counts with "${key}".`,
        help: `Write \`${scope.report.spell({ count: key })}\` on the routes it should bound together, or remove it.`,
      })
}

const boundsOf = ({ routes }: Step): Bound[] =>
  Object.values(routes).flatMap(({ arms }) => arms.flatMap(({ bound }) => bound ?? []))

const intervenes = (step: Step): boolean =>
  boundsOf(step).some((bound) => bound.kind === 'spend' && bound.budget === INTERVENTIONS)
