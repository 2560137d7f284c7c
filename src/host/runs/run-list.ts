/** Runs as a list, latest first. */
import type { JournalReader } from '../../journal/index.ts'
import { RUN_FACETS, RUNS, type RunRow } from './projection.ts'

export interface RunQuery {
  /** Ended ones too. */
  readonly all: boolean
  readonly limit: number
}

export async function listRuns(
  journal: Pick<JournalReader, 'list'>,
  { all, limit }: RunQuery,
): Promise<RunRow[]> {
  // One facet after the other: only within one does the journal find its first rows without a look at all of them.
  const facets = all ? RUN_FACETS : (['open'] as const)
  const pages = await Promise.all(
    facets.map((facet) => journal.list({ model: RUNS, facet, before: null, limit })),
  )
  return pages
    .flat()
    .sort((a, b) => b.rank - a.rank || (a.key < b.key ? 1 : -1))
    .slice(0, limit)
    .map(({ data }) => data as RunRow)
}
