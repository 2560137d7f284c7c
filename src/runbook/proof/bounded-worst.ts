/** The worst case where looking at what can happen would take too long: a true bound, rarely the exact one. */
import type { Worst } from '../../model/certificate.ts'
import type { FlowGraph } from './flow-graph.ts'
import { exactly, visitBounds } from './static-bound.ts'
import { weightsOf } from './weights.ts'

export interface BoundedWorst {
  readonly worst: Worst
  /** Step → a bound of its visits. */
  readonly visits: ReadonlyMap<string, number>
}

export function boundedWorst(graph: FlowGraph): BoundedWorst {
  const visits = visitBounds(graph)
  const weights = weightsOf(graph)
  const sum = (weight: readonly number[]) =>
    exactly([...visits].reduce((total, [node, times]) => total + times * weight[node]!, 0))
  const flowQuestions = sum(weights.flowQuestions)
  const agentQuestions = sum(weights.agentQuestions)
  const perStep = new Map<string, number>()
  for (const [node, times] of visits) {
    const { kind, name } = graph.nodes[node]!
    if (kind === 'work') perStep.set(name, exactly((perStep.get(name) ?? 0) + times))
  }
  return {
    visits: perStep,
    worst: {
      visits: sum(weights.visits),
      dispatches: sum(weights.dispatches),
      questions: exactly(flowQuestions + agentQuestions),
      flowQuestions,
      agentQuestions,
    },
  }
}
