/**
 * What the transaction going on does to the tickets: later appends see it at once, the book of claims only when the
 * transaction is durable.
 */
import type { Claim } from '../journal.ts'
import type { Slip, TicketBook } from '../ticket-book.ts'

/** A ticket as kept in memory: its data stays in the file. */
export interface FiledSlip extends Slip {
  readonly stream: number
}

export interface TicketChanges {
  get(id: string): FiledSlip | undefined
  holds(claim: Claim): boolean
  add(slip: FiledSlip): void
  drop(id: string): void
  /** Told to watchers; the ticket itself is dropped as any other. */
  retired(id: string): void
  /** Makes it true in the book. Gives back what watchers need to know, or null if that is nothing. */
  apply(): { readonly retired: readonly string[] } | null
  forget(): void
}

export function createTicketChanges(book: TicketBook<FiledSlip>): TicketChanges {
  const added = new Map<string, FiledSlip>()
  const gone = new Set<string>()
  let retired: string[] = []

  function drop(id: string): void {
    if (!added.delete(id)) gone.add(id)
  }

  function forget(): void {
    added.clear()
    gone.clear()
    retired = []
  }

  return {
    get: (id) => added.get(id) ?? (gone.has(id) ? undefined : book.get(id)),
    holds: (claim) => !gone.has(claim.ticket.id) && book.holds(claim),
    add: (slip) => void added.set(slip.id, slip),
    drop,
    retired: (id) => void retired.push(id),
    apply() {
      for (const id of gone) book.remove(id)
      for (const slip of added.values()) book.add(slip)
      const news = added.size > 0 || retired.length > 0 ? { retired } : null
      forget()
      return news
    },
    forget,
  }
}
