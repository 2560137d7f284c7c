/**
 * Takes what was planned out of the file, with its tombstone in the same transaction. What is deleted is overwritten, and
 * `compact` writes the file anew without it, so that none of it is left in a free page or in the log.
 */
import type { ChainLink } from '../chain.ts'
import { type Edit, ERASURES, isRowToEdit, type Tombstones, tombstonesOf } from '../erasure.ts'
import type { ErasureOrder, Row } from '../journal.ts'
import { jsonText } from '../json-text.ts'
import type { ErasureSource, Planned } from '../plan-erasure.ts'
import type { Database } from './database.ts'
import { makeRoomInLog } from './log-room.ts'
import type { StreamEvents } from './stream-events.ts'
import type { StreamHead } from './stream-heads.ts'

/** Whatever is there of them: who broke their stream has not broken all that they speak of. */
export const tombstonesIn = (events: StreamEvents): Tombstones => tombstonesOf(tombstoneLinks(events))

export function tombstoneLinks(events: StreamEvents): readonly ChainLink[] {
  const head = events.head(ERASURES)
  return head === null ? [] : events.remaining(head).links
}

export function erasureSource(db: Database, events: StreamEvents, tombstones: Tombstones): ErasureSource {
  const heads = db.prepare('SELECT id, name, version, hash, last FROM streams WHERE version > 0 ORDER BY id')
  const head = db.prepare('SELECT id, name, version, hash, last FROM streams WHERE name = ?')
  const digests = db.prepare('SELECT digest FROM blobs')
  const blob = db.prepare('SELECT bytes FROM blobs WHERE digest = ?')
  const tickets = db.prepare(
    'SELECT t.id, s.name AS stream, t.data AS text FROM tickets t JOIN streams s ON s.id = t.stream',
  )
  return {
    tombstones,
    heads: () =>
      (heads.all() as unknown as StreamHead[]).map(({ name, version, hash }) => ({
        stream: name,
        version,
        hash,
      })),
    links: (stream) => events.remaining(head.get(stream) as unknown as StreamHead).links,
    digests: () => (digests.all() as { digest: string }[]).map(({ digest }) => digest),
    bytes: (digest) => (blob.get(digest) as { bytes: Uint8Array }).bytes,
    tickets: () => tickets.all() as { id: string; stream: string; text: string }[],
  }
}

export interface ErasureToApply {
  readonly db: Database
  readonly planned: Planned
  readonly order: Pick<ErasureOrder, 'edit' | 'within'>
}

/** Within the transaction going on. */
export function applyErasure({ db, planned: { plan, rows }, order }: ErasureToApply): void {
  const idOf = db.prepare('SELECT id FROM streams WHERE name = ?')
  const changeEvent = db.prepare('UPDATE events SET data = ? WHERE stream = ? AND version = ?')
  const dropEvents = db.prepare('DELETE FROM events WHERE stream = ?')
  const dropTickets = db.prepare('DELETE FROM tickets WHERE stream = ?')
  const dropStream = db.prepare('DELETE FROM streams WHERE id = ?')
  const changeBytes = db.prepare('UPDATE blobs SET bytes = ? WHERE digest = ?')
  const dropBytes = db.prepare('DELETE FROM blobs WHERE digest = ?')
  const changeTicket = db.prepare('UPDATE tickets SET data = ? WHERE id = ?')
  const id = (stream: string): number => (idOf.get(stream) as { id: number }).id
  for (const { stream, version, text } of plan.events) changeEvent.get(text, id(stream), version)
  for (const { stream } of plan.streams)
    for (const statement of [dropEvents, dropTickets, dropStream]) statement.get(id(stream))
  for (const { digest, left } of plan.bytes)
    if (left === null) dropBytes.get(digest)
    else changeBytes.get(left, digest)
  for (const ticket of plan.tickets) changeTicket.get(ticket.text, ticket.id)
  writeRows(db, rows)
  if (order.edit !== null) editRows(db, order.edit, { within: order.within, made: rows })
}

function writeRows(db: Database, rows: readonly Row[]): void {
  const put = db.prepare('INSERT OR REPLACE INTO rows (model, key, facet, rank, data) VALUES (?, ?, ?, ?, ?)')
  const drop = db.prepare('DELETE FROM rows WHERE model = ? AND key = ?')
  for (const { model, key, facet, rank, data } of rows)
    if (data === null) drop.get(model, key)
    else put.get(model, key, facet, rank, jsonText(data))
}

/** What still stands in a row comes from elsewhere than the events, such as a program's own name. */
function editRows(db: Database, edit: Edit, scope: Parameters<typeof isRowToEdit>[1]): void {
  const change = db.prepare('UPDATE rows SET data = ? WHERE model = ? AND key = ?')
  const all = db.prepare('SELECT model, key, data FROM rows').all() as {
    model: string
    key: string
    data: string
  }[]
  for (const { model, key, data } of all) {
    if (!isRowToEdit({ model, key }, scope)) continue
    const text = edit.text(data)
    if (text !== null) change.get(text, model, key)
  }
}

/** In one transaction, in which what is deleted is overwritten. */
export function overwriting(db: Database, work: () => void): void {
  db.exec('PRAGMA secure_delete = ON')
  try {
    db.exec('BEGIN IMMEDIATE')
    work()
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  } finally {
    db.exec('PRAGMA secure_delete = OFF')
  }
}

/**
 * The log holds pages as they were before: it is emptied, which waits for those who read from it. Until it was, the file
 * itself says that this is owed, whoever is killed meanwhile.
 */
export function compactFile(db: Database, file: string): boolean {
  db.exec('VACUUM')
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
  if (busy !== 0) return false
  db.exec('DELETE FROM owed_compaction')
  makeRoomInLog(db, file)
  return true
}

export const oweCompaction = (db: Database): void =>
  db.exec('INSERT OR IGNORE INTO owed_compaction VALUES (1)')

export const isCompactionOwed = (db: Database): boolean =>
  db.prepare('SELECT 1 FROM owed_compaction').get() !== undefined

/** What could not be finished before. Should it not be now, it stays owed. */
export function compactIfOwed(db: Database, file: string): void {
  try {
    if (isCompactionOwed(db)) compactFile(db, file)
  } catch {
    // Whoever wants to write is told why that cannot be.
  }
}
