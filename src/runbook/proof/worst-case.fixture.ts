/** The worst cases of a program from its state space, measure by measure, state by state: slow, and plainly right. */
import type { Worst } from '../../model/certificate.ts'
import type { StateSpace } from './state-space.ts'
import { weightsOf } from './weights.ts'

export interface WorstOfEveryState {
  readonly worst: Worst
  /** Step → most visits in one run. */
  readonly visits: ReadonlyMap<string, number>
}

/** The order: each state after all it leads to. */
export function worstOfEveryState(space: StateSpace, order: Int32Array): WorstOfEveryState {
  const { nodes, program } = space.graph
  const { visits, dispatches, flowQuestions, agentQuestions } = weightsOf(space.graph)
  const most = (weigh: (node: number) => number): number => {
    const best = new Float64Array(space.nodes.length)
    for (const state of order) {
      for (let move = space.first[state]!; move < space.first[state + 1]!; move++)
        best[state] = Math.max(best[state]!, best[space.to[move]!]!)
      best[state]! += weigh(space.nodes[state]!)
    }
    return best[0]!
  }
  return {
    worst: {
      visits: most((node) => visits[node]!),
      dispatches: most((node) => dispatches[node]!),
      questions: most((node) => flowQuestions[node]! + agentQuestions[node]!),
      flowQuestions: most((node) => flowQuestions[node]!),
      agentQuestions: most((node) => agentQuestions[node]!),
    },
    visits: new Map(
      Object.keys(program.steps).map((step) => [
        step,
        most((node) => (nodes[node]!.kind === 'work' && nodes[node]!.name === step ? 1 : 0)),
      ]),
    ),
  }
}
