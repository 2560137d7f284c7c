/** The decision that somebody names: by its id, or by the run that asks it. */
import type { ListedDecision } from '../../host/inbox/decisions.ts'
import type { Operations, Rejection } from '../../host/operations.ts'
import { actorText } from '../../model/answer.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { EXIT } from '../exit.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface AtDoor {
  readonly terminal: Terminal
  readonly operations: Operations
  /** What there is then, as data instead of words. */
  readonly json?: boolean | undefined
}

export interface NotFound {
  readonly problem: string
  readonly exit: number
}

/** An id, or a run that has exactly one open question. */
export async function findDecision(
  operations: Operations,
  prefix: string,
  question?: string,
): Promise<{ readonly id: string } | NotFound> {
  const named = await findNamed(operations, prefix, question)
  if (!('run' in named)) return named
  const { run } = named
  const open = await decisionsOf(operations, run, 'open')
  if ('problem' in open) return { problem: open.problem, exit: EXIT.failed }
  const fitting = open.filter((row) => question === undefined || row.question === question)
  const [only] = fitting
  if (only !== undefined && fitting.length === 1) return { id: only.id }
  if (fitting.length > 1)
    return {
      problem: `Run ${run} asks several things. Say which with --question, or by the id: ${fitting.map((row) => `${row.question} (${row.id})`).join(', ')}`,
      exit: EXIT.failed,
    }
  const exit = question === undefined ? EXIT.failed : EXIT.usage
  return { problem: await nothingAsked(operations, run, question), exit }
}

/** A decision, or a run. */
export async function findNamed(
  operations: Operations,
  prefix: string,
  question?: string,
): Promise<{ readonly id: string } | { readonly run: string } | NotFound> {
  const usage = (problem: string): NotFound => ({ problem, exit: EXIT.usage })
  if (question === undefined) {
    const found = await operations.decisions.find(prefix)
    if (!('problem' in found)) return found
    if (found.code === 'ambiguous') return usage(found.problem)
  }
  const run = await operations.find(prefix)
  if (!('problem' in run)) return run
  if (question !== undefined || run.code === 'ambiguous') return usage(run.problem)
  return usage(
    `There is no decision and no run "${prefix}". signalbox decision list --all lists decisions, signalbox ps --all runs.`,
  )
}

const MOST = 200

export async function decisionsOf(
  operations: Operations,
  run: string,
  status: 'open' | 'all',
): Promise<readonly ListedDecision[] | Rejection> {
  const page = await operations.decisions.list({ status, run, snoozed: true, cursor: null, limit: MOST })
  return 'problem' in page ? page : page.rows
}

/** What a run asks now, whole, and the oldest first. */
export async function openIn(operations: Operations, run: string): Promise<readonly DecisionRecord[]> {
  const rows = await decisionsOf(operations, run, 'open')
  if ('problem' in rows) return []
  const records = await Promise.all(rows.map(({ id }) => operations.decisions.show(id)))
  return records
    .flatMap((record) => ('problem' in record || record.status !== 'open' ? [] : [record]))
    .toSorted((a, b) => a.openedAt - b.openedAt)
}

/** Who was first, for whoever comes too late. */
async function nothingAsked(
  operations: Operations,
  run: string,
  question: string | undefined,
): Promise<string> {
  const rows = await decisionsOf(operations, run, 'all')
  const latest =
    'problem' in rows
      ? undefined
      : rows.find((row) => row.by !== null && (question === undefined || row.question === question))
  return [
    question === undefined
      ? `Run ${run} asks nothing of you now.`
      : `Run ${run} has no open question ${question}.`,
    ...(latest === undefined ? [] : [wonText(latest)]),
  ].join(' ')
}

const wonText = ({ question, by, pick }: Pick<ListedDecision, 'question' | 'by' | 'pick'>): string =>
  by === null
    ? ''
    : `${question} was answered by ${actorText(by)} ${pick === '' ? 'in words' : `with ${pick}`}.`
