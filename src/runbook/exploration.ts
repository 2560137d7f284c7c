/**
 * Walks every routing state of a program: a node of the flow graph together with the counters and budgets that
 * can still matter there. Finite for every program, since counters stop at their `max` and budgets only shrink;
 * without a cycle exactly when every loop is bounded. From it come the exact worst cases and the counter-examples.
 */
import { type Bound, chooseArm } from '../model/route.ts'
import { type Choice, type FlowGraph, successors } from './flow-graph.ts'

export interface Move {
  readonly choice: Choice
  readonly arm: number
  readonly to: number
}

export interface RoutingState {
  readonly node: number
  readonly moves: readonly Move[]
  /** How it was first reached: the state before, and the move from there. */
  readonly from: { readonly state: number; readonly move: Move } | null
}

export interface Exploration {
  readonly graph: FlowGraph
  readonly states: readonly RoutingState[]
  /** Every state was seen; otherwise the limit was met first. */
  readonly complete: boolean
}

interface Purse {
  readonly counters: Readonly<Record<string, number>>
  readonly budgets: Readonly<Record<string, number>>
}

const MOST_MOVES = 400_000

export function explore(graph: FlowGraph, counts: (choice: Choice) => boolean, mostMoves = MOST_MOVES): Exploration {
  const live = liveness(graph)
  const states: { node: number; moves: Move[]; from: RoutingState['from'] }[] = []
  const purses: Purse[] = []
  const ids = new Map<string, number>()

  const stateOf = (node: number, purse: Purse, from: RoutingState['from']): number => {
    const key = keyOf(node, purse, live)
    const known = ids.get(key)
    if (known !== undefined) return known
    ids.set(key, states.length)
    states.push({ node, moves: [], from })
    purses.push(purse)
    return states.length - 1
  }

  stateOf(graph.start, { counters: {}, budgets: graph.program.budgets }, null)
  let moves = 0
  // Breadth first, so that `from` always tells a shortest way.
  for (let id = 0; id < states.length && moves < mostMoves; id++) {
    const state = states[id]!
    for (const choice of graph.nodes[state.node]!.choices) {
      if (!counts(choice)) continue
      const purse = purses[id]!
      const arm = choice.route === null ? 0 : chooseArm(choice.route, purse, choice.settled)
      const { to, bound } = choice.arms[arm]!
      const move = { choice, arm, to: 0 }
      move.to = stateOf(to, afterwards(purse, bound, resetOnEntry(graph, to)), { state: id, move })
      state.moves.push(move)
      moves++
    }
  }
  return { graph, states, complete: moves < mostMoves }
}

function afterwards(purse: Purse, bound: Bound | null, entered: string | null): Purse {
  let { counters, budgets } = purse
  if (bound?.kind === 'max') counters = { ...counters, [bound.counter]: (counters[bound.counter] ?? 0) + 1 }
  if (bound?.kind === 'spend') {
    budgets = { ...budgets, [bound.budget]: (budgets[bound.budget] ?? 0) - 1 }
    if (bound.pass !== null) counters = withoutScope(counters, bound.pass)
  }
  if (entered !== null) counters = withoutScope(counters, entered)
  return counters === purse.counters && budgets === purse.budgets ? purse : { counters, budgets }
}

const withoutScope = (counters: Readonly<Record<string, number>>, scope: string): Record<string, number> =>
  Object.fromEntries(Object.entries(counters).filter(([counter]) => !counter.startsWith(scope)))

/** Entering an inlined flow starts its counters again. */
function resetOnEntry(graph: FlowGraph, node: number): string | null {
  const { kind, name } = graph.nodes[node]!
  return kind === 'work' && graph.program.steps[name]?.kind === 'flow' ? `${name}/` : null
}

interface Live {
  readonly counters: readonly (readonly string[])[]
  readonly budgets: readonly (readonly string[])[]
}

function keyOf(node: number, { counters, budgets }: Purse, live: Live): string {
  let key = `${node}`
  for (const counter of live.counters[node]!) key += `,${counters[counter] ?? 0}`
  for (const budget of live.budgets[node]!) key += `;${budgets[budget] ?? 0}`
  return key
}

/**
 * The counters and budgets that can still be asked for from each node. A counter that is certain to start again
 * before it is asked for does not tell two states apart: this keeps long flows of separate loops small.
 */
export function liveness(graph: FlowGraph): Live {
  const askedAt = new Map<string, Set<number>>()
  for (const node of graph.nodes)
    for (const choice of node.choices)
      for (const { bound } of choice.arms) {
        if (bound === null) continue
        const key = bound.kind === 'max' ? `c ${bound.counter}` : `b ${bound.budget}`
        askedAt.set(key, (askedAt.get(key) ?? new Set()).add(node.id))
      }
  const before = predecessors(graph)
  const counters: string[][] = graph.nodes.map(() => [])
  const budgets: string[][] = graph.nodes.map(() => [])
  for (const [key, nodes] of askedAt) {
    const name = key.slice(2)
    const isCounter = key.startsWith('c')
    const seen = new Set(nodes)
    for (const open = [...nodes]; open.length > 0; ) {
      for (const { from, resets } of before[open.pop()!]!) {
        if (seen.has(from) || (isCounter && resets.some((scope) => name.startsWith(scope)))) continue
        seen.add(from)
        open.push(from)
      }
    }
    for (const node of seen) (isCounter ? counters : budgets)[node]!.push(name)
  }
  return { counters, budgets }
}

function predecessors(graph: FlowGraph): { from: number; resets: string[] }[][] {
  const before: { from: number; resets: string[] }[][] = graph.nodes.map(() => [])
  for (const node of graph.nodes)
    for (const choice of node.choices)
      for (const { to, bound } of choice.arms) {
        const entered = resetOnEntry(graph, to)
        const pass = bound?.kind === 'spend' ? bound.pass : null
        before[to]!.push({ from: node.id, resets: [entered, pass].filter((scope) => scope !== null) })
      }
  return before
}

/** The nodes that can be reached at all, whatever it costs. */
export function reachable(graph: FlowGraph): Set<number> {
  const seen = new Set([graph.start])
  for (const open = [graph.start]; open.length > 0; )
    for (const next of successors(graph.nodes[open.pop()!]!))
      if (!seen.has(next)) {
        seen.add(next)
        open.push(next)
      }
  return seen
}

/** The moves from the start to a state, in order. */
export function wayTo(exploration: Exploration, state: number): { state: number; move: Move }[] {
  const way: { state: number; move: Move }[] = []
  for (let from = exploration.states[state]!.from; from !== null; from = exploration.states[from.state]!.from)
    way.unshift(from)
  return way
}
