/** The reading half of a journal in SQLite; alone, it serves other processes while the host writes. */
import { setImmediate } from 'node:timers/promises'
import { FailureError, isAltered } from '../../model/failure.ts'
import { bytesDigest } from '../bytes-digest.ts'
import { type ChainLink, intactEvents, storedEvent } from '../chain.ts'
import { type AnchorNote, type MovedHead, storedTombstones, type Tombstones } from '../erasure.ts'
import type { JournalReader, ListRequest, MissingBytes, Row, StoredEvent, Ticket } from '../journal.ts'
import { heldAgainst } from '../kept-bytes.ts'
import { erasureOf, planErasure } from '../plan-erasure.ts'
import { findRowDifferences } from '../row-difference.ts'
import { type Database, openDatabase } from './database.ts'
import { erasureSource, tombstoneLinks, tombstonesIn } from './erase.ts'
import { filedValue } from './filed-json.ts'
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

const HEADS = 'SELECT name AS stream, version, hash, last AS position FROM streams WHERE version > 0'

/** Events looked at before others get a turn. */
const AT_ONCE = 500

export type SqliteReads = Omit<JournalReader, 'close'>

/** Told in a sentence of what is left out, because somebody made something of it that cannot be read. */
export type OnUnreadable = (sentence: string) => void

export interface ReadsOptions {
  readonly onUnreadable?: OnUnreadable
  /** Whether whoever reads a line of the lists can go on from what is in it; anything by default. */
  readonly fits?: (row: Row) => boolean
}

export function createSqliteReads(
  db: Database,
  { onUnreadable = () => {}, fits = () => true }: ReadsOptions = {},
): SqliteReads {
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
  const digests = db.prepare('SELECT digest FROM blobs')
  const allRows = db.prepare('SELECT model, key, facet, rank, data FROM rows')
  const heads = db.prepare(`${HEADS} ORDER BY id`)
  // By what was written since: there may be very many that nothing has happened to.
  const movedHeads = db.prepare(
    `${HEADS} AND last > ?1 AND id IN (SELECT stream FROM events WHERE position > ?1) ORDER BY id`,
  )
  const anchor = db.prepare('SELECT lines, chain, position, bytes FROM anchor')
  const kept = db.prepare('SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM blobs')
  const fitting = (filed: Filed): Row => {
    const row = unfiled<Row>(filed)
    if (!fits(row)) throw unreadableLine(filed)
    return row
  }
  const list = preparedLists(db, { fitting, onUnreadable })
  const allLinks = (afterPosition: number): ChainLink[] => readAll.all(afterPosition, AT_ONCE) as ChainLink[]
  const tombstones = (): Tombstones => tombstonesIn(events)

  return {
    read: async (stream, afterVersion) => events.after(stream, afterVersion).map(storedEvent),
    async readIntact(stream) {
      const head = events.head(stream)
      if (head === null) return []
      const stones = onceAsked(tombstones)
      const edited = (version: number) => stones().edited(stream, version)
      return intactEvents({ stream, head, ...events.remaining(head), edited })
    },
    readAll: async (afterPosition, limit) =>
      (readAll.all(afterPosition, limit) as ChainLink[]).map(storedEvent),
    ticketsOf: async (stream) => (tickets.all(stream) as Filed[]).map((filed) => unfiledOrNot<Ticket>(filed)),
    async row(model, key) {
      const found = row.get(model, key) as Filed | undefined
      return found === undefined ? null : fitting(found)
    },
    list: async (request) => list(request),
    keysWith: async (model, prefix, limit) =>
      (keys.all(model, prefix, `${prefix}\u{10FFFF}`, limit) as { key: string }[]).map(({ key }) => key),
    count: async (model, facet) => (count.get(model, facet) as { count: number }).count,
    async fetch(digest) {
      const found = blob.get(digest) as { bytes: Uint8Array } | undefined
      return found === undefined
        ? null
        : heldAgainst(digest, found.bytes, () => tombstones().left(digest) ?? undefined)
    },
    keptBytes: async () => (kept.get() as { bytes: number }).bytes,
    verify: preparedVerify(db, events, tombstones),
    async alteredBytes() {
      const altered: string[] = []
      const stones = onceAsked(tombstones)
      for (const { digest } of digests.all() as { digest: string }[]) {
        const { bytes } = blob.get(digest) as { bytes: Uint8Array }
        const found = bytesDigest(bytes)
        if (found !== digest && found !== stones().left(digest)) altered.push(digest)
      }
      return altered
    },
    async missingBytes(namedIn) {
      const [missing, stones] = [new Map<string, MissingBytes>(), tombstones()]
      const isThere = new Set((digests.all() as { digest: string }[]).map(({ digest }) => digest))
      for (let links = allLinks(0); links.length > 0; links = allLinks(links.at(-1)!.position)) {
        for (const link of links) {
          const { stream, version } = link
          for (const digest of namesOf(link, namedIn))
            if (!isThere.has(digest) && stones.left(digest) === undefined)
              if (!missing.has(digest)) missing.set(digest, { stream, version, digest })
        }
        await setImmediate()
      }
      return [...missing.values()]
    },
    rowsUnlike: (project) =>
      atOneMoment(db, () =>
        findRowDifferences({
          streams: (heads.all() as { stream: string }[]).map(({ stream }) => stream),
          read: async (stream) => events.after(stream, 0).map(storedEvent),
          rows: (allRows.all() as Filed[]).map((filed) => unfiledOrNot<Row>(filed)),
          project,
        }),
      ),
    tombstones: async () => storedTombstones(tombstoneLinks(events)),
    heads: async (afterPosition) =>
      (afterPosition === 0 ? heads.all() : movedHeads.all(afterPosition)) as unknown as MovedHead[],
    anchorNote: async () => (anchor.get() as AnchorNote | undefined) ?? null,
    async wouldErase(order) {
      const source = erasureSource(db, events, tombstones())
      const { plan } = await planErasure(source, order, async (stream) =>
        events.after(stream, 0).map(storedEvent),
      )
      return erasureOf(plan, order)
    },
  }
}

