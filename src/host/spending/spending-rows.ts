/** What each run used lately, for whoever adds up a day over all of them: also of those that ended. */
import type { JournalReader, Row } from '../../journal/index.ts'
import { NOTHING_SPENT, type Spent, type SpentQuarter, spentSince } from '../../model/spending.ts'

const SPENDING = 'spending'
const ALL = 'all'
const PAGE = 200

/** By when something was used last: a day is what stands first. */
export function spendingRows(run: string, spent: readonly SpentQuarter[]): Row[] {
  const last = spent.at(-1)
  return last === undefined
    ? []
    : [{ model: SPENDING, key: run, facet: ALL, rank: last.startAt, data: { spent } }]
}

export async function spentOverAll(journal: Pick<JournalReader, 'list'>, since: number): Promise<Spent> {
  let sum = NOTHING_SPENT
  for (let before: { rank: number; key: string } | null = null; ; ) {
    const rows: Row[] = await journal.list({ model: SPENDING, facet: ALL, before, limit: PAGE })
    for (const { data, rank } of rows) {
      if (rank < since) return sum
      const { costUsd, tokens } = spentSince((data as { spent: readonly SpentQuarter[] }).spent, since)
      sum = { costUsd: sum.costUsd + costUsd, tokens: sum.tokens + tokens }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return sum
    before = { rank: last.rank, key: last.key }
  }
}
