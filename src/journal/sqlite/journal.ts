/**
 * The journal in one SQLite file, written by one process through one handle. Tickets lie in the file; who holds them
 * is known in memory only.
 */
import { StorageFailure } from '../../model/storage-failure.ts'
import { storedEvent, tombstoneHead } from '../chain.ts'
import { ERASED, ERASURES, type Erasure, type Head } from '../erasure.ts'
import type { ErasureOrder, Journal, StoredEvent } from '../journal.ts'
import { createAnnouncements, createListeners } from '../listeners.ts'
import { erasureOf, planErasure } from '../plan-erasure.ts'
import { createTicketBook } from '../ticket-book.ts'
import { blobOf, createAppendWriter, readyAppend } from './append.ts'
import { closeWriter, type Database, openDatabase, waitBriefly } from './database.ts'
import {
  applyErasure,
  compactFile,
  compactIfOwed,
  erasureSource,
  isCompactionOwed,
  overwriting,
  oweCompaction,
  tombstonesIn,
} from './erase.ts'
import { createFiledTickets, loadTickets } from './filed-tickets.ts'
import { createGroupCommit } from './group-commit.ts'
import { holdFiles, type WhatIsGone } from './held-files.ts'
import { makeRoomInLog } from './log-room.ts'
import { migrate } from './migrations.ts'
import { createSqliteReads, type ReadsOptions } from './reader.ts'
import { rebuildRows } from './rebuild.ts'
import { createStreamEvents } from './stream-events.ts'
import { createStreamHeads } from './stream-heads.ts'
import type { FiledSlip } from './ticket-changes.ts'
import { homeGone, unwritable } from './unwritable.ts'

export interface SqliteJournalOptions extends ReadsOptions {
  readonly file: string
  /** Other files that must stay where they are for as long as this is written, such as the host's lock. */
  readonly beside?: readonly string[]
}

export async function openSqliteJournal({
  file,
  beside = [],
  onUnreadable = () => {},
  ...more
}: SqliteJournalOptions): Promise<Journal> {
  return openDatabase({
    file,
    mode: 'write',
    use(db) {
      migrate(db, file)
      makeRoomInLog(db, file)
      waitBriefly(db)
      compactIfOwed(db, file)
      const whatIsGone = holdFiles([file, `${file}-wal`, ...beside])
      return createSqliteJournal({ db, file, whatIsGone, reading: { onUnreadable, ...more } })
    },
  })
}

interface OpenFile {
  readonly db: Database
  readonly file: string
  readonly whatIsGone: WhatIsGone
  readonly reading: Required<Pick<ReadsOptions, 'onUnreadable'>> & ReadsOptions
}

function createSqliteJournal({ db, file, whatIsGone, reading }: OpenFile): Journal {
  const book = createTicketBook<FiledSlip>()
  loadTickets(db, book)
  const reads = createSqliteReads(db, reading)
  const heads = createStreamHeads(db)
  const tickets = createFiledTickets({ db, book, heads, onUnreadable: reading.onUnreadable })
  const appends = createAppendWriter({ db, heads, tickets })
  const followers = createListeners<readonly StoredEvent[]>()
  const watchers = createListeners<{ readonly retired: readonly string[] }>()
  const eraseListeners = createListeners<null>()
  const announcements = createAnnouncements<Head>()
  function tellOfCommit(): void {
    const links = appends.takeLinks()
    const ticketNews = tickets.apply()
    if (followers.any && links.length > 0) followers.tell(links.map(storedEvent))
    if (ticketNews !== null) watchers.tell(ticketNews)
  }
  function forget(): void {
    tickets.forget()
    heads.forget()
    appends.forget()
  }
  const whyGone = (): StorageFailure | null => {
    const gone = whatIsGone()
    return gone === null ? null : homeGone(gone)
  }
  const commits = createGroupCommit({
    db,
    whyLost: whyGone,
    explain: (error) => unwritable(error, file),
    onCommit: tellOfCommit,
    onRollback: forget,
  })
  const anchor = db.prepare(
    'INSERT OR REPLACE INTO anchor (id, lines, chain, position, bytes) VALUES (1, ?, ?, ?, ?)',
  )

  async function erase(order: ErasureOrder): Promise<Erasure> {
    const events = createStreamEvents(db)
    const source = erasureSource(db, events, tombstonesIn(events))
    const planned = await planErasure(source, order, (stream) => reads.read(stream, 0))
    const erasure = erasureOf(planned.plan, order)
    const gone = (await Promise.all(erasure.streams.map(({ stream }) => reads.ticketsOf(stream)))).flat()
    const { version, hash } = heads.of(ERASURES)
    const event = { type: ERASED, at: order.at, data: erasure }
    const tombstone = readyAppend({
      stream: ERASURES,
      expected: version,
      events: [event],
      tickets: [],
      retire: gone.map(({ id }) => id),
      settle: null,
      rows: [],
    })
    await announcements.tell(tombstoneHead({ version, hash }, event))
    overwriting(db, () => {
      appends.write(tombstone)
      applyErasure({ db, planned, order })
      oweCompaction(db)
    })
    tellOfCommit()
    forget()
    eraseListeners.tell(null)
    return erasure
  }

  return {
    ...reads,
    async append(append) {
      const ready = readyAppend(append)
      return commits.submit(() => appends.write(ready))
    },
    follow: (listener) => followers.add(listener),
    claim: async (request) => tickets.claim(request),
    renew: async (claims, until) => book.renew(claims, until),
    async release(claim, dueAt) {
      // Mostly it was settled long ago, and nothing needs to be written.
      if (!book.holds(claim)) return
      try {
        await commits.submit(() => tickets.release(claim, dueAt))
      } catch (error) {
        if (!(error instanceof StorageFailure)) throw error
        // It may be claimed earlier after a crash: that is no harm, and a ticket that nobody gets back would be.
        tickets.releaseUnwritten(claim, dueAt)
        watchers.tell({ retired: [] })
      }
    },
    watch: (listener) => watchers.add(listener),
    nextDueAt: async (kinds) => book.nextDueAt(kinds),
    async keep(bytes) {
      const blob = blobOf(bytes)
      await commits.submit(() => appends.keep(blob))
      return blob.digest
    },
    rebuild: (project) =>
      commits.alone(async () => {
        const rebuilt = await rebuildRows({ db, read: reads.readIntact, project })
        forget()
        return rebuilt
      }),
    whyGone: () => whyGone()?.message ?? null,
    rowsUnlike: (project) => commits.alone(() => reads.rowsUnlike(project)),
    noteAnchor: ({ lines, chain, position, bytes }) =>
      commits.submit(() => void anchor.get(lines, chain, position, bytes)),
    erase: (order) =>
      commits.alone(() =>
        erase(order).catch((error: unknown) => {
          forget()
          throw unwritable(error, file)
        }),
      ),
    beforeErase: (listener) => announcements.add(listener),
    onErase: (listener) => eraseListeners.add(listener),
    compact: () =>
      commits.alone(async () => {
        try {
          return compactFile(db, file)
        } catch (error) {
          throw unwritable(error, file)
        }
      }),
    isCompactionOwed: async () => isCompactionOwed(db),
    async close() {
      await commits.close()
      if (db.isOpen) compactIfOwed(db, file)
      closeWriter(db)
    },
  }
}
