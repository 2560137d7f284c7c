/** The certificate of a program that passed its checks. */
import type { Certificate, MatrixRow } from '../../model/certificate.ts'
import { digestOf } from '../../model/digest.ts'
import { isFault } from '../../model/fault.ts'
import { INTERVENTIONS, type Program, type Step } from '../../model/program.ts'
import { RETRY, routeText, targetText } from '../../model/route.ts'
import { conditionsText } from '../../model/subjects.ts'
import { agentQuestionsPerVisit, dispatchesPerVisit } from '../../model/workload.ts'
import { rolesOf } from '../roles.ts'
import { boundedWorst } from './bounded-worst.ts'
import { explore, exploreProgram, restrictedTo, wholeGraphOf } from './exploration.ts'
import type { Choice } from './flow-graph.ts'
import { worstCase } from './worst-case.ts'

const noFaults = (choice: Choice) => choice.kind !== 'fault'

/** A run of more visits is not told step by step. */
const LONGEST_TOLD = 100_000

export function certify(program: Program): Certificate {
  const checked = exploreProgram(program)
  const { graph, summary, reached, states } =
    checked.isWhole || checked.summary === null ? checked : explore(wholeGraphOf(program, checked))
  const exact = summary === null ? null : worstCase(graph, summary)
  const atMost = exact === null ? boundedWorst(graph) : null
  const withoutFaults = restrictedTo(graph, noFaults)
  const { summary: faultless } = explore(withoutFaults)
  const reachedEnds = new Set(
    graph.nodes.flatMap(({ id, kind, name }) =>
      kind === 'end' && (exact === null || reached.has(id)) ? [name] : [],
    ),
  )
  const visits = exact?.visits ?? atMost!.visits
  return {
    runbook: program.name,
    digest: digestOf(program),
    exact: exact !== null,
    worst: exact?.worst ?? atMost!.worst,
    faultless:
      (faultless === null ? null : worstCase(withoutFaults, faultless, 'run'))?.worst ??
      atMost?.worst ??
      exact!.worst,
    steps: Object.values(program.steps).map((step) => ({
      step: step.name,
      kind: step.kind,
      visits: visits.get(step.name) ?? 0,
      dispatchesPerVisit: dispatchesPerVisit(program, step),
      questionsPerVisit: agentQuestionsPerVisit(step) + (step.kind === 'decide' ? 1 : 0),
    })),
    budgets: program.budgets,
    ends: Object.keys(program.ends).filter((end) => reachedEnds.has(end)),
    matrix: matrixOf(program),
    states,
    longestPath:
      exact === null || exact.worst.visits > LONGEST_TOLD
        ? []
        : exact.longestPath().map((node) => graph.nodes[node]!.name),
    roles: rolesOf(program),
    changesIssues: Object.values(program.steps).flatMap((step) =>
      step.kind === 'check' && step.issues === 'write' ? [step.name] : [],
    ),
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
          : routeText(route, program),
    })),
  )
}

/** A row of a decision table shows its conditions, and the name it was given. */
function labelOf({ contract }: Step, outcome: string): string {
  const conditions = conditionsText(contract, outcome)
  if (conditions === '') return outcome
  const isNamed = !/^row-\d+$/.test(outcome)
  return isNamed ? `${outcome}: ${conditions}` : conditions
}