/** What others write meanwhile is not seen. A transaction that is going on is one already. */
async function atOneMoment<T>(db: Database, look: () => Promise<T>): Promise<T> {
  if (db.isTransaction) return look()
  db.exec('BEGIN')
  try {
    return await look()
  } finally {
    db.exec('COMMIT')
  }
}

/** Mostly nobody asks, and it grows with all that was ever erased. */
function onceAsked<T>(look: () => T): () => T {
  let found: { readonly is: T } | null = null
  return () => {
    found ??= { is: look() }
    return found.is
  }
}

interface Filed {
  readonly data: string
}

type FiledRow = Omit<Row, 'data'> & Filed

function unfiled<T extends { readonly data: unknown }>(filed: Filed): T {
  const data = filedValue(filed.data)
  // Whoever reads a line of the lists looks into it.
  if (data !== undefined && data !== null) return { ...filed, data } as unknown as T
  throw unreadableLine(filed)
}

const unreadableLine = (filed: Filed): FailureError =>
  new FailureError(
    'altered',
    `A line of the lists${nameIn(filed)} was changed in the journal's store and cannot be read. Make them anew: signalbox doctor --rebuild`,
  )

const nameIn = ({ model, key }: Partial<Row>): string =>
  model === undefined || key === undefined ? '' : ` (${model} ${key})`

/** To be compared: what cannot be read is like nothing that events make. */
function unfiledOrNot<T extends Row | Ticket>(filed: Filed): T {
  try {
    return unfiled<T>(filed)
  } catch {
    return { ...(filed as unknown as T), data: { unreadable: filed.data } }
  }
}

/** What cannot even be read is told of with the chain. */
function namesOf(link: ChainLink, namedIn: (event: StoredEvent) => readonly string[]): readonly string[] {
  try {
    return namedIn(storedEvent(link))
  } catch {
    return []
  }
}

/**
 * Keys are picked within the index first, so that a list over all facets sorts no data. A line that cannot be read keeps no other
 * from being listed, and a page is full all the same.
 */
function preparedLists(
  db: Database,
  {
    fitting,
    onUnreadable,
  }: { readonly fitting: (filed: FiledRow) => Row; readonly onUnreadable: OnUnreadable },
): (request: ListRequest) => Row[] {
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
  const filedFor = ({ model, facet, before, limit }: ListRequest): FiledRow[] => {
    const place = before === null ? [] : [before.rank, before.key]
    const rest = facet === null ? place : [...place, facet]
    const all = facet === null ? first : firstOfFacet
    const after = facet === null ? next : nextOfFacet
    return (before === null ? all : after).all(model, limit, ...rest) as FiledRow[]
  }
  const readable = (filed: FiledRow): Row[] => {
    try {
      return [fitting(filed)]
    } catch (error) {
      if (!isAltered(error)) throw error
      onUnreadable(error.message)
      return []
    }
  }
  return (request) => {
    const rows: Row[] = []
    for (let { before } = request; ; ) {
      const limit = request.limit - rows.length
      const filed = filedFor({ ...request, before, limit })
      rows.push(...filed.flatMap(readable))
      before = filed.at(-1) ?? null
      if (filed.length < limit || rows.length === request.limit) return rows
    }
  }
}
