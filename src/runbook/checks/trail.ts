/** A way through the flow, told to a person: `review —reject→ develop`. */
import type { Choice, FlowGraph, GraphNode } from '../proof/flow-graph.ts'

function tellMove(graph: FlowGraph, from: number, choice: Choice, to: number): string | null {
  const node = graph.nodes[from]!
  // Entering an inlined flow is part of the move that leads to it.
  if (choice.kind === 'enter') return null
  const target = graph.nodes[to]!
  const destination = target.kind === 'asked' ? 'a person is asked' : placeName(target)
  return `${placeName(node)} —${choice.outcome}${choice.settled ? ' (settled)' : ''}→ ${destination}`
}

/** The way out of an inlined flow is the flow step itself. */
const placeName = ({ kind, name }: GraphNode): string =>
  kind === 'exit' ? name.slice(0, name.lastIndexOf(':')) : name

export function tellWay(
  graph: FlowGraph,
  way: readonly { from: number; choice: Choice; to: number }[],
): string[] {
  return way.flatMap(({ from, choice, to }) => tellMove(graph, from, choice, to) ?? [])
}
