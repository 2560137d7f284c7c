/**
 * The counters and budgets that can matter at each node: still to be asked for from here, and, for a counter,
 * possibly counted on the way here since it last started. All others do not tell two states apart.
 */
import { type FlowGraph, type Restarts, startsAgain } from './flow-graph.ts'

/** Node → names. */
export interface Live {
  readonly counters: readonly (readonly string[])[]
  readonly budgets: readonly (readonly string[])[]
}

interface Link {
  readonly node: number
  readonly restarts: Restarts
}

export function liveness(graph: FlowGraph): Live {
  const countedAt = new Map<string, Set<number>>()
  const countedInto = new Map<string, Set<number>>()
  const spentAt = new Map<string, Set<number>>()
  const before: Link[][] = graph.nodes.map(() => [])
  const behind: Link[][] = graph.nodes.map(() => [])
  for (const node of graph.nodes)
    for (const choice of node.choices)
      for (const { to, bound, restarts } of choice.arms) {
        before[to]!.push({ node: node.id, restarts })
        behind[node.id]!.push({ node: to, restarts })
        if (bound?.kind === 'spend') add(spentAt, bound.budget, node.id)
        if (bound?.kind !== 'max') continue
        add(countedAt, bound.counter, node.id)
        add(countedInto, bound.counter, to)
      }
  const counters: string[][] = graph.nodes.map(() => [])
  const budgets: string[][] = graph.nodes.map(() => [])
  for (const [name, nodes] of countedAt) {
    const stops = ({ restarts }: Link) => startsAgain(restarts, name)
    const touched = spread(countedInto.get(name)!, behind, stops)
    for (const node of spread(nodes, before, stops)) if (touched.has(node)) counters[node]!.push(name)
  }
  for (const [name, nodes] of spentAt)
    for (const node of spread(nodes, before, () => false)) budgets[node]!.push(name)
  return { counters, budgets }
}

const add = (map: Map<string, Set<number>>, key: string, node: number): void => {
  map.set(key, (map.get(key) ?? new Set()).add(node))
}

/** All nodes that the given ones are joined with, over links that do not stop it. */
function spread(
  from: ReadonlySet<number>,
  links: readonly (readonly Link[])[],
  stops: (link: Link) => boolean,
): Set<number> {
  const seen = new Set(from)
  for (const open = [...from]; open.length > 0; )
    for (const link of links[open.pop()!]!) {
      if (seen.has(link.node) || stops(link)) continue
      seen.add(link.node)
      open.push(link.node)
    }
  return seen
}
