/**
 * The run of a command that a runbook runs, read from the file it was given: as it was when the command began. Whatever is
 * not read here is refused, also what is added to the operations one day.
 */
import { readFile } from 'node:fs/promises'
import { decisionRow } from '../../engine/index.ts'
import type { DecisionQuery, Decisions, ListedDecision } from '../../host/inbox/decisions.ts'
import type { Operations, Rejection } from '../../host/operations.ts'
import type { OwnRunFile } from '../../host/runs/own-run-file.ts'
import { isPending } from '../../model/decision-record.ts'
import { NO_DAY_LIMITS, NOTHING_SPENT } from '../../model/spending.ts'
import { ConnectionError } from './http-client.ts'

export const ONLY_ITS_RUN =
  'This is a command of a run. It can read its own run ("signalbox show", "signalbox decision list"), what others on its issue left ("signalbox history") and nothing else; answering and starting are for people.'

export async function readOwnRun(
  file: string,
): Promise<{ readonly operations: Operations } | { readonly problem: string }> {
  try {
    return { operations: operationsOn(JSON.parse(await readFile(file, 'utf8')) as OwnRunFile) }
  } catch {
    return { problem: `${ONLY_ITS_RUN} ${file} does not tell it.` }
  }
}

function operationsOn({ detail, events, decisions, history }: OwnRunFile): Operations {
  const { run, status } = detail.row
  const noRun = (asked: string): Rejection => ({
    code: 'unknown-run',
    problem: `There is no run "${asked}" here. ${ONLY_ITS_RUN}`,
  })
  return only<Operations>({
    runs: async ({ all }) => (all || status !== 'ended' ? [detail.row] : []),
    find: async (prefix) => (prefix !== '' && run.startsWith(prefix) ? { run } : noRun(prefix)),
    show: async (asked) => (asked === run ? detail : noRun(asked)),
    events: async (asked, after) => (asked === run ? events.filter(({ version }) => version > after) : []),
    decisions: decisionsOn(decisions),
    // Of another issue it is told nothing.
    history: async ({ issue }) => (detail.row.issue?.id === issue ? history : []),
    // What others use is none of its business.
    spending: async () => ({ limits: NO_DAY_LIMITS, spent: NOTHING_SPENT, closedUntil: null }),
  })
}

function decisionsOn(records: OwnRunFile['decisions']): Decisions {
  const none = (prefix: string): Rejection => ({
    code: 'unknown-decision',
    problem: `This run has no decision "${prefix}".`,
  })
  return only<Decisions>({
    list: async (query) => ({
      rows: records
        .map((record): ListedDecision => ({ ...decisionRow(record), group: 1 }))
        .filter((row) => fits(row, query))
        .slice(0, query.limit),
      next: null,
    }),
    find: async (prefix) => {
      const found = records.find(({ id }) => prefix !== '' && id.startsWith(prefix))
      return found === undefined ? none(prefix) : { id: found.id }
    },
    show: async (id) => records.find((record) => record.id === id) ?? none(id),
  })
}

/** These and no others. */
const only = <T extends object>(allowed: Partial<T>): T =>
  new Proxy(allowed, {
    get: (target, name) => (name === 'then' || name in target ? target[name as keyof T] : refused()),
  }) as T

/** Whatever is called of it, however deep it stands. */
const refused = (): unknown =>
  new Proxy(() => {}, {
    get: refused,
    apply: () => {
      throw new ConnectionError(ONLY_ITS_RUN)
    },
  })

function fits(row: ListedDecision, { status, run, kind, agent, assignee }: DecisionQuery): boolean {
  const isWanted =
    status === 'all' ||
    (status === 'pending' ? isPending(row) : status === 'closed' ? !isPending(row) : row.status === status)
  return (
    isWanted &&
    (run === undefined || row.run === run) &&
    (kind === undefined || row.kind === kind) &&
    (agent === undefined || row.asker?.agent === agent) &&
    (assignee === undefined || row.assignee === assignee)
  )
}
