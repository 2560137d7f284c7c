/** The journal of a home, and the anchor beside it. */
import { systemClock } from '../../host/machine/clock.ts'
import type { Home } from '../../host/machine/home.ts'
import { storageFailureOf } from '../../host/machine/storage.ts'
import { renewOldRows } from '../../host/runs/rebuild.ts'
import { fitsModel } from '../../host/runs/row-shapes.ts'
import { tellAlteredOnce } from '../../host/streams/apart.ts'
import { type Journal, openAnchor, openSqliteJournal } from '../../journal/index.ts'
import type { ClosingStack } from './closing-stack.ts'

export interface RecordToOpen {
  readonly home: Home
  /** Whether duties are done: then what a crash cost the anchor is made up for at once. */
  readonly work: boolean
  readonly onBug: (error: unknown) => void
  readonly say: (sentence: string) => void
}

export async function openRecord(
  { home, work, onBug, say }: RecordToOpen,
  opened: ClosingStack,
): Promise<Journal> {
  const told = new Set<string>()
  const onUnreadable = (sentence: string): void => {
    if (!told.has(sentence)) say(sentence)
    told.add(sentence)
  }
  const journal = await openSqliteJournal({
    file: home.database,
    beside: [home.lock],
    onUnreadable,
    fits: fitsModel,
  })
  opened.defer(() => journal.close())
  const anchor = openAnchor({
    file: home.anchor,
    journal,
    now: () => systemClock.now(),
    since: work ? 'crash' : 'now',
    onFailure: tellAlteredOnce((error) => {
      // Whoever writes what matters tells of the disk, or of a home that is gone; the anchor makes up for it later.
      if (storageFailureOf(error) === null && journal.whyGone() === null) onBug(error)
    }),
  })
  opened.defer(() => anchor.close())
  await renewLists(journal, say)
  return journal
}

/** Lists are nothing that a start should fail by: `signalbox doctor` tells what is wrong with them. */
async function renewLists(journal: Journal, say: RecordToOpen['say']): Promise<void> {
  try {
    const renewed = await renewOldRows(journal)
    if (renewed === null) return
    say(`The lists were made anew from ${renewed.streams} streams, for this version shows more in them.`)
    for (const { stream, why } of renewed.unmade) say(`Not those of ${stream}: ${why}`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    say(`The lists could not be made anew for this version: ${why}`)
  }
}
