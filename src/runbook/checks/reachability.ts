/** Every step can be reached, and from every step the flow itself leads to an end. */
import { stepSpot } from '../compile/steps.ts'
import { reachable } from '../exploration.ts'
import type { FlowGraph } from '../flow-graph.ts'
import type { Checked } from './checked.ts'

export function checkReachability({ program, scope, graph, exploration }: Checked): void {
  const reached = reachable(graph)
  const visited = exploration.complete ? new Set(exploration.nodes) : reached
  const ending = leadingToAnEnd(graph)
  for (const name of Object.keys(program.steps)) {
    const spot = scope.spots.get(stepSpot(name))
    const node = graph.work.get(name)!
    if (spot === undefined) continue
    if (!visited.has(node))
      scope.report.add({
        code: 'unreachable-step',
        ...spot,
        message: `No way leads to "${name}".`,
        help: reached.has(node)
          ? 'It stands only behind a `then` that is never taken. Lead an outcome here, or remove the step.'
          : `Lead an outcome to it (\`to: ${name}\`), or remove it.`,
      })
    else if (!ending.has(node))
      scope.report.add({
        code: 'no-way-out',
        ...spot,
        message: `From "${name}" no written route leads to an end.`,
        help: 'Lead some outcome to `done`, `abandoned` or an end of your own.',
      })
  }
}

/** Backwards from the ends over all that somebody wrote: that a person could stop the run is not a way out. */
function leadingToAnEnd({ program, nodes }: FlowGraph): Set<number> {
  const before: number[][] = nodes.map(() => [])
  for (const node of nodes)
    for (const choice of node.choices) {
      if (choice.route?.origin === 'built-in' && choice.kind !== 'answer') continue
      for (const { to } of choice.arms) before[to]!.push(node.id)
    }
  const seen = new Set(nodes.filter((node) => node.kind === 'end').map((node) => node.id))
  for (const open = [...seen]; open.length > 0; )
    for (const from of before[open.pop()!]!)
      if (!seen.has(from)) {
        seen.add(from)
        open.push(from)
      }
  // What an inlined flow proved of itself stands.
  for (const node of nodes)
    if (node.name.includes('/') && Object.hasOwn(program.steps, node.name)) seen.add(node.id)
  return seen
}
