/**
 * One append within the transaction going on: judged first, so that a refused one has written nothing and its
 * neighbours never notice it; then written, so that the next one sees it.
 */
import { bytesDigest } from '../bytes-digest.ts'
import { type ChainLink, chainHash } from '../chain.ts'
import type { Append, Appended, NewEvent, Row } from '../journal.ts'
import { jsonText } from '../json-text.ts'
import type { Database } from './database.ts'
import type { FiledTickets } from './filed-tickets.ts'
import { createRecent } from './recent.ts'
import type { StreamHead, StreamHeads } from './stream-heads.ts'

/** An append whose data is already text; what is no JSON was refused before it could spoil a transaction. */
export interface ReadyAppend {
  readonly append: Append
  readonly eventTexts: readonly string[]
  readonly ticketTexts: readonly string[]
  readonly rowTexts: readonly string[]
  readonly blobs: readonly Blob[]
}

export interface Blob {
  readonly digest: string
  readonly bytes: Uint8Array
}

/** A copy: whoever gave the bytes may go on writing into them. */
export function blobOf(given: Uint8Array): Blob {
  const bytes = Uint8Array.from(given)
  return { digest: bytesDigest(bytes), bytes }
}

export const readyAppend = (append: Append): ReadyAppend => ({
  append,
  eventTexts: append.events.map(dataText),
  ticketTexts: append.tickets.map(dataText),
  rowTexts: append.rows.map(dataText),
  blobs: (append.keep ?? []).map(blobOf),
})

const dataText = (item: { readonly data: unknown }): string => jsonText(item.data)

export interface AppendWriter {
  write(ready: ReadyAppend): Appended
  /** The events written since the last call, in order. */
  takeLinks(): ChainLink[]
  keep(blob: Blob): void
  forget(): void
}

export interface AppendWriterOptions {
  readonly db: Database
  readonly heads: StreamHeads
  readonly tickets: FiledTickets
}

export function createAppendWriter({ db, heads, tickets }: AppendWriterOptions): AppendWriter {
  const insertEvents = createEventInserts(db)
  const putRow = db.prepare(
    'INSERT INTO rows (model, key, facet, rank, data) VALUES (?, ?, ?, ?, ?) ' +
      'ON CONFLICT DO UPDATE SET facet = excluded.facet, rank = excluded.rank, data = excluded.data',
  )
  // Most rows keep their place in every list: then the index need not be written.
  const changeRow = db.prepare('UPDATE rows SET data = ? WHERE model = ? AND key = ?')
  const places = createRecent<Pick<Row, 'facet' | 'rank'>>(PLACES_KEPT)
  // Bytes that were erased in part, and are kept anew, are there again.
  const insertBlob = db.prepare(
    'INSERT INTO blobs (digest, bytes) VALUES (?, ?) ' +
      'ON CONFLICT DO UPDATE SET bytes = excluded.bytes WHERE bytes <> excluded.bytes',
  )
  const deleteRow = db.prepare('DELETE FROM rows WHERE model = ? AND key = ?')
  const top = db.prepare('SELECT coalesce(max(position), 0) AS position FROM events')
  const topPosition = () => (top.get() as { position: number }).position
  // Were another process to write as well, its events would stand at these positions, and the next insert would fail.
  let position = topPosition()
  let links: ChainLink[] = []

  function write({ append, eventTexts, ticketTexts, rowTexts, blobs }: ReadyAppend): Appended {
    const head = heads.of(append.stream)
    const { version } = head
    const { settle } = append
    if (settle !== null && !tickets.holds(settle)) return { done: false, reason: 'claim-lost', version }
    if (append.expected !== version) return { done: false, reason: 'version', version }
    if (settle !== null) tickets.drop(settle.ticket.id)
    for (const id of append.retire) tickets.retire(id)
    if (eventTexts.length > 0) writeEvents(head, append.events, eventTexts)
    for (let i = 0; i < ticketTexts.length; i++) tickets.add(append.tickets[i]!, ticketTexts[i]!)
    for (let i = 0; i < rowTexts.length; i++) writeRow(append.rows[i]!, rowTexts[i]!)
    for (const blob of blobs) keep(blob)
    return { done: true, version: head.version, position }
  }

  function keep({ digest, bytes }: Blob): void {
    insertBlob.get(digest, bytes)
  }

  function writeEvents(head: StreamHead, events: readonly NewEvent[], texts: readonly string[]): void {
    if (head.id === 0) heads.save(head)
    const values: (string | number)[] = []
    for (let i = 0; i < texts.length; i++) {
      const { type, at } = events[i]!
      const body = { stream: head.name, version: ++head.version, type, at, text: texts[i]! }
      head.hash = chainHash(head.hash, body)
      position++
      values.push(position, head.id, body.version, type, at, body.text, head.hash, head.last)
      head.last = position
      links.push({ position, ...body, hash: head.hash })
    }
    insertEvents(values)
    heads.save(head)
  }

  function writeRow({ model, key, facet, rank, data }: Row, text: string): void {
    const name = `${model}\n${key}`
    if (data === null) {
      places.drop(name)
      deleteRow.get(model, key)
      return
    }
    const place = places.get(name)
    if (place?.facet === facet && place.rank === rank) {
      changeRow.get(text, model, key)
      return
    }
    putRow.get(model, key, facet, rank, text)
    places.set(name, { facet, rank })
  }

  return {
    write,
    keep,
    takeLinks() {
      const taken = links
      links = []
      return taken
    },
    forget() {
      links = []
      places.clear()
      try {
        position = topPosition()
      } catch {
        // Where it cannot even be read now: positions need not be dense, only grow.
      }
    },
  }
}

/** Where so many rows stand is remembered. */
const PLACES_KEPT = 2_048
const COLUMNS = '(position, stream, version, type, at, data, hash, previous)'
const WIDTH = 8
const MOST_AT_ONCE = 8

/** Most commands lead to a few events: written with one statement, they cost hardly more than one. */
function createEventInserts(db: Database): (values: readonly (string | number)[]) => void {
  const row = `(${new Array(WIDTH).fill('?').join(', ')})`
  const inserts = Array.from({ length: MOST_AT_ONCE }, (_, index) =>
    db.prepare(`INSERT INTO events ${COLUMNS} VALUES ${new Array(index + 1).fill(row).join(', ')}`),
  )
  return (values) => {
    for (let at = 0; at < values.length; at += MOST_AT_ONCE * WIDTH) {
      const part = values.slice(at, at + MOST_AT_ONCE * WIDTH)
      inserts[part.length / WIDTH - 1]!.get(...part)
    }
  }
}
