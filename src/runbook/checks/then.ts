/** A `then` that no run can ever take: what is before it never runs out, because nothing leads back often enough. */
import { armSpot } from '../compile/routes.ts'
import type { Checked } from './checked.ts'

export function checkThens({ program, scope, graph, exploration }: Checked): void {
  if (!exploration.complete) return
  const taken = new Set<string>()
  exploration.nodes.forEach((at, state) => {
    const node = graph.nodes[at]!
    const step = node.kind === 'exit' ? node.name.slice(0, node.name.lastIndexOf(':')) : node.name
    for (let move = exploration.first[state]!; move < exploration.first[state + 1]!; move++) {
      const arm = exploration.arms[move]!
      // The first arm of a route is never in doubt.
      if (arm > 0) taken.add(armSpot(step, node.choices[exploration.choices[move]!]!.outcome, arm))
    }
  })
  for (const step of Object.values(program.steps))
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
              ? `After ${before.times} ${before.times === 1 ? 'time' : 'times'} nothing leads here again. Lower \`max\`, or remove the bound.`
              : 'Nothing leads here again once the budget is spent.',
        })
      }
}
