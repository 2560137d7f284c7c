/** The worst case of an exploration by every measure the certificate speaks of. */
import type { Worst } from '../../model/certificate.ts'
import type { FlowGraph } from './flow-graph.ts'
import { longestPath } from './longest-path.ts'
import { createMeasures, type Detail, TOTALS } from './measures.ts'
import type { Summary } from './walk.ts'

export interface WorstCase {
  readonly worst: Worst
  /** Step → most visits in one run. Steps that no run reaches are left out; all of them, where only the run was asked for. */
  readonly visits: ReadonlyMap<string, number>
  /** The nodes of a longest run, in order. */
  readonly longestPath: () => number[]
}

/** Moves times measures that are worth computing. */
const MOST_EFFORT = 500_000_000

/** Null where it would take too long. */
export function worstCase(graph: FlowGraph, summary: Summary, detail: Detail = 'steps'): WorstCase | null {
  const measures = createMeasures(graph, detail)
  if (measures.effort(summary) > MOST_EFFORT) return null
  const steps = measures.stepsIn(summary.walk)
  const width = TOTALS.length + steps.length
  const most = new Float64Array(width)
  measures.heaviest(summary).forEach((weight, at) => {
    const measure = at % width
    if (weight > most[measure]!) most[measure] = Math.min(weight, Number.MAX_SAFE_INTEGER)
  })
  const [visits, dispatches, questions, flowQuestions, agentQuestions] = most
  return {
    worst: {
      visits: visits!,
      dispatches: dispatches!,
      questions: questions!,
      flowQuestions: flowQuestions!,
      agentQuestions: agentQuestions!,
    },
    visits: new Map(steps.map((step, at) => [step, most[TOTALS.length + at]!])),
    longestPath: () => longestPath(graph, summary, measures),
  }
}
