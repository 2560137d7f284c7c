/** A `then` that no run can ever take: what is before it never runs out, because nothing leads back often enough. */
import { isShared } from '../../model/route.ts'
import { armSpot } from '../compile/routes.ts'
import { stepNameOf } from '../proof/levels.ts'
import type { Checked } from './checked.ts'

export function checkThens({ own, scope, exploration }: Checked): void {
  if (exploration.summary === null) return
  const arms = exploration.taken()
  const taken = new Set<string>()
  // The first arm of a route is never in doubt.
  for (const node of exploration.graph.nodes) {
    if (node.name.includes('/')) continue
    for (const { outcome, arms: all } of node.choices)
      for (const [index, arm] of all.entries())
        if (index > 0 && arms.has(arm)) taken.add(armSpot(stepNameOf(node), outcome, index))
  }
  for (const step of own)
    for (const [outcome, route] of Object.entries(step.routes))
      for (let index = 1; index < route.arms.length; index++) {
        const key = armSpot(step.name, outcome, index)
        const spot = scope.spots.get(key)
        // A route the whole flow shares may well be of use at other steps.
        if (spot === undefined || taken.has(key) || route.origin !== 'step') continue
        const before = route.arms[index - 1]!.bound
        scope.report.add({
          code: 'then-never-taken',
          severity: 'warning',
          ...spot,
          message: `This \`then\` of "${step.name}" is never taken: no run comes back to "${outcome}" often enough.`,
          help:
            before?.kind === 'max'
              ? `After ${before.times} ${before.times === 1 ? 'time' : 'times'} nothing leads here again. Lower ${isShared(before) ? `the counter "${before.counter}"` : '`max`'}, or remove the bound.`
              : 'Nothing leads here again once the budget is spent.',
        })
      }
}
