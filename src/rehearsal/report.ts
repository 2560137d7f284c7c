/** What a rehearsal found: ends, coverage, worst cases, and whether they are the certificate's. */
import type { Certificate, Worst } from '../model/certificate.ts'
import type { Program } from '../model/program.ts'
import { backwards } from '../runbook/topological.ts'
import { actText } from './act.ts'
import { armsOf, type Rehearsal } from './rehearse.ts'

export interface RehearsalReport {
  readonly runbook: string
  readonly states: number
  readonly moves: number
  readonly complete: boolean
  /** End → the shortest way to it. */
  readonly ends: readonly { readonly end: string; readonly moves: number }[]
  readonly routes: { readonly taken: number; readonly all: number; readonly missed: readonly string[] }
  readonly worst: Worst
  readonly visits: Readonly<Record<string, number>>
  /** Where a complete rehearsal differs from the certificate, or exceeds what it only bounds. */
  readonly disagreements: readonly string[]
  readonly problems: readonly { readonly message: string; readonly way: readonly string[] }[]
}

export function reportOf(rehearsal: Rehearsal, certificate: Certificate): RehearsalReport {
  const { program, states, complete } = rehearsal
  const order = complete ? backwards(rehearsal.moves) : null
  const arms = armsOf(program)
  const missed = arms.flatMap(({ step, outcome, arm }) =>
    rehearsal.taken.get(step)?.get(outcome)?.[arm] !== undefined
      ? []
      : [`${step}: ${outcome}${arm === 0 ? '' : ` (then ${arm})`}`],
  )
  const worst = order === null ? NOTHING : worstOf(rehearsal, order)
  const visits = order === null ? {} : visitsOf(rehearsal, order, program)
  return {
    runbook: program.name,
    states: states.length,
    moves: rehearsal.moves.to.length,
    complete,
    ends: states.flatMap((state, id) =>
      state.isEnd ? [{ end: state.place, moves: wayTo(rehearsal, id).length }] : [],
    ),
    routes: { taken: arms.length - missed.length, all: arms.length, missed },
    worst,
    visits,
    disagreements: order === null ? [] : compare({ worst, visits }, certificate),
    problems: [
      ...rehearsal.problems.map(({ state, message }) => ({ message, way: wayTo(rehearsal, state) })),
      ...(complete && order === null ? [{ message: 'some run never ends', way: [] }] : []),
    ],
  }
}

const NOTHING: Worst = { visits: 0, dispatches: 0, questions: 0, flowQuestions: 0, agentQuestions: 0 }

/** The moves from the start to a state, as lines of a scenario: `step: what happened`. */
export function wayTo({ states }: Rehearsal, state: number): string[] {
  const way: string[] = []
  for (let { from } = states[state]!; from !== null; from = states[from.state]!.from)
    if (from.act.kind !== 'context') way.unshift(`${states[from.state]!.place}: ${actText(from.act)}`)
  return way
}

/** The heaviest run, by what each move weighs. */
function most(
  { states, moves: { first, to } }: Rehearsal,
  order: Int32Array,
  weigh: (move: number) => number,
): number {
  const best = new Float64Array(states.length)
  for (const id of order) {
    let highest = 0
    for (let move = first[id]!; move < first[id + 1]!; move++) {
      const weight = weigh(move) + best[to[move]!]!
      if (weight > highest) highest = weight
    }
    best[id] = highest
  }
  return best[0]!
}

/** The first step is entered by the start itself, before any move. */
function worstOf(rehearsal: Rehearsal, order: Int32Array): Worst {
  const { totals } = rehearsal.start
  const { visits, dispatches, flowQuestions, agentQuestions } = rehearsal.moves
  return {
    visits: totals.visits + most(rehearsal, order, (move) => visits[move]!),
    dispatches: totals.dispatches + most(rehearsal, order, (move) => dispatches[move]!),
    questions:
      totals.flowQuestions + most(rehearsal, order, (move) => flowQuestions[move]! + agentQuestions[move]!),
    flowQuestions: totals.flowQuestions + most(rehearsal, order, (move) => flowQuestions[move]!),
    agentQuestions: totals.agentQuestions + most(rehearsal, order, (move) => agentQuestions[move]!),
  }
}

function visitsOf(rehearsal: Rehearsal, order: Int32Array, program: Program): Record<string, number> {
  const { entered, entries } = rehearsal.moves
  return Object.fromEntries(
    Object.keys(program.steps).map((name) => {
      const counts = entries.map((steps) => steps.filter((step) => step === name).length)
      const later = most(rehearsal, order, (move) => (entered[move]! < 0 ? 0 : counts[entered[move]!]!))
      return [name, (rehearsal.start.visits[name] ?? 0) + later]
    }),
  )
}

function compare(
  { worst, visits }: Pick<RehearsalReport, 'worst' | 'visits'>,
  certificate: Certificate,
): string[] {
  const differs = (rehearsed: number, certified: number): boolean =>
    certificate.exact ? rehearsed !== certified : rehearsed > certified
  const told = (what: string, rehearsed: number, certified: number): string[] =>
    differs(rehearsed, certified)
      ? [`${what}: rehearsed ${rehearsed}, certified ${certificate.exact ? '' : 'at most '}${certified}`]
      : []
  return [
    ...(Object.keys(worst) as (keyof Worst)[]).flatMap((measure) =>
      told(measure, worst[measure], certificate.worst[measure]),
    ),
    ...certificate.steps.flatMap((bound) =>
      told(`visits of ${bound.step}`, visits[bound.step] ?? 0, bound.visits),
    ),
  ]
}
