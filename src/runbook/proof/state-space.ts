/**
 * Every routing state of a program, one by one: a node of the flow graph together with the counters and budgets that
 * can still matter there. Finite for every program, since counters stop at their `max` and budgets only shrink;
 * without a cycle exactly when every loop is bounded. From it come the counter-examples, which are shortest ways; what
 * holds of all runs comes from `exploration.ts`, which need not look at every state.
 *
 * A state is one number (its node, and its purse as digits in a mixed radix), and moves lie in flat arrays.
 */
import { firstPayable } from '../../model/route.ts'
import type { Choice, FlowGraph } from './flow-graph.ts'
import { digitsOf } from './purse.ts'

export interface StateSpace {
  readonly graph: FlowGraph
  /** State → its node. State 0 is the start; states are numbered breadth first. */
  readonly nodes: Int32Array
  /** State → its first move; its last is before the next state's first. */
  readonly first: Int32Array
  /** Move → where it leads, which choice of its node it is, and which arm was taken. */
  readonly to: Int32Array
  readonly choices: Int32Array
  readonly arms: Int32Array
  /** State → the move and the state it was first reached by, -1 for the start. */
  readonly byMove: Int32Array
  readonly byState: Int32Array
  /** Every state was seen; otherwise the limit was met first. */
  readonly complete: boolean
}

const MOST_MOVES = 1_500_000

const known = new WeakMap<FlowGraph, StateSpace>()

/** Worked out once for a graph. */
export function stateSpaceOf(graph: FlowGraph): StateSpace {
  const space = known.get(graph) ?? everyStateOf(graph)
  known.set(graph, space)
  return space
}

function everyStateOf(graph: FlowGraph): StateSpace {
  const digits = digitsOf(graph)
  const nodes: number[] = []
  const codes: number[] = []
  const byMove: number[] = []
  const byState: number[] = []
  const first: number[] = []
  const to: number[] = []
  const choices: number[] = []
  const arms: number[] = []
  const ids = new Map<number, number>()

  const stateOf = (node: number, code: number, from: number): number => {
    const key = digits.base[node]! + code
    const met = ids.get(key)
    if (met !== undefined) return met
    const id = nodes.length
    ids.set(key, id)
    nodes.push(node)
    codes.push(code)
    byMove.push(to.length)
    byState.push(from)
    return id
  }

  const worthwhile = graph.nodes.map(({ choices: all }) => distinct(all))
  const isSmall = digits.size < Number.MAX_SAFE_INTEGER
  if (isSmall) stateOf(graph.start, digits.start, -1)
  byMove[0] = -1
  let id = 0
  for (; id < nodes.length && to.length < MOST_MOVES; id++) {
    first.push(to.length)
    const code = codes[id]!
    const node = nodes[id]!
    const { choices: all } = graph.nodes[node]!
    for (const index of worthwhile[node]!) {
      const choice = all[index]!
      const arm = firstPayable(choice.arms, choice.settled, (one) =>
        digits.affordable(node, index, one, code),
      )
      const target = stateOf(choice.arms[arm]!.to, digits.after(node, index, arm, code), id)
      to.push(target)
      choices.push(index)
      arms.push(arm)
    }
  }
  const complete = isSmall && id === nodes.length
  for (; id <= nodes.length; id++) first.push(to.length)
  const packed = (numbers: number[]): Int32Array => Int32Array.from(numbers)
  return {
    graph,
    nodes: packed(nodes),
    first: packed(first),
    to: packed(to),
    choices: packed(choices),
    arms: packed(arms),
    byMove: packed(byMove),
    byState: packed(byState),
    complete,
  }
}

/** Choices that lead the same way for free are one move: most faults of a step are. */
function distinct(choices: readonly Choice[]): number[] {
  const free = new Set<number>()
  const kept: number[] = []
  for (const [index, choice] of choices.entries()) {
    const [only, ...more] = choice.arms
    if (more.length === 0 && only!.bound === null) {
      if (free.has(only!.to)) continue
      free.add(only!.to)
    }
    kept.push(index)
  }
  return kept
}

export interface Leg {
  readonly from: number
  readonly choice: Choice
  readonly to: number
}

/** A move as the nodes it joins. */
export function legOf({ graph, nodes, to, choices }: StateSpace, state: number, move: number): Leg {
  const from = nodes[state]!
  return { from, choice: graph.nodes[from]!.choices[choices[move]!]!, to: nodes[to[move]!]! }
}

/** The moves from the start to a state, in order. */
export function wayTo(space: StateSpace, state: number): Leg[] {
  const way: Leg[] = []
  for (let at = state; space.byState[at]! >= 0; at = space.byState[at]!)
    way.unshift(legOf(space, space.byState[at]!, space.byMove[at]!))
  return way
}
