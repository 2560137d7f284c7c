/** What entering a node adds to each number of the certificate. */
import { agentQuestionsPerVisit, dispatchesPerVisit } from '../../model/workload.ts'
import type { FlowGraph } from './flow-graph.ts'

export interface Weights {
  readonly visits: readonly number[]
  readonly dispatches: readonly number[]
  readonly flowQuestions: readonly number[]
  readonly agentQuestions: readonly number[]
}

export function weightsOf({ program, nodes }: FlowGraph): Weights {
  const steps = nodes.map(({ kind, name }) => (kind === 'work' ? program.steps[name] : undefined))
  // Beyond the limit nobody begins.
  const working = steps.map((step, id) => (nodes[id]!.overLimit ? undefined : step))
  return {
    visits: steps.map((step) => (step === undefined ? 0 : 1)),
    dispatches: working.map((step) => (step === undefined ? 0 : dispatchesPerVisit(program, step))),
    flowQuestions: nodes.map(({ kind }, id) => (kind === 'asked' || steps[id]?.kind === 'decide' ? 1 : 0)),
    agentQuestions: working.map((step) => (step === undefined ? 0 : agentQuestionsPerVisit(step))),
  }
}
