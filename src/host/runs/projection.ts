/**
 * The read models: what lists of runs and of open questions need, so that nobody has to fold ten thousand journals
 * to show a page. Pure, and made again from the events by `signalbox doctor --rebuild`.
 */
import {
  type DecisionBook,
  type OpenQuestion,
  type RunState,
  type RunView,
  runView,
} from '../../engine/index.ts'
import type { Row } from '../../journal/index.ts'
import type { RunRow } from '../../model/api/runs.ts'
import type { Fact } from '../../model/fact.ts'
import type { Program } from '../../model/program.ts'
import { decisionRows } from '../inbox/rows.ts'
import { waitingIn } from '../spending/day-wait-rows.ts'

export type Placed = Extract<Fact, { type: 'run.placed' }>

export type { RunRow }

export interface Projected {
  readonly program: Program
  readonly digest: string
  readonly state: RunState
  readonly book: DecisionBook
  readonly placed: Placed
  readonly startedAt: number
  readonly changedAt: number
  readonly success: boolean | null
  readonly discarded: boolean
}

export const RUNS = 'run'

export const RUN_FACETS = ['open', 'ended'] as const
type RunFacet = (typeof RUN_FACETS)[number]

/** The rows of a run now, and of its decisions those that have changed since `before`. */
export function rowsOf(run: Projected, before: DecisionBook): Row[] {
  const { state } = run
  const data = runRow(run)
  const row = { model: RUNS, key: state.run, facet: facetOf(data.status), rank: run.startedAt, data }
  return run.book === before ? [row] : [row, ...decisionRows(run.book, before)]
}

export function runRow(run: Projected): RunRow {
  const { program, state, placed } = run
  const view = runView(state)
  const { placement, issue } = placed
  // Written out: with every command of every run, and spreading an object costs more than all else here.
  return {
    run: view.run,
    status: view.status,
    ...(view.takenBy === undefined ? {} : { takenBy: view.takenBy }),
    step: view.step,
    visit: view.visit,
    enteredAt: state.current?.enteredAt ?? null,
    end: view.end,
    totals: view.totals,
    budgets: view.budgets,
    counters: state.counters,
    usage: view.usage,
    extended: view.extended,
    name: program.name,
    runbook: placed.runbook,
    program: run.digest,
    repo: placement.repo,
    branch: placement.branch,
    issue: issue === null ? null : { id: issue.id, title: issue.title },
    startedAt: run.startedAt,
    changedAt: run.changedAt,
    success: run.success,
    waiting: openQuestions(state),
    waitsForDay: waitingIn({ state }).length > 0,
    discarded: run.discarded,
  }
}

/** Lists ask for what is going on or for what is over. */
const facetOf = (status: RunView['status']): RunFacet => (status === 'ended' ? 'ended' : 'open')

function openQuestions({ current }: RunState): number {
  if (current === null) return 0
  // What is answered and only held waits for nobody.
  const isOpen = (question: OpenQuestion | null): boolean => question !== null && question.held === null
  let waiting = isOpen(current.question) ? 1 : 0
  for (const { question } of current.members) if (isOpen(question)) waiting++
  return waiting
}
