/** The certificate of a program that passed its checks. */
import type { Certificate, MatrixRow, Worst } from '../model/certificate.ts'
import { outcomesOf } from '../model/contract.ts'
import { digestOf } from '../model/digest.ts'
import { isFault } from '../model/fault.ts'
import { INTERVENTIONS, type Program, type Step } from '../model/program.ts'
import { RETRY, routeText, targetText } from '../model/route.ts'
import { agentQuestionsPerVisit, dispatchesPerVisit } from '../model/workload.ts'
import { type Exploration, explore, exploreProgram } from './exploration.ts'
import type { Choice, FlowGraph } from './flow-graph.ts'
import { visitBounds } from './static-bound.ts'
import { backwards } from './topological.ts'
import { type Exact, weightsOf, worstCase } from './worst-case.ts'

const noFaults = (choice: Choice) => choice.kind !== 'fault'

/** Moves times steps that are worth computing exactly. */
const MOST_WORK = 200_000_000

export function certify(program: Program): Certificate {
  const exploration = exploreProgram(program)
  const { graph } = exploration
  const exact = exactly(exploration, [...graph.work.values()])
  const atMost = exact === null ? bounded(graph) : null
  const faultless = exactly(explore(graph, noFaults), [])
  const bounds = exact?.visits ?? atMost!.visits
  const reached = new Set(exact === null ? graph.nodes.map((node) => node.id) : exploration.nodes)
  const reachedEnds = new Set(
    graph.nodes.flatMap(({ id, kind, name }) => (kind === 'end' && reached.has(id) ? [name] : [])),
  )
  return {
    runbook: program.name,
    digest: digestOf(program),
    exact: exact !== null,
    worst: exact?.worst ?? atMost!.worst,
    faultless: faultless?.worst ?? atMost?.worst ?? exact!.worst,
    steps: Object.values(program.steps).map((step) => ({
      step: step.name,
      kind: step.kind,
      visits: bounds.get(graph.work.get(step.name)!) ?? 0,
      dispatchesPerVisit: dispatchesPerVisit(program, step),
      questionsPerVisit: agentQuestionsPerVisit(step) + (step.kind === 'decide' ? 1 : 0),
    })),
    budgets: program.budgets,
    ends: Object.keys(program.ends).filter((end) => reachedEnds.has(end)),
    matrix: matrixOf(program),
    states: exploration.nodes.length,
    longestPath: exact?.longestPath.map((node) => graph.nodes[node]!.name) ?? [],
  }
}

function exactly(exploration: Exploration, steps: readonly number[]): Exact | null {
  if (!exploration.complete || exploration.to.length * steps.length > MOST_WORK) return null
  const order = backwards(exploration)
  return order === null ? null : worstCase(exploration, order, steps)
}

function bounded(graph: FlowGraph): { worst: Worst; visits: Map<number, number> } {
  const visits = visitBounds(graph)
  const weights = weightsOf(graph)
  const sum = (weight: readonly number[]) =>
    [...visits].reduce((total, [node, times]) => total + times * weight[node]!, 0)
  const flowQuestions = sum(weights.flowQuestions)
  const agentQuestions = sum(weights.agentQuestions)
  return {
    visits,
    worst: {
      visits: sum(weights.visits),
      dispatches: sum(weights.dispatches),
      questions: flowQuestions + agentQuestions,
      flowQuestions,
      agentQuestions,
    },
  }
}

function matrixOf(program: Program): MatrixRow[] {
  return Object.values(program.steps).flatMap((step) =>
    Object.entries(step.routes).map(([outcome, route]) => ({
      step: step.name,
      outcome,
      label: labelOf(step, outcome),
      kind: outcome.startsWith('@') ? 'person' : isFault(outcome) ? 'fault' : 'answer',
      origin: route.origin,
      route:
        outcome === RETRY
          ? `${targetText(route.arms[0]!.to)} (spends ${INTERVENTIONS}, while they last)`
          : routeText(route),
    })),
  )
}

/** A row of a decision table is named by its conditions. */
function labelOf(step: Step, outcome: string): string {
  const row = step.contract.rows.find((candidate) => candidate.outcome === outcome)
  if (row === undefined || !outcomesOf(step.contract).includes(outcome)) return outcome
  const conditions = Object.entries(row.when).map(([name, values]) => `${name} = ${values.join(' | ')}`)
  return conditions.length === 0 ? 'otherwise' : conditions.join(', ')
}
