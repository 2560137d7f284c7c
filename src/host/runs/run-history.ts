/** What runs on an issue left, latest first. Those that have not changed since are not read again. */
import { leftByRun } from '../../engine/index.ts'
import type { Journal } from '../../journal/index.ts'
import type { HistoryQuery, RunHistory } from '../../model/api/history.ts'
import type { RunEvent } from '../../model/event.ts'
import { orAltered } from '../../model/failure.ts'
import type { RunRow } from './projection.ts'
import { listRuns } from './run-list.ts'

const MOST_RUNS = 20
/** Of all there are, the latest. */
const MOST_LOOKED_AT = 2000

export type HistoryOf = (query: HistoryQuery) => Promise<readonly RunHistory[]>

export function createHistory(
  journal: Pick<Journal, 'list' | 'read' | 'onErase'>,
  streamOf: (run: string) => string,
): HistoryOf {
  const known = new Map<string, { readonly changedAt: number; readonly history: RunHistory }>()
  journal.onErase(() => known.clear())
  const historyOf = async (row: RunRow): Promise<RunHistory> => {
    const found = known.get(row.run)
    if (found?.changedAt === row.changedAt) return found.history
    const stored = await orAltered(() => journal.read(streamOf(row.run), 0))
    if ('problem' in stored) return { ...historyIn(row, []), why: stored.problem }
    const events = stored.map(({ data }) => data as RunEvent)
    const history = historyIn(row, events)
    known.set(row.run, { changedAt: row.changedAt, history })
    return history
  }
  return async ({ issue, repo }) => {
    const rows = await listRuns(journal, { all: true, limit: MOST_LOOKED_AT })
    const about = rows.filter((row) => row.issue?.id === issue && (repo === '' || row.repo === repo))
    return Promise.all(about.slice(0, MOST_RUNS).map(historyOf))
  }
}

function historyIn(row: RunRow, events: readonly RunEvent[]): RunHistory {
  const { run, name, status, step, end, success, startedAt, changedAt, branch, discarded } = row
  const left = leftByRun(events)
  return {
    ...{ run, name, status, end, success, startedAt, changedAt },
    ...left,
    why: status === 'ended' ? left.why : `It is ${status} at ${step ?? 'its beginning'}.`,
    branch: discarded ? null : branch,
  }
}
