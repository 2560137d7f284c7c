/** Pages of decisions: from the index of what is pending or closed, filtered as asked. */
import type { Journal, Row } from '../../journal/index.ts'
import type { DecisionRow } from '../../model/decision-record.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { DecisionPage, DecisionQuery, ListedDecision } from './decisions.ts'
import { ALIKE, CLOSED, DECISIONS, PENDING } from './rows.ts'

type Reader = Pick<Journal, 'list' | 'count' | 'keysWith'>

const BATCH = 200
const MOST = 500

export async function listDecisions(
  journal: Reader,
  { query, now }: { readonly query: DecisionQuery; readonly now: number },
): Promise<DecisionPage | Rejection> {
  const facets = facetsOf(query.status)
  const from = query.cursor === null ? null : parseCursor(query.cursor)
  if (from === undefined || (from !== null && !facets.includes(from.facet)))
    return { code: 'bad-cursor', problem: 'The cursor is not one that a page of this list gave.' }
  const limit = Math.min(Math.max(1, query.limit), MOST)
  const rows: { readonly line: DecisionRow; readonly facet: string; readonly rank: number }[] = []
  for (const facet of facets.slice(from === null ? 0 : facets.indexOf(from.facet))) {
    let before = from?.facet === facet ? { rank: from.rank, key: from.key } : null
    // Mostly nothing is filtered out, and a page needs no more than this.
    let size = Math.min(BATCH, limit + 1)
    for (;;) {
      const batch: Row[] = await journal.list({ model: DECISIONS, facet, before, limit: size })
      for (const { data, rank, key } of batch) {
        before = { rank, key }
        const line = data as DecisionRow
        if (!matches(line, query, now)) continue
        rows.push({ line, facet, rank })
        if (rows.length > limit) break
      }
      if (rows.length > limit || batch.length < size) break
      size = BATCH
    }
    if (rows.length > limit) break
  }
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    rows: await withGroups(
      journal,
      page.map(({ line }) => line),
    ),
    next: last === undefined ? null : cursorText({ facet: last.facet, rank: last.rank, key: last.line.id }),
  }
}

/** The one decision whose id begins so. */
export async function findDecision(
  journal: Reader,
  prefix: string,
): Promise<{ readonly id: string } | Rejection> {
  const found = prefix === '' ? [] : await journal.keysWith(DECISIONS, prefix, 6)
  const only = found.find((key) => key === prefix) ?? (found.length === 1 ? found[0] : undefined)
  if (only !== undefined) return { id: only }
  if (found.length === 0) return noDecision(prefix)
  const some = found.slice(0, 5).join(', ')
  return {
    code: 'ambiguous',
    problem: `Several decisions begin with "${prefix}": ${some}. Give more of the id.`,
  }
}

export const noDecision = (id: string): Rejection => ({
  code: 'unknown-decision',
  problem: `There is no decision "${id}". signalbox decision list --all lists them.`,
})

function facetsOf(status: DecisionQuery['status']): readonly string[] {
  if (status === 'all') return [PENDING, CLOSED]
  return status === 'pending' || status === 'open' || status === 'undeliverable' ? [PENDING] : [CLOSED]
}

function matches(line: DecisionRow, query: DecisionQuery, now: number): boolean {
  const { status, run, kind, agent, assignee, repo, snoozed = false } = query
  const isOfStatus = status === 'all' || status === 'pending' || status === 'closed' || line.status === status
  const isAsleep = line.snoozedUntil !== null && line.snoozedUntil > now
  return (
    isOfStatus &&
    (snoozed || !isAsleep) &&
    (run === undefined || line.run === run) &&
    (kind === undefined || line.kind === kind) &&
    (agent === undefined || line.asker?.agent === agent) &&
    (assignee === undefined || line.assignee === assignee) &&
    (repo === undefined || line.repo === repo)
  )
}

async function withGroups(journal: Reader, lines: readonly DecisionRow[]): Promise<ListedDecision[]> {
  const sizes = new Map<string, number>()
  for (const { alike, closedAt } of lines)
    if (closedAt === null && !sizes.has(alike)) sizes.set(alike, await journal.count(ALIKE, alike))
  return lines.map((line) => ({ ...line, group: line.closedAt === null ? (sizes.get(line.alike) ?? 1) : 1 }))
}

interface Cursor {
  readonly facet: string
  readonly rank: number
  readonly key: string
}

const cursorText = ({ facet, rank, key }: Cursor): string =>
  Buffer.from(JSON.stringify([facet, rank, key])).toString('base64url')

/** Undefined where it is none. */
function parseCursor(text: string): Cursor | undefined {
  try {
    const [facet, rank, key] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    return typeof facet === 'string' && typeof rank === 'number' && typeof key === 'string'
      ? { facet, rank, key }
      : undefined
  } catch {
    return undefined
  }
}
