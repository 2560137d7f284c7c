/** All decisions that were ever put to people here, page by page. */
import type { DecisionQuery } from '../../host/inbox/decisions.ts'
import type { Operations } from '../../host/operations.ts'
import type { DecisionRow } from '../../model/decision-record.ts'
import { ConnectionError } from '../hosting/remote.ts'

const PAGE = 500

/** Those that were opened since then; of `closed` ones, those that left the inbox first are not even asked for. */
export async function readHistory(
  { decisions }: Pick<Operations, 'decisions'>,
  { status, sinceAt }: { readonly status: 'closed' | 'all'; readonly sinceAt: number },
): Promise<DecisionRow[]> {
  const rows: DecisionRow[] = []
  const query: Omit<DecisionQuery, 'cursor'> = { status, snoozed: true, limit: PAGE }
  let cursor: string | null = null
  do {
    const page = await decisions.list({ ...query, cursor })
    if ('problem' in page) throw new ConnectionError(page.problem)
    rows.push(...page.rows.filter(({ openedAt }) => openedAt >= sinceAt))
    // Latest first, by when they were closed: what follows was opened earlier still.
    const { closedAt = null } = page.rows.at(-1) ?? {}
    cursor = closedAt !== null && closedAt < sinceAt ? null : page.next
  } while (cursor !== null)
  return rows
}
