/** Tickets as they lie in the file, within the transaction going on. What is in memory of them is kept in step. */
import type { Claim, ClaimRequest, Ticket } from '../journal.ts'
import type { TicketBook } from '../ticket-book.ts'
import type { Database } from './database.ts'
import { filedValue } from './filed-json.ts'
import { createRecent } from './recent.ts'
import type { StreamHeads } from './stream-heads.ts'
import { createTicketChanges, type FiledSlip, type TicketChanges } from './ticket-changes.ts'

export interface FiledTickets extends Pick<TicketChanges, 'holds' | 'apply' | 'forget'> {
  add(ticket: Ticket, text: string): void
  /** False if there is no such ticket. */
  drop(id: string): boolean
  retire(id: string): void
  release(claim: Claim, dueAt: number): void
  /** The same in memory alone, where the file does not take it. */
  releaseUnwritten(claim: Claim, dueAt: number): void
  claim(request: ClaimRequest): Claim[]
}

export interface FiledTicketsOptions {
  readonly db: Database
  readonly book: TicketBook<FiledSlip>
  readonly heads: StreamHeads
  /** Told in a sentence of one that nobody gets, because somebody made no JSON of it. */
  readonly onUnreadable: (sentence: string) => void
}

/** Most tickets are claimed as soon as they are written: the text of so many need not be read again. */
const TEXTS_KEPT = 256

type FiledText = { readonly stream: string; readonly text: string }

export function createFiledTickets({ db, book, heads, onUnreadable }: FiledTicketsOptions): FiledTickets {
  const insert = db.prepare('INSERT INTO tickets (stream, id, kind, due_at, data) VALUES (?, ?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM tickets WHERE stream = ? AND id = ?')
  const postpone = db.prepare('UPDATE tickets SET due_at = ? WHERE stream = ? AND id = ?')
  const find = db.prepare(
    'SELECT s.name AS stream, t.data AS text FROM tickets t JOIN streams s ON s.id = t.stream ' +
      'WHERE t.stream = ? AND t.id = ?',
  )
  const changes = createTicketChanges(book)
  const texts = createRecent<FiledText>(TEXTS_KEPT)

  function drop(id: string): boolean {
    const slip = changes.get(id)
    if (slip === undefined) return false
    remove.get(slip.stream, id)
    changes.drop(id)
    return true
  }

  return {
    holds: (claim) => changes.holds(claim),
    apply: () => changes.apply(),
    forget() {
      changes.forget()
      texts.clear()
    },
    add({ id, stream, kind, dueAt }, text) {
      if (changes.get(id) !== undefined) return
      const head = heads.of(stream)
      if (head.id === 0) heads.save(head)
      insert.get(head.id, id, kind, dueAt, text)
      changes.add({ id, kind, dueAt, stream: head.id })
      texts.set(id, { stream, text })
    },
    drop,
    retire(id) {
      if (drop(id)) changes.retired(id)
    },
    release(claim, dueAt) {
      const slip = changes.holds(claim) ? changes.get(claim.ticket.id) : undefined
      if (slip === undefined) return
      postpone.get(dueAt, slip.stream, slip.id)
      changes.drop(slip.id)
      changes.add({ ...slip, dueAt })
    },
    releaseUnwritten(claim, dueAt) {
      const slip = book.holds(claim) ? book.get(claim.ticket.id) : undefined
      if (slip === undefined) return
      book.remove(slip.id)
      book.add({ ...slip, dueAt })
    },
    claim: (request) =>
      book.claim(request).flatMap(({ slip, token }) => {
        const { id, kind, dueAt } = slip
        const filed = texts.get(id) ?? (find.get(slip.stream, id) as FiledText | undefined)
        // Somebody took it out of the file meanwhile.
        if (filed === undefined) return []
        const { stream, text } = filed
        const data = filedValue(text)
        if (data === undefined) onUnreadable(unreadableText(stream))
        return data === undefined ? [] : [{ ticket: { id, stream, kind, dueAt, data }, token }]
      }),
  }
}

const unreadableText = (stream: string): string =>
  `A duty of ${stream} was changed in the journal's store and cannot be read. File it anew: signalbox doctor --rebuild`

/** Only what claiming needs, and each kind's name once: there may be ten thousand that are not due for days. */
export function loadTickets(db: Database, book: TicketBook<FiledSlip>): void {
  const kinds = new Map<string, string>()
  const all = db.prepare('SELECT id, kind, due_at AS dueAt, stream FROM tickets').iterate()
  for (const { id, kind, dueAt, stream } of all as Iterable<FiledSlip>) {
    if (!kinds.has(kind)) kinds.set(kind, kind)
    book.add({ id, kind: kinds.get(kind)!, dueAt, stream })
  }
}
