/**
 * The read models: what lists of runs and of open questions need, so that nobody has to fold ten thousand journals
 * to show a page. Pure, and made again from the events by `signalbox doctor --rebuild`.
 */
import { questionsOf, type RunState, type RunView, runView } from '../engine/index.ts'
import type { Row } from '../journal/index.ts'
import type { CapturedIssue, Fact } from '../model/fact.ts'
import type { Program } from '../model/program.ts'
import type { Lookup } from '../model/template.ts'

export type Placed = Extract<Fact, { type: 'run.placed' }>

export interface RunRow extends RunView {
  readonly name: string
  readonly runbook: string
  readonly program: string
  readonly repo: string
  readonly branch: string
  readonly issue: { readonly id: string; readonly title: string } | null
  readonly startedAt: number
  readonly changedAt: number
  readonly success: boolean | null
  /** Questions that lie with people. */
  readonly waiting: number
  readonly discarded: boolean
}

export interface QuestionRow {
  readonly run: string
  readonly question: string
  readonly step: string
  readonly headline: string
  readonly openedAt: number
  readonly expiresAt: number | null
}

export interface Projected {
  readonly program: Program
  readonly digest: string
  readonly state: RunState
  readonly placed: Placed
  readonly startedAt: number
  readonly changedAt: number
  readonly success: boolean | null
  readonly discarded: boolean
}

export const RUNS = 'run'
export const QUESTIONS = 'question'

/** The rows of a run now; what `before` listed and is gone is taken away. */
export function rowsOf(run: Projected, before: RunState): Row[] {
  const { program, state, placed } = run
  const open = openQuestions(run)
  const view = runView(state)
  const { placement, issue } = placed
  // Written out: with every command of every run, and spreading an object costs more than all else here.
  const data: RunRow = {
    run: view.run,
    status: view.status,
    step: view.step,
    visit: view.visit,
    end: view.end,
    totals: view.totals,
    budgets: view.budgets,
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
    waiting: open.length,
    discarded: run.discarded,
  }
  const rows: Row[] = [
    { model: RUNS, key: state.run, facet: facetOf(view.status), rank: run.startedAt, data },
  ]
  for (const question of open) rows.push(questionRow(question, question))
  for (const id of openIds(before))
    if (!open.some(({ question }) => question === id)) rows.push(goneRow(state.run, id))
  return rows
}

/** Lists ask for what is going on or for what is over. */
const facetOf = (status: RunView['status']): string => (status === 'ended' ? 'ended' : 'open')

const questionRow = (row: QuestionRow, data: QuestionRow | null): Row => ({
  model: QUESTIONS,
  key: `${row.run}:${row.question}`,
  facet: 'open',
  rank: row.openedAt,
  data,
})

const goneRow = (run: string, question: string): Row =>
  questionRow({ run, question, step: '', headline: '', openedAt: 0, expiresAt: null }, null)

const NONE: readonly never[] = []

function openIds({ current }: RunState): readonly string[] {
  if (current === null || (current.question === null && current.members.length === 0)) return NONE
  const ids = current.question === null ? [] : [current.question.id]
  for (const { question } of current.members) if (question !== null) ids.push(question.id)
  return ids
}

function openQuestions({ program, state, placed }: Projected): readonly QuestionRow[] {
  if (openIds(state).length === 0) return NONE
  // Of the world a list knows only what is in the record.
  const world: Lookup = (ref) =>
    ref.kind === 'issue' ? placed.issue?.[ref.field as keyof CapturedIssue] : undefined
  return questionsOf(program, state, world).map(({ id, step, headline, openedAt, expiresAt }) => ({
    run: state.run,
    question: id,
    step,
    headline,
    openedAt,
    expiresAt,
  }))
}
