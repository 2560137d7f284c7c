/** Longest ways through an exploration without cycles, by every measure the certificate speaks of. */
import type { Worst } from '../model/certificate.ts'
import { agentQuestionsPerVisit, dispatchesPerVisit } from '../model/workload.ts'
import type { Exploration } from './exploration.ts'
import type { FlowGraph } from './flow-graph.ts'

/** What entering a node adds. */
export interface Weights {
  readonly visits: readonly number[]
  readonly dispatches: readonly number[]
  readonly flowQuestions: readonly number[]
  readonly agentQuestions: readonly number[]
}

export function weightsOf({ program, nodes }: FlowGraph): Weights {
  const steps = nodes.map(({ kind, name }) => (kind === 'work' ? program.steps[name] : undefined))
  return {
    visits: steps.map((step) => (step === undefined ? 0 : 1)),
    dispatches: steps.map((step) => (step === undefined ? 0 : dispatchesPerVisit(program, step))),
    flowQuestions: nodes.map(({ kind }, id) => (kind === 'asked' || steps[id]?.kind === 'decide' ? 1 : 0)),
    agentQuestions: steps.map((step) => (step === undefined ? 0 : agentQuestionsPerVisit(step))),
  }
}

export interface Exact {
  readonly worst: Worst
  /** Node → most visits in one run. */
  readonly visits: ReadonlyMap<number, number>
  readonly longestPath: readonly number[]
}

export function worstCase(exploration: Exploration, order: Int32Array, stepNodes: readonly number[]): Exact {
  const { graph } = exploration
  const weights = weightsOf(graph)
  const all = weights.flowQuestions.map((count, node) => count + weights.agentQuestions[node]!)
  const every = waysOf(exploration, order, () => false)
  const [visits, dispatches, questions, flowQuestions, agentQuestions] = heaviest(every, [
    weights.visits,
    weights.dispatches,
    all,
    weights.flowQuestions,
    weights.agentQuestions,
  ])
  // For visits, a question to a person or the exit of a flow is only passed through; most moves lead to or from them.
  const stays = waysOf(
    exploration,
    order,
    (node) => weights.visits[node] === 0 && graph.nodes[node]!.kind !== 'end',
  )
  const only = (node: number): number[] => graph.nodes.map(({ id }) => (id === node ? 1 : 0))
  const perStep = heaviest(stays, stepNodes.map(only))
  return {
    worst: {
      visits: visits!,
      dispatches: dispatches!,
      questions: questions!,
      flowQuestions: flowQuestions!,
      agentQuestions: agentQuestions!,
    },
    visits: new Map(stepNodes.map((node, index) => [node, perStep[index]!])),
    longestPath: longestWay(stays, weights.visits),
  }
}

/** States numbered so that each comes after all it leads to, the start last: what is read was written a moment ago. */
interface Ways {
  readonly nodes: Int32Array
  readonly first: Int32Array
  readonly to: Int32Array
}

/** The ways of an exploration, each target once, with the nodes left out that are only passed through. */
function waysOf(
  { nodes, first, to }: Exploration,
  order: Int32Array,
  passes: (node: number) => boolean,
): Ways {
  const passed = order.map((state) => (passes(nodes[state]!) ? 1 : 0))
  const places = new Int32Array(nodes.length)
  let count = 0
  order.forEach((state, at) => {
    places[state] = passed[at] === 1 ? -1 : count++
  })
  const seen = new Int32Array(nodes.length).fill(-1)
  const targets: number[] = []
  const collect = (state: number, owner: number): void => {
    for (let move = first[state]!; move < first[state + 1]!; move++) {
      const target = to[move]!
      if (seen[target] === owner) continue
      seen[target] = owner
      if (places[target] === -1) collect(target, owner)
      else targets.push(places[target]!)
    }
  }
  const starts = new Int32Array(count + 1)
  const kept = new Int32Array(count)
  for (const state of order) {
    const place = places[state]!
    if (place === -1) continue
    kept[place] = nodes[state]!
    starts[place] = targets.length
    collect(state, state)
  }
  starts[count] = targets.length
  return { nodes: kept, first: starts, to: Int32Array.from(targets) }
}

/** How many measures are taken in one pass: memory is read once for all of them. */
const LANES = 16

/** The heaviest run by each measure. */
function heaviest(ways: Ways, measures: readonly (readonly number[])[]): number[] {
  const result: number[] = []
  for (let at = 0; at < measures.length; at += LANES) {
    const lanes = measures.slice(at, at + LANES)
    const best = fromEachState(ways, lanes)
    result.push(...best.subarray(best.length - lanes.length))
  }
  return result
}

/** For each state, and each measure beside the next, the heaviest way to an end, its own weight included. */
function fromEachState({ nodes, first, to }: Ways, measures: readonly (readonly number[])[]): Int32Array {
  const lanes = measures.length
  const best = new Int32Array(nodes.length * lanes)
  const weights = Int32Array.from(
    { length: measures[0]!.length * lanes },
    (_, at) => measures[at % lanes]![Math.floor(at / lanes)]!,
  )
  for (let id = 0; id < nodes.length; id++) {
    const mine = id * lanes
    for (let move = first[id]!; move < first[id + 1]!; move++) {
      const its = to[move]! * lanes
      for (let lane = 0; lane < lanes; lane++)
        if (best[its + lane]! > best[mine + lane]!) best[mine + lane] = best[its + lane]!
    }
    const weight = nodes[id]! * lanes
    for (let lane = 0; lane < lanes; lane++) best[mine + lane]! += weights[weight + lane]!
  }
  return best
}

/** The nodes of a longest run, in order. */
function longestWay(ways: Ways, visits: readonly number[]): number[] {
  const { nodes, first, to } = ways
  const best = fromEachState(ways, [visits])
  const path: number[] = []
  for (let id = nodes.length - 1; ; ) {
    if (visits[nodes[id]!]! > 0) path.push(nodes[id]!)
    if (first[id] === first[id + 1]) return path
    let next = to[first[id]!]!
    for (let move = first[id]!; move < first[id + 1]!; move++)
      if (best[to[move]!]! > best[next]!) next = to[move]!
    id = next
  }
}
