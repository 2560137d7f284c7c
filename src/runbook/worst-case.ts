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
    dispatches: steps.map((step) => (step === undefined ? 0 : dispatchesPerVisit(step))),
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

export function worstCase(exploration: Exploration, order: readonly number[], stepNodes: readonly number[]): Exact {
  const weights = weightsOf(exploration.graph)
  const most = (weight: readonly number[]) => longest(exploration, order, weight)[0]!
  const all = weights.flowQuestions.map((count, node) => count + weights.agentQuestions[node]!)
  const lengths = longest(exploration, order, weights.visits)
  return {
    worst: {
      visits: lengths[0]!,
      dispatches: most(weights.dispatches),
      questions: most(all),
      flowQuestions: most(weights.flowQuestions),
      agentQuestions: most(weights.agentQuestions),
    },
    visits: new Map(stepNodes.map((node) => [node, mostVisits(exploration, order, node)])),
    longestPath: follow(exploration, lengths, weights.visits),
  }
}

/** For each state the heaviest way from it to an end, its own weight included. */
function longest({ states }: Exploration, order: readonly number[], weight: readonly number[]): number[] {
  const best = new Array<number>(states.length).fill(0)
  for (const id of order) {
    const state = states[id]!
    let rest = 0
    for (const { to } of state.moves) if (best[to]! > rest) rest = best[to]!
    best[id] = rest + weight[state.node]!
  }
  return best
}

function mostVisits({ states }: Exploration, order: readonly number[], node: number): number {
  const best = new Uint32Array(states.length)
  for (const id of order) {
    const state = states[id]!
    let rest = 0
    for (const { to } of state.moves) if (best[to]! > rest) rest = best[to]!
    best[id] = rest + (state.node === node ? 1 : 0)
  }
  return best[0]!
}

function follow({ states }: Exploration, best: readonly number[], weight: readonly number[]): number[] {
  const path: number[] = []
  for (let id: number | undefined = 0; id !== undefined; ) {
    const state: Exploration['states'][number] = states[id]!
    if (weight[state.node]! > 0) path.push(state.node)
    id = state.moves.map((move) => move.to).sort((a, b) => best[b]! - best[a]!)[0]
  }
  return path
}

/** The states, each after all it leads to; or null where there is a cycle. */
export function backwards({ states }: Exploration): number[] | null {
  const order: number[] = []
  const mark = new Uint8Array(states.length)
  const open: [id: number, next: number][] = [[0, 0]]
  mark[0] = 1
  while (open.length > 0) {
    const top = open[open.length - 1]!
    const [id, next] = top
    const move = states[id]!.moves[next]
    if (move === undefined) {
      mark[id] = 2
      order.push(id)
      open.pop()
      continue
    }
    top[1]++
    if (mark[move.to] === 1) return null
    if (mark[move.to] === 0) {
      mark[move.to] = 1
      open.push([move.to, 0])
    }
  }
  return order
}
