/** A run that is to be started, as data: what is chosen, what is sent for it, and what the host says it would come to. */

import type { ListedIssue, StartPlan } from '../../model/api/repositories.ts'
import type { RunRow, StartOrder } from '../../model/api/runs.ts'
import type { Certificate } from '../../model/certificate.ts'
import type { Program } from '../../model/program.ts'
import { worstText } from './worst-text.ts'

export interface StartDraft {
  readonly dir: string
  /** Its file. */
  readonly runbook: string
  readonly on: StartsOn
  /** Empty: the branch that is checked out. */
  readonly base: string
  readonly vars: Readonly<Record<string, string>>
}

/** What it works on: an issue of the folder, a text that becomes one, or nothing but its variables. */
export type StartsOn =
  | { readonly kind: 'issue'; readonly id: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' }

export const orderOf = (
  { dir, runbook, on, base, vars }: StartDraft,
  program: Program | null,
): StartOrder => ({
  dir,
  runbook,
  base: base.trim() === '' ? null : base.trim(),
  issue: on.kind === 'issue' ? on.id : null,
  vars: Object.fromEntries(
    Object.entries(vars).filter(
      ([name, text]) => text !== '' && (program === null || Object.hasOwn(program.vars, name)),
    ),
  ),
})

/** The first line is what it is called. */
export function issueIn(text: string): { readonly title: string; readonly body: string } {
  const [title = '', ...rest] = text.trim().split('\n')
  return { title: title.replace(/^#+\s*/, '').trim(), body: rest.join('\n').trim() }
}

export interface VarField {
  readonly name: string
  readonly isNeeded: boolean
  /** What it is where nothing is given. */
  readonly otherwise: string
}

/** A runbook that wants an `issue` need not be told twice. */
export const varFields = (program: Program | null, on: StartsOn): readonly VarField[] =>
  Object.entries(program?.vars ?? {}).flatMap(([name, { required, default: otherwise }]) =>
    name === 'issue' && on.kind !== 'nothing'
      ? []
      : [{ name, isNeeded: required && otherwise === null, otherwise: otherwise ?? '' }],
  )

export interface PlanFact {
  readonly name: string
  readonly text: string
}

export function planFacts(
  { program, ground, issue, agents }: StartPlan,
  certificate: Certificate | null,
): readonly PlanFact[] {
  const facts = [
    { name: 'From', text: ground === null ? '' : `${ground.base} at ${ground.baseCommit.slice(0, 9)}` },
    { name: 'Issue', text: issue === null ? '' : `${issue.id}, ${issue.title}` },
    {
      name: 'Agents',
      text: Object.entries(agents)
        .map(([agent, serves]) => (agent === serves ? agent : `${agent} by ${serves}`))
        .join(' · '),
    },
    { name: 'Begins at', text: program === null ? '' : (program.entry ?? program.start) },
    { name: 'Worst case', text: certificate === null ? '' : worstText(certificate.worst, certificate.exact) },
    { name: 'Limit', text: program === null ? '' : limitText(program) },
  ]
  return facts.filter(({ text }) => text !== '')
}

function limitText({ limits: { costUsd, tokens } }: Program): string {
  const parts = [
    costUsd === null ? '' : `${costUsd.toFixed(2)} USD`,
    tokens === null ? '' : `${tokens.toLocaleString('en')} tokens`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

export interface TodoIssue extends ListedIssue {
  /** The latest run on it, which is over; null: there was none. */
  readonly lastRun: RunRow | null
}

/** What nobody works on and is not done; what can begin stands first. */
export function todoOf(
  issues: readonly ListedIssue[],
  rows: readonly RunRow[],
  repo: string,
): readonly TodoIssue[] {
  const runs = rows.filter((row) => row.repo === repo && row.issue !== null)
  return issues
    .filter(
      ({ id, isDone }) =>
        !isDone && !runs.some(({ issue, status }) => issue?.id === id && status !== 'ended'),
    )
    .map((issue) => ({ ...issue, lastRun: runs.find((row) => row.issue?.id === issue.id) ?? null }))
    .sort((one, other) => turnOf(one) - turnOf(other))
}

/** What was done already may only lack its mark; what waits for others cannot begin. */
const turnOf = ({ waitsFor, lastRun }: TodoIssue): number =>
  waitsFor.length > 0 ? 2 : lastRun?.success === true ? 1 : 0
