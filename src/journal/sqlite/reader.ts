/** The reading half of a journal in SQLite; alone, it serves other processes while the host writes. */
import { type ChainLink, storedEvent } from '../chain.ts'
import type { JournalReader, ListRequest, Row, Ticket } from '../journal.ts'
import { heldAgainst } from '../kept-bytes.ts'
import { type Database, openDatabase } from './database.ts'
import { requireCurrentFormat } from './migrations.ts'
import { createStreamEvents } from './stream-events.ts'
import { preparedVerify } from './verify.ts'

export async function openSqliteReader({ file }: { readonly file: string }): Promise<JournalReader> {
  return openDatabase({
    file,
    mode: 'read',
    use(db) {
      requireCurrentFormat(db, file)
      return { ...createSqliteReads(db), close: async () => (db.isOpen ? db.close() : undefined) }
    },
  })
}

export type SqliteReads = Omit<JournalReader, 'close'>

export function createSqliteReads(db: Database): SqliteReads {
  const events = createStreamEvents(db)
  const readAll = db.prepare(
    'SELECT e.position, s.name AS stream, e.version, e.type, e.at, e.data AS text, e.hash FROM events e ' +
      'JOIN streams s ON s.id = e.stream WHERE e.position > ? ORDER BY e.position LIMIT ?',
  )
  const tickets = db.prepare(
    'SELECT t.id, s.name AS stream, t.kind, t.due_at AS dueAt, t.data FROM tickets t ' +
      'JOIN streams s ON s.id = t.stream WHERE s.name = ? ORDER BY t.id',
  )
  const row = db.prepare('SELECT model, key, facet, rank, data FROM rows WHERE model = ? AND key = ?')
  const keys = db.prepare(
    'SELECT key FROM rows WHERE model = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?',
  )
  const count = db.prepare('SELECT count(*) AS count FROM rows WHERE model = ? AND facet = ?')
  const blob = db.prepare('SELECT bytes FROM blobs WHERE digest = ?')
  const list = preparedLists(db)

  return {
    read: async (stream, afterVersion) => events.after(stream, afterVersion).map(storedEvent),
    readAll: async (afterPosition, limit) =>
      (readAll.all(afterPosition, limit) as ChainLink[]).map(storedEvent),
    ticketsOf: async (stream) => (tickets.all(stream) as Filed[]).map((filed) => unfiled<Ticket>(filed)),
    async row(model, key) {
      const found = row.get(model, key) as Filed | undefined
      return found === undefined ? null : unfiled<Row>(found)
    },
    list: async (request) => list(request),
    keysWith: async (model, prefix, limit) =>
      (keys.all(model, prefix, `${prefix}\u{10FFFF}`, limit) as { key: string }[]).map(({ key }) => key),
    count: async (model, facet) => (count.get(model, facet) as { count: number }).count,
    async fetch(digest) {
      const found = blob.get(digest) as { bytes: Uint8Array } | undefined
      return found === undefined ? null : heldAgainst(digest, found.bytes, () => undefined)
    },
    verify: preparedVerify(db, events),
  }
}

interface Filed {
  readonly data: string
}

const unfiled = <T extends { readonly data: unknown }>(filed: Filed): T =>
  ({ ...filed, data: JSON.parse(filed.data) }) as unknown as T

/** Keys are picked within the index first, so that a list over all facets sorts no data. */
function preparedLists(db: Database): (request: ListRequest) => Row[] {
  const prepare = (where: string) =>
    db.prepare(
      'SELECT model, key, facet, rank, data FROM rows WHERE model = ?1 AND key IN ' +
        `(SELECT key FROM rows WHERE model = ?1 ${where} ORDER BY rank DESC, key DESC LIMIT ?2) ` +
        'ORDER BY rank DESC, key DESC',
    )
  const first = prepare('')
  const next = prepare('AND (rank, key) < (?3, ?4)')
  const firstOfFacet = prepare('AND facet = ?3')
  const nextOfFacet = prepare('AND (rank, key) < (?3, ?4) AND facet = ?5')
  return ({ model, facet, before, limit }) => {
    const place = before === null ? [] : [before.rank, before.key]
    const rest = facet === null ? place : [...place, facet]
    const all = facet === null ? first : firstOfFacet
    const after = facet === null ? next : nextOfFacet
    return ((before === null ? all : after).all(model, limit, ...rest) as Filed[]).map((filed) =>
      unfiled<Row>(filed),
    )
  }
}
