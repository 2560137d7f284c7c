/** Every read model from the events alone. */
import { EMPTY_BOOK } from '../../engine/index.ts'
import type { Journal, Rebuilt, Row, StoredEvent } from '../../journal/index.ts'
import { orAltered } from '../../model/failure.ts'
import type { Program } from '../../model/program.ts'
import { landingRows } from '../course/landing-rows.ts'
import { isStandalone, standaloneRows } from '../inbox/standalones.ts'
import { isThreadStream, threadRows } from '../notices/outbox.ts'
import { dayWaitRows } from '../spending/day-wait-rows.ts'
import { spendingRows } from '../spending/spending-rows.ts'
import { keptProgram } from './kept-program.ts'
import { foldRun } from './loaded-run.ts'
import { RUN_FACETS, RUNS, rowsOf } from './projection.ts'
import { streamOf } from './runs.ts'

/** For `doctor --rebuild`: the rows of a stream, from its events alone. */
export function projectWith(programBy: (digest: string) => Promise<Program>) {
  return async (stream: string, events: readonly StoredEvent[]): Promise<readonly Row[]> => {
    if (isStandalone(stream)) return standaloneRows(events)
    if (isThreadStream(stream)) return threadRows(stream, events)
    if (!stream.startsWith('run/')) return []
    const loaded = await foldRun(events, programBy)
    if (loaded === null) return []
    const { run, spent } = loaded
    return [
      ...rowsOf(loaded, EMPTY_BOOK),
      ...spendingRows(run, spent),
      ...dayWaitRows(loaded, null),
      ...landingRows(loaded, null),
    ]
  }
}

/** What rows of runs were last given. A row without it was written by an older Signalbox. */
const LATEST_KEY = 'waitsForDay'

type RowsJournal = Pick<Journal, 'fetch' | 'list' | 'readIntact' | 'rebuild'>

/**
 * Rows that an older Signalbox wrote are made anew, all at once, so that the latest of each kind tells of all. Gives back what came of it; null
 * where they are as they should be.
 */
export async function renewOldRows(journal: RowsJournal): Promise<Rebuilt | null> {
  const project = projectWith((digest) => keptProgram(journal, digest))
  const areOld = await Promise.all(RUN_FACETS.map((facet) => isLatestOld(journal, facet, project)))
  return areOld.includes(true) ? journal.rebuild(project) : null
}

/** That of a run which cannot be read any more stays as it was, and says nothing of the others. */
async function isLatestOld(
  journal: RowsJournal,
  facet: string,
  project: ReturnType<typeof projectWith>,
): Promise<boolean> {
  for (let before: Row | null = null; ; ) {
    const [row]: Row[] = await journal.list({ model: RUNS, facet, before, limit: 1 })
    if (row === undefined || Object.hasOwn(row.data as object, LATEST_KEY)) return false
    const stream = streamOf(row.key)
    const made = await orAltered(async () => project(stream, await journal.readIntact(stream)))
    if (!('problem' in made)) return true
    before = row
  }
}
