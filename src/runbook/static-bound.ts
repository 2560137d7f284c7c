/**
 * The bound that needs no exploration. Per level (an inlined flow is one node of the level around it): where no
 * cycle is made of free arms only, every stretch between two paid arms visits a step at most once, and the paid
 * arms inside a step's strongly connected part can be counted. A true bound, rarely the exact one.
 */
import { scopeOf } from '../model/program.ts'
import type { FlowGraph, GraphNode } from './flow-graph.ts'

interface Level {
  readonly nodes: readonly number[]
  /** Arms of each node, an inlined flow being left for its exits at once. */
  readonly arms: ReadonlyMap<
    number,
    readonly { to: number; bound: GraphNode['choices'][number]['arms'][number]['bound'] }[]
  >
}

/** A cycle of arms that cost nothing, as nodes; null where every cycle must pay. */
export function freeCycle(graph: FlowGraph): number[] | null {
  for (const level of levelsOf(graph)) {
    const cycle = shortestCycle(level.nodes, (node) =>
      (level.arms.get(node) ?? []).flatMap(({ to, bound }) => (bound === null ? [to] : [])),
    )
    if (cycle !== null) return cycle
  }
  return null
}

/** Node → a bound of its visits. Only where there is no free cycle. */
export function visitBounds(graph: FlowGraph): Map<number, number> {
  const bounds = new Map<number, number>()
  for (const level of levelsOf(graph)) {
    const parts = components(level.nodes, (node) => (level.arms.get(node) ?? []).map((arm) => arm.to))
    for (const part of parts) {
      const inside = new Set(part)
      const paid = part.flatMap((node) => (level.arms.get(node) ?? []).filter(({ to }) => inside.has(to)))
      const budgets = new Set(paid.flatMap(({ bound }) => (bound?.kind === 'spend' ? [bound.budget] : [])))
      const counters = new Map(
        paid.flatMap(({ bound }) => (bound?.kind === 'max' ? [[bound.counter, bound.times] as const] : [])),
      )
      const restarting = new Set(
        paid.flatMap(({ bound }) => (bound?.kind === 'spend' && bound.pass !== null ? [bound.budget] : [])),
      )
      const amount = (names: ReadonlySet<string>) =>
        [...names].reduce((total, budget) => total + (graph.program.budgets[budget] ?? 0), 0)
      const spends = amount(budgets)
      const passes = 1 + amount(restarting)
      const returns = [...counters.values()].reduce((total, times) => total + times, 0)
      const entries = enteringBound(graph, part, bounds)
      for (const node of part) bounds.set(node, entries * (1 + spends + passes * returns))
    }
  }
  return bounds
}

/** How often the level itself is entered: the visits of the flow step around it. */
function enteringBound(
  graph: FlowGraph,
  part: readonly number[],
  bounds: ReadonlyMap<number, number>,
): number {
  const scope = scopeOf(stepNameOf(graph.nodes[part[0]!]!))
  const around = scope === '' ? undefined : graph.work.get(scope.slice(0, -1))
  return around === undefined ? 1 : (bounds.get(around) ?? 1)
}

const stepNameOf = ({ kind, name }: GraphNode): string =>
  kind === 'exit' ? name.slice(0, name.lastIndexOf(':')) : name

/** Outer levels first. */
function levelsOf(graph: FlowGraph): Level[] {
  const scopes = new Map<string, number[]>()
  for (const node of graph.nodes) {
    if (node.kind === 'end') continue
    const scope = scopeOf(stepNameOf(node))
    scopes.set(scope, [...(scopes.get(scope) ?? []), node.id])
  }
  const ordered = [...scopes].sort(([a], [b]) => a.length - b.length)
  return ordered.map(([, nodes]) => {
    const inside = new Set(nodes)
    const arms = new Map(
      nodes.map((id) => {
        const node = graph.nodes[id]!
        const isFlow = node.kind === 'work' && graph.program.steps[node.name]?.kind === 'flow'
        const out = isFlow
          ? nodes.flatMap((other) => {
              const { kind, name } = graph.nodes[other]!
              return kind === 'exit' && name.startsWith(`${node.name}:`) ? [{ to: other, bound: null }] : []
            })
          : node.choices.flatMap((choice) => choice.arms)
        return [id, out.filter(({ to }) => inside.has(to))] as const
      }),
    )
    return { nodes, arms }
  })
}

function shortestCycle(nodes: readonly number[], next: (node: number) => number[]): number[] | null {
  let best: number[] | null = null
  for (const part of components(nodes, next)) {
    const inside = new Set(part)
    if (part.length === 1 && !next(part[0]!).includes(part[0]!)) continue
    for (const start of part) {
      const from = new Map<number, number>()
      const open = [start]
      search: for (let node = open.shift(); node !== undefined; node = open.shift())
        for (const to of next(node)) {
          if (to === start) {
            const cycle = [node]
            while (cycle[0] !== start) cycle.unshift(from.get(cycle[0]!)!)
            if (best === null || cycle.length < best.length) best = cycle
            break search
          }
          if (inside.has(to) && !from.has(to)) {
            from.set(to, node)
            open.push(to)
          }
        }
      if (best?.length === 1) return best
    }
    if (best !== null) return best
  }
  return best
}

/** Strongly connected parts (Tarjan, without recursion). */
export function components(nodes: readonly number[], next: (node: number) => number[]): number[][] {
  const index = new Map<number, number>()
  const low = new Map<number, number>()
  const stack: number[] = []
  const onStack = new Set<number>()
  const parts: number[][] = []
  for (const root of nodes) {
    if (index.has(root)) continue
    const open: { node: number; to: number[]; at: number }[] = []
    const enter = (node: number) => {
      index.set(node, index.size)
      low.set(node, index.get(node)!)
      stack.push(node)
      onStack.add(node)
      open.push({ node, to: next(node), at: 0 })
    }
    enter(root)
    while (open.length > 0) {
      const top = open[open.length - 1]!
      const to = top.to[top.at++]
      if (to !== undefined) {
        if (!index.has(to)) enter(to)
        else if (onStack.has(to)) low.set(top.node, Math.min(low.get(top.node)!, index.get(to)!))
        continue
      }
      open.pop()
      const parent = open[open.length - 1]
      if (parent !== undefined) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(top.node)!))
      if (low.get(top.node) !== index.get(top.node)) continue
      const part: number[] = []
      for (let node = stack.pop()!; ; node = stack.pop()!) {
        onStack.delete(node)
        part.push(node)
        if (node === top.node) break
      }
      parts.push(part)
    }
  }
  return parts
}
