/** A budget that nothing draws on: a slip, or a bound that was meant and is not there. */
import { INTERVENTIONS } from '../../model/program.ts'
import { childOf, entriesOf } from '../tree.ts'
import type { Checked } from './checked.ts'

export function checkBudgets({ program, scope }: Checked): void {
  const spent = new Set(
    Object.values(program.steps).flatMap((step) =>
      Object.values(step.routes).flatMap(({ arms }) =>
        arms.flatMap(({ bound }) => (bound?.kind === 'spend' ? [bound.budget] : [])),
      ),
    ),
  )
  for (const { key, at, value } of entriesOf(childOf(scope.root, 'budgets')))
    if (!spent.has(key))
      scope.report.add({
        code: 'unused-budget',
        severity: 'warning',
        at,
        path: value.path,
        message: `Nothing spends the budget "${key}".`,
        help:
          key === INTERVENTIONS
            ? 'No step of this flow can be put to a person, so it has no use here.'
            : `Write \`spend: ${key}\` on the route it should bound, or remove it.`,
      })
}
