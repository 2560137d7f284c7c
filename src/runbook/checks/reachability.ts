/** Every step can be reached, and from every step the flow itself leads to an end. */
import { stepSpot } from '../compile/steps.ts'
import type { Exploration } from '../proof/exploration.ts'
import { type FlowGraph, isWritten, successors, workNodes } from '../proof/flow-graph.ts'
import { stateSpaceOf } from '../proof/state-space.ts'
import type { Checked } from './checked.ts'

export function checkReachability({ own, scope, exploration, wholeGraph }: Checked): void {
  const { graph } = exploration
  const visited = visitedIn(exploration) ?? reachable(graph)
  const ending = leadingToAnEnd(graph)
  let joined: ReadonlySet<number> | null = null
  for (const { name } of own) {
    const spot = scope.spots.get(stepSpot(name))
    const nodes = workNodes(graph, name)
    if (spot === undefined) continue
    if (!nodes.some((node) => visited.has(node))) {
      joined ??= reachable(wholeGraph())
      const isJoined = workNodes(wholeGraph(), name).some((node) => joined!.has(node))
      scope.report.add({
        code: 'unreachable-step',
        ...spot,
        message: `No way leads to "${name}".`,
        help: isJoined
          ? 'It stands only behind a `then` that is never taken. Lead an outcome here, or remove the step.'
          : `Lead an outcome to it (\`${scope.report.spell({ to: name })}\`), or remove it.`,
      })
    } else if (!nodes.some((node) => ending.has(node)))
      scope.report.add({
        code: 'no-way-out',
        ...spot,
        message: `From "${name}" no written route leads to an end.`,
        help: 'Lead some outcome to `done`, `abandoned` or an end of your own.',
      })
  }
}

/** The nodes that some run reaches; null where there are too many states to tell. */
function visitedIn({ graph, summary, cycle, reached }: Exploration): ReadonlySet<number> | null {
  if (summary !== null) return reached
  const space = cycle === null ? null : stateSpaceOf(graph)
  return space?.complete === true ? new Set(space.nodes) : null
}

/** The nodes that can be reached at all, whatever it costs. */
function reachable(graph: FlowGraph): Set<number> {
  const seen = new Set([graph.start])
  for (const node of seen) for (const next of successors(graph.nodes[node]!)) seen.add(next)
  return seen
}

/** Backwards from the ends over all that somebody wrote: that a person could stop the run is not a way out. */
export function leadingToAnEnd({ program, nodes }: FlowGraph): Set<number> {
  const before: number[][] = nodes.map(() => [])
  for (const node of nodes)
    for (const choice of node.choices) {
      if (!isWritten(choice)) continue
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
