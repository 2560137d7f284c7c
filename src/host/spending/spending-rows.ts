/** What each run used lately, for whoever adds up a day over all of them: also of those that ended. */
import type { JournalReader, Row, StoredEvent } from '../../journal/index.ts'
import type { RunEvent } from '../../model/event.ts'
import { orAltered } from '../../model/failure.ts'
import {
  isSummedUp,
  NOTHING_SPENT,
  plus,
  type Spent,
  type SpentQuarter,
  spentBetween,
  spentBy,
  spentSince,
} from '../../model/spending.ts'

export const SPENDING = 'spending'
const ALL = 'all'
const PAGE = 200

type Lists = Pick<JournalReader, 'list'>

/** By when something was used last: a day is what stands first. */
export function spendingRows(run: string, spent: readonly SpentQuarter[]): Row[] {
  const last = spent.at(-1)
  return last === undefined
    ? []
    : [{ model: SPENDING, key: run, facet: ALL, rank: last.startAt, data: { spent } }]
}

export async function spentOverAll(journal: Lists, since: number): Promise<Spent> {
  let sum = NOTHING_SPENT
  for await (const { quarters } of usedSince(journal, since)) sum = plus(sum, spentSince(quarters, since))
  return sum
}

/** As it was at a moment of the past, with what was used at that very moment. */
export async function spentOverAllUntil(
  {
    journal,
    runs,
  }: {
    readonly journal: Lists
    readonly runs: { readonly events: (run: string) => Promise<readonly StoredEvent[]> }
  },
  span: { readonly since: number; readonly until: number },
): Promise<Spent> {
  let sum = NOTHING_SPENT
  for await (const { run, quarters } of usedSince(journal, span.since)) {
    const { spent, unknownSince } = spentBetween(quarters, span)
    sum = plus(sum, spent)
    if (unknownSince === null) continue
    // Of a run whose record was changed, what is certain counts.
    const events = await orAltered(() => runs.events(run))
    if ('problem' in events) continue
    for (const { data } of events) {
      const event = data as RunEvent
      if (event.type !== 'usage.recorded' || !isSummedUp(event)) continue
      if (event.at >= unknownSince && event.at <= span.until) sum = plus(sum, spentBy(event))
    }
  }
  return sum
}

/** Who used most, first. */
export async function mostSpent(
  journal: Lists,
  { since, count }: { readonly since: number; readonly count: number },
): Promise<readonly { readonly run: string; readonly spent: Spent }[]> {
  const all: { run: string; spent: Spent }[] = []
  for await (const { run, quarters } of usedSince(journal, since))
    all.push({ run, spent: spentSince(quarters, since) })
  return all
    .sort(({ spent: a }, { spent: b }) => b.costUsd - a.costUsd || b.tokens - a.tokens)
    .slice(0, count)
}

async function* usedSince(
  journal: Lists,
  since: number,
): AsyncGenerator<{ readonly run: string; readonly quarters: readonly SpentQuarter[] }> {
  for (let before: { rank: number; key: string } | null = null; ; ) {
    const rows: Row[] = await journal.list({ model: SPENDING, facet: ALL, before, limit: PAGE })
    for (const { data, rank, key: run } of rows) {
      if (rank < since) return
      yield { run, quarters: (data as { spent: readonly SpentQuarter[] }).spent }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    before = { rank: last.rank, key: last.key }
  }
}
