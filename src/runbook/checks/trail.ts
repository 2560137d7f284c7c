/** A way through the flow, told to a person: `review —reject→ develop`. */
import type { Choice, FlowGraph } from '../flow-graph.ts'

function tellMove(graph: FlowGraph, from: number, choice: Choice, to: number): string | null {
  const node = graph.nodes[from]!
  // Entering or leaving an inlined flow, and putting a question to a person, are parts of the move they belong to.
  if (node.kind === 'exit' || choice.kind === 'enter') return null
  const target = graph.nodes[to]!
  const destination = target.kind === 'asked' ? 'a person is asked' : target.name
  return `${node.name} —${choice.outcome}${choice.settled ? ' (settled)' : ''}→ ${destination}`
}

export function tellWay(
  graph: FlowGraph,
  way: readonly { from: number; choice: Choice; to: number }[],
): string[] {
  return way.flatMap(({ from, choice, to }) => tellMove(graph, from, choice, to) ?? [])
}
