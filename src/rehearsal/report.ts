/** What a rehearsal found: ends, coverage, worst cases, and whether they are the certificate's. */
import type { Certificate, Worst } from '../model/certificate.ts'
import type { Program } from '../model/program.ts'
import { actText } from './act.ts'
import { armsOf, type Rehearsal, routeKey, type Step } from './rehearse.ts'

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
  /** Differences to the certificate; empty where they agree. Only of complete rehearsals and exact certificates. */
  readonly disagreements: readonly string[]
  readonly problems: readonly { readonly message: string; readonly way: readonly string[] }[]
}

export function reportOf(rehearsal: Rehearsal, certificate: Certificate): RehearsalReport {
  const { program, states, complete } = rehearsal
  const order = complete ? lastFirst(rehearsal) : null
  const arms = armsOf(program)
  const missed = arms.flatMap(({ step, outcome, arm }) =>
    rehearsal.taken.has(routeKey(step, outcome, arm)) ? [] : [`${step}: ${outcome}${arm === 0 ? '' : ` (then ${arm})`}`],
  )
  const worst = order === null ? NOTHING : worstOf(rehearsal, order)
  const visits = order === null ? {} : visitsOf(rehearsal, order, program)
  return {
    runbook: program.name,
    states: states.length,
    moves: states.reduce((total, state) => total + state.steps.length, 0),
    complete,
    ends: states.flatMap((state, id) =>
      state.isEnd ? [{ end: state.place, moves: wayTo(rehearsal, id).length }] : [],
    ),
    routes: { taken: arms.length - missed.length, all: arms.length, missed },
    worst,
    visits,
    disagreements: order === null || !certificate.exact ? [] : compare({ worst, visits }, certificate),
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

/** The states, each after all it leads to; null where a run could go on for ever. */
function lastFirst({ states }: Rehearsal): number[] | null {
  const order: number[] = []
  const mark = new Uint8Array(states.length)
  const open: [id: number, next: number][] = [[0, 0]]
  mark[0] = 1
  while (open.length > 0) {
    const top = open[open.length - 1]!
    const step = states[top[0]]!.steps[top[1]]
    if (step === undefined) {
      mark[top[0]] = 2
      order.push(top[0])
      open.pop()
      continue
    }
    top[1]++
    if (mark[step.to] === 1) return null
    if (mark[step.to] === 0) {
      mark[step.to] = 1
      open.push([step.to, 0])
    }
  }
  return order
}

function most({ states }: Rehearsal, order: readonly number[], weigh: (step: Step) => number): number {
  const best = new Float64Array(states.length)
  for (const id of order) {
    let highest = 0
    for (const step of states[id]!.steps) highest = Math.max(highest, weigh(step) + best[step.to]!)
    best[id] = highest
  }
  return best[0]!
}

/** The first step is entered by the start itself, before any move. */
function worstOf(rehearsal: Rehearsal, order: readonly number[]): Worst {
  const { totals } = rehearsal.start
  return {
    visits: totals.visits + most(rehearsal, order, (step) => step.visits),
    dispatches: totals.dispatches + most(rehearsal, order, (step) => step.dispatches),
    questions:
      totals.flowQuestions + most(rehearsal, order, (step) => step.flowQuestions + step.agentQuestions),
    flowQuestions: totals.flowQuestions + most(rehearsal, order, (step) => step.flowQuestions),
    agentQuestions: totals.agentQuestions + most(rehearsal, order, (step) => step.agentQuestions),
  }
}

function visitsOf(rehearsal: Rehearsal, order: readonly number[], program: Program): Record<string, number> {
  return Object.fromEntries(
    Object.keys(program.steps).map((name) => {
      const later = most(rehearsal, order, ({ entered }) => {
        let count = 0
        for (const step of entered) if (step === name) count++
        return count
      })
      return [name, (rehearsal.start.visits[name] ?? 0) + later]
    }),
  )
}

function compare({ worst, visits }: Pick<RehearsalReport, 'worst' | 'visits'>, certificate: Certificate): string[] {
  const differences: string[] = []
  for (const measure of Object.keys(worst) as (keyof Worst)[])
    if (worst[measure] !== certificate.worst[measure])
      differences.push(`${measure}: rehearsed ${worst[measure]}, certified ${certificate.worst[measure]}`)
  for (const bound of certificate.steps)
    if (visits[bound.step] !== bound.visits)
      differences.push(`visits of ${bound.step}: rehearsed ${visits[bound.step]}, certified ${bound.visits}`)
  return differences
}
