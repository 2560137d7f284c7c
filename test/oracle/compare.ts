/** What the certificate and the rehearsal say of a runbook, held against what the explorer has seen. */
import type { Certificate, Worst } from '../../src/model/certificate.ts'
import type { Program } from '../../src/model/program.ts'
import { RETRY } from '../../src/model/route.ts'
import { rehearse } from '../../src/rehearsal/rehearse.ts'
import { reportOf } from '../../src/rehearsal/report.ts'
import { certify } from '../../src/runbook/proof/certificate.ts'
import { type Exploration, exploreAll, routeName, type Witness } from './explore.ts'
import { type Measures, measure } from './measures.ts'

export interface Judgement {
  readonly places: number
  /** Too large to be seen whole: nothing is said about it. */
  readonly tooLarge: boolean
  /** What is untrue, one sentence each. */
  readonly differences: readonly string[]
}

const MOST_REHEARSED = 200_000

export function judge(program: Program, mostPlaces: number, witness?: Witness): Judgement {
  try {
    return judgeAll(program, exploreAll(program, mostPlaces, witness))
  } catch (bug) {
    return { places: 0, tooLarge: false, differences: [`the engine throws: ${(bug as Error).message}`] }
  }
}

function judgeAll(program: Program, exploration: Exploration): Judgement {
  const places = exploration.places.length
  if (!exploration.complete) return { places, tooLarge: true, differences: [] }
  const measures = measure(exploration)
  if (measures === null) return { places, tooLarge: false, differences: ['some run never ends'] }
  const certificate = certify(program)
  return {
    places,
    tooLarge: false,
    differences: [
      ...exploration.problems,
      ...againstCertificate(exploration, measures, certificate),
      ...againstRehearsal(exploration, measures, certificate),
    ],
  }
}

function againstCertificate(
  { program, taken }: Exploration,
  measures: Measures,
  certificate: Certificate,
): string[] {
  const { exact, worst, faultless, steps, ends, matrix } = certificate
  const number = (what: string, certified: number, reached: number): string[] =>
    (exact ? certified !== reached : certified < reached)
      ? [`certificate: ${what} ${certified}, reached ${reached}`]
      : []
  const reached = (step: string): boolean => (measures.visits[step] ?? 0) > 0
  return [
    ...numbers(worst, measures.worst, number),
    ...numbers(faultless, measures.faultless, (what, ...of) => number(`faultless ${what}`, ...of)),
    ...steps.flatMap(({ step, visits }) => number(`visits of ${step}`, visits, measures.visits[step]!)),
    ...sets('certificate: end', ends, measures.ends),
    // What is written can be out of reach by its author's own words; a fault is routed by us, and must be possible.
    ...matrix.flatMap(({ step, outcome, kind }) =>
      kind === 'fault' && reached(step) && !armsOf(program, step, outcome).some((arm) => taken.has(arm))
        ? [`certificate: ${step}: ${outcome} is routed and cannot happen`]
        : [],
    ),
  ]
}

function againstRehearsal(
  { program, taken }: Exploration,
  measures: Measures,
  certificate: Certificate,
): string[] {
  const report = reportOf(rehearse(program, { mostStates: MOST_REHEARSED }), certificate)
  if (report.worst === null) return ['rehearsal: it does not come to its end']
  const number = (what: string, rehearsed: number, reached: number): string[] =>
    rehearsed === reached ? [] : [`rehearsal: ${what} ${rehearsed}, reached ${reached}`]
  const missed = new Set(report.routes.missed)
  const rehearsed = allArms(program).filter((arm) => !missed.has(arm))
  return [
    ...report.problems.map(({ message }) => `rehearsal: ${message}`),
    ...report.disagreements.map((disagreement) => `rehearsal: says itself ${disagreement}`),
    ...numbers(report.worst, measures.worst, number),
    ...Object.entries(measures.visits).flatMap(([step, visits]) =>
      number(`visits of ${step}`, report.visits[step] ?? 0, visits),
    ),
    ...sets(
      'rehearsal: end',
      report.ends.map(({ end }) => end),
      measures.ends,
    ),
    ...sets('rehearsal: route', rehearsed, [...taken]),
  ]
}

type Compare = (what: string, said: number, reached: number) => string[]

const numbers = (said: Worst, reached: Worst, compare: Compare): string[] =>
  (Object.keys(reached) as (keyof Worst)[]).flatMap((what) => compare(what, said[what], reached[what]))

function sets(what: string, said: readonly string[], seen: readonly string[]): string[] {
  return [
    ...said.filter((one) => !seen.includes(one)).map((one) => `${what} ${one}, which no run comes to`),
    ...seen.filter((one) => !said.includes(one)).map((one) => `${what} ${one} is missed`),
  ]
}

const armsOf = (program: Program, step: string, outcome: string): string[] =>
  program.steps[step]!.routes[outcome]!.arms.map((_, arm) => routeName(step, outcome, arm))

/** That a retry finds no intervention left is no way a run could go: it is not offered then. */
const allArms = (program: Program): string[] =>
  Object.values(program.steps).flatMap(({ name, routes }) =>
    Object.keys(routes).flatMap((outcome) => {
      const arms = armsOf(program, name, outcome)
      return outcome === RETRY ? arms.slice(0, 1) : arms
    }),
  )
