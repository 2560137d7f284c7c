/** Runs as a list, and the one of them that the beginning of an id means. */
import type { JournalReader } from '../../journal/index.ts'
import type { Rejection } from '../../model/refusal.ts'
import { takenAway } from '../record/tombstones.ts'
import { noRun } from './no-run.ts'
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

export async function findRun(
  journal: Pick<JournalReader, 'keysWith' | 'read'>,
  prefix: string,
): Promise<{ readonly run: string } | Rejection> {
  // An empty text is a variable that was not set, and not a wish for whichever run there is.
  const found = prefix === '' ? [] : await journal.keysWith(RUNS, prefix, 6)
  const exact = found.find((key) => key === prefix)
  if (exact !== undefined) return { run: exact }
  const [only] = found
  if (only === undefined) return (await takenAway(journal, prefix)) ?? noRun(prefix)
  if (found.length === 1) return { run: only }
  const some = found.slice(0, 5).join(', ')
  return { code: 'ambiguous', problem: `Several runs begin with "${prefix}": ${some}. Give more of the id.` }
}
