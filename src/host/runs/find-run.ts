/** The run that the beginning of an id means. */
import type { JournalReader } from '../../journal/index.ts'
import type { Rejection } from '../../model/refusal.ts'
import { takenAway } from '../record/tombstones.ts'
import { noRun } from './no-run.ts'
import { RUNS } from './projection.ts'

export async function findRun(
  journal: Pick<JournalReader, 'keysWith' | 'tombstones'>,
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
