/** A longest run, step by step, put together from the longest ways through each region it passes. */
import type { FlowGraph } from './flow-graph.ts'
import type { Measures } from './measures.ts'
import type { Summary } from './walk.ts'
import { weightsOf } from './weights.ts'

/** The nodes of a run with the most visits, in order. */
export function longestPath(graph: FlowGraph, summary: Summary, measures: Measures): number[] {
  const { visits } = weightsOf(graph)
  const known = new Map<Summary, Arrivals>()
  const visitsTo = (one: Summary, at: number): number => {
    const heaviest = measures.heaviest(one)
    return heaviest[(heaviest.length / one.outcomes.length) * at]!
  }
  const path: number[] = []
  /** Tells the way through a region to the outcome at this place. */
  const tell = (one: Summary, at: number): void => {
    const { walk, outcomes } = one
    const arrivals = known.get(one) ?? arrivalsIn(one, visits, visitsTo)
    known.set(one, arrivals)
    for (const { state, move } of movesTo(arrivals, outcomes[at]!)) {
      const through = walk.through[state]!
      if (through !== null) tell(through, move - walk.first[state]!)
      else if (visits[walk.nodes[state]!]! > 0) path.push(walk.nodes[state]!)
    }
  }
  let longest = 0
  for (const at of summary.outcomes.keys())
    if (visitsTo(summary, at) > visitsTo(summary, longest)) longest = at
  tell(summary, longest)
  return path
}

/** How each state and each outcome is reached with the most visits; -1 for the start. */
interface Arrivals {
  readonly byMove: Int32Array
  readonly byState: Int32Array
  readonly outcomes: ReadonlyMap<number, Arrival>
}

interface Arrival {
  readonly state: number
  readonly move: number
  readonly visits: number
}

function arrivalsIn(
  { walk, order }: Summary,
  visits: readonly number[],
  visitsTo: (summary: Summary, at: number) => number,
): Arrivals {
  const { nodes, first, end, to } = walk
  const most = new Float64Array(nodes.length)
  const byMove = new Int32Array(nodes.length).fill(-1)
  const byState = new Int32Array(nodes.length).fill(-1)
  const outcomes = new Map<number, Arrival>()
  for (const state of order) {
    const through = walk.through[state]!
    for (let move = first[state]!; move < end[state]!; move++) {
      const own = through === null ? visits[nodes[state]!]! : visitsTo(through, move - first[state]!)
      const all = most[state]! + own
      const target = to[move]!
      if (target < 0) {
        if (all > (outcomes.get(~target)?.visits ?? -1)) outcomes.set(~target, { state, move, visits: all })
      } else if (byMove[target] === -1 || all > most[target]!) {
        most[target] = all
        byMove[target] = move
        byState[target] = state
      }
    }
  }
  return { byMove, byState, outcomes }
}

function movesTo(
  { byMove, byState, outcomes }: Arrivals,
  outcome: number,
): Pick<Arrival, 'state' | 'move'>[] {
  const { state, move } = outcomes.get(outcome)!
  const moves = [{ state, move }]
  for (let at = state; byMove[at] !== -1; at = byState[at]!)
    moves.push({ state: byState[at]!, move: byMove[at]! })
  return moves.reverse()
}
