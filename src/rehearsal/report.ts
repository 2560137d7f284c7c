/** What a rehearsal found: ends, coverage, worst cases, and whether they are the certificate's. */
import type { RunState, Totals } from '../engine/state.ts'
import type { Certificate, Worst } from '../model/certificate.ts'
import type { Program } from '../model/program.ts'
import { backwards } from '../runbook/proof/topological.ts'
import { actText } from './act.ts'
import type { Effect } from './move-log.ts'
import type { Rehearsal, Stopped } from './rehearse.ts'
import { armsOf } from './routes-taken.ts'

export interface RehearsalReport {
  readonly runbook: string
  readonly states: number
  readonly moves: number
  readonly complete: boolean
  /** Why it ended before everything was walked; null where it did not. */
  readonly stopped: Stopped | null
  /** States that were met and not gone on from. */
  readonly waiting: number
  /** End → the shortest way to it. */
  readonly ends: readonly { readonly end: string; readonly moves: number }[]
  readonly routes: { readonly taken: number; readonly all: number; readonly missed: readonly string[] }
  /** Null where not everything was walked. */
  readonly worst: Worst | null
  readonly visits: Readonly<Record<string, number>>
  /** Whether the certificate's numbers are worst cases that are reached, and no mere bounds. */
  readonly exact: boolean
  /** Where a complete rehearsal differs from the certificate, or exceeds what it only bounds. */
  readonly disagreements: readonly string[]
  readonly problems: readonly { readonly message: string; readonly way: readonly string[] }[]
}

export function reportOf(rehearsal: Rehearsal, certificate: Certificate): RehearsalReport {
  const { program, states, stopped, waiting } = rehearsal
  const complete = stopped === null
  const ways = { ...rehearsal.moves.packed(), effects: rehearsal.moves.effects }
  const order = complete ? backwards(ways) : null
  const arms = armsOf(program)
  const missed = arms.flatMap(({ step, outcome, arm }) =>
    rehearsal.taken.of(step, outcome)[arm] !== undefined
      ? []
      : [`${step}: ${outcome}${arm === 0 ? '' : ` (then ${arm})`}`],
  )
  const worst = order === null ? null : worstOf(rehearsal.start, ways, order)
  const visits = order === null ? {} : visitsOf(rehearsal.start, ways, order, program)
  return {
    runbook: program.name,
    states: states.length,
    moves: rehearsal.moves.length,
    complete,
    stopped,
    waiting,
    ends: endsOf(rehearsal),
    routes: { taken: arms.length - missed.length, all: arms.length, missed },
    worst,
    visits,
    exact: certificate.exact,
    disagreements: worst === null ? [] : compare({ worst, visits }, certificate),
    problems: [
      ...rehearsal.problems.map(({ state, message }) => ({ message, way: wayTo(rehearsal, state) })),
      ...(complete && order === null ? [{ message: 'some run never ends', way: [] }] : []),
    ],
  }
}

/** The moves from the start to a state, as lines of a scenario: `step: what happened`. */
export function wayTo({ states }: Rehearsal, state: number): string[] {
  const way: string[] = []
  for (let from = states.from(state); from !== null; from = states.from(from.state))
    if (from.act.kind !== 'context') way.push(`${states.place(from.state)}: ${actText(from.act)}`)
  return way.reverse()
}

function endsOf(rehearsal: Rehearsal): RehearsalReport['ends'] {
  const { states } = rehearsal
  const ends: { end: string; moves: number }[] = []
  for (let id = 0; id < states.length; id++)
    if (states.isEnd(id)) ends.push({ end: states.place(id), moves: wayTo(rehearsal, id).length })
  return ends
}

type Ways = ReturnType<Rehearsal['moves']['packed']> & Pick<Rehearsal['moves'], 'effects'>

/** The heaviest run, by what each effect weighs. */
function most(
  { first, to, effect, effects }: Ways,
  order: Int32Array,
  weigh: (effect: Effect) => number,
): number {
  const weights = effects.map(weigh)
  const best = new Float64Array(first.length - 1)
  for (const id of order) {
    let highest = 0
    for (let move = first[id]!; move < first[id + 1]!; move++) {
      const weight = weights[effect[move]!]! + best[to[move]!]!
      if (weight > highest) highest = weight
    }
    best[id] = highest
  }
  return best[0]!
}

/** The first step is entered by the start itself, before any move. */
function worstOf({ totals }: RunState, ways: Ways, order: Int32Array): Worst {
  const heaviest = (weigh: (one: Totals) => number): number => weigh(totals) + most(ways, order, weigh)
  return {
    visits: heaviest(({ visits }) => visits),
    dispatches: heaviest(({ dispatches }) => dispatches),
    questions: heaviest(({ flowQuestions, agentQuestions }) => flowQuestions + agentQuestions),
    flowQuestions: heaviest(({ flowQuestions }) => flowQuestions),
    agentQuestions: heaviest(({ agentQuestions }) => agentQuestions),
  }
}

function visitsOf(
  { visits }: RunState,
  ways: Ways,
  order: Int32Array,
  { steps }: Program,
): Record<string, number> {
  return Object.fromEntries(
    Object.keys(steps).map((name) => {
      const entries = ({ entered }: Effect) => entered.filter((step) => step === name).length
      return [name, (visits[name] ?? 0) + most(ways, order, entries)]
    }),
  )
}

function compare(
  { worst, visits }: { readonly worst: Worst; readonly visits: RehearsalReport['visits'] },
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
