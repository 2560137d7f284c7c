/** Every read model from the events alone. */
import { EMPTY_BOOK } from '../../engine/index.ts'
import type { Row, StoredEvent } from '../../journal/index.ts'
import type { Program } from '../../model/program.ts'
import { isStandalone, standaloneRows } from '../inbox/standalones.ts'
import { isThreadStream, threadRows } from '../notices/outbox.ts'
import { spendingRows } from '../spending/spending-rows.ts'
import { foldRun } from './loaded-run.ts'
import { rowsOf } from './projection.ts'

/** For `doctor --rebuild`: the rows of a stream, from its events alone. */
export function projectWith(programBy: (digest: string) => Promise<Program>) {
  return async (stream: string, events: readonly StoredEvent[]): Promise<readonly Row[]> => {
    if (isStandalone(stream)) return standaloneRows(events)
    if (isThreadStream(stream)) return threadRows(stream, events)
    if (!stream.startsWith('run/')) return []
    const loaded = await foldRun(events, programBy)
    return loaded === null ? [] : [...rowsOf(loaded, EMPTY_BOOK), ...spendingRows(loaded.run, loaded.spent)]
  }
}
