/** What the host before this one may not have told: every pending decision, and every thread that is not at its end. */
import type { Journal, ListRequest, Row } from '../../journal/index.ts'
import type { DecisionRow } from '../../model/decision-record.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { DecisionPage, Decisions } from '../inbox/decisions.ts'
import { THREADS, type ThreadRow } from './outbox.ts'

const PAGE = 200

export async function* pendingDecisions(decisions: Pick<Decisions, 'list'>): AsyncGenerator<DecisionRow> {
  let cursor: string | null = null
  do {
    const page: DecisionPage | Rejection = await decisions.list({
      status: 'pending',
      snoozed: true,
      cursor,
      limit: PAGE,
    })
    if ('problem' in page) throw new Error(page.problem)
    yield* page.rows
    cursor = page.next
  } while (cursor !== null)
}

export async function* openThreads(journal: Journal): AsyncGenerator<ThreadRow> {
  let before: ListRequest['before'] = null
  for (;;) {
    const rows: readonly Row[] = await journal.list({ model: THREADS, facet: 'open', before, limit: PAGE })
    for (const { data } of rows) yield data as ThreadRow
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    before = { rank: last.rank, key: last.key }
  }
}
