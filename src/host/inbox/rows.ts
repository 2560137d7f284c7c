/** The read models of decisions: one line for each, and who asks the same as whom. */
import { closedAt, type DecisionBook, decisionRow } from '../../engine/index.ts'
import type { Row } from '../../journal/index.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { isPending } from '../../model/decision-record.ts'
import { delayRank } from '../../model/delay.ts'

export const DECISIONS = 'decision'
/** Pending decisions by what they ask. */
export const ALIKE = 'decision-alike'
/** Pending decisions that stand in the place of others. */
export const SUPERSEDING = 'decision-superseding'
/** Decisions that were answered with one stroke. */
export const BATCH = 'decision-batch'

export const PENDING = 'pending'
export const CLOSED = 'closed'

/** The lines of those that have changed. */
export function decisionRows(book: DecisionBook, before: DecisionBook): Row[] {
  const rows: Row[] = []
  for (const question in book.records) {
    const [record, old] = [book.records[question]!, before.records[question]]
    if (record !== old) rows.push(...rowsFor(record, old ?? null))
  }
  return rows
}

export function rowsFor(record: DecisionRecord, before: DecisionRecord | null): Row[] {
  const pending = isPending(record)
  const row: Row = {
    model: DECISIONS,
    key: record.id,
    facet: pending ? PENDING : CLOSED,
    rank: pending ? delayRank(record) : (closedAt(record) ?? record.openedAt),
    data: decisionRow(record),
  }
  const rows = [row]
  const { id: key, alike, batch, supersedes, openedAt: rank } = record
  const listed = (model: string, facet: string, data: object | null): void => {
    rows.push({ model, key, facet, rank, data })
  }
  if (pending || (before !== null && isPending(before))) listed(ALIKE, alike, pending ? { id: key } : null)
  if (supersedes !== null) listed(SUPERSEDING, PENDING, pending ? { id: key, supersedes } : null)
  const batched = batch ?? before?.batch ?? null
  if (batched !== null) listed(BATCH, batched, batch === null ? null : { id: key })
  return rows
}
