/**
 * Who may act on which ticket: those free, by when they are due, and those held, with the end of their lease. It
 * lives in memory only, so a crash voids every claim. It reads no clock: a lease is over when a claimer's `now` says so.
 */
import { randomUUID } from 'node:crypto'
import { createDueHeap, type Due, type DueHeap } from './due-heap.ts'
import type { Claim, ClaimRequest, Ticket } from './journal.ts'

/** What the book needs of a ticket; a journal may keep the rest elsewhere. */
export type Slip = Pick<Ticket, 'id' | 'kind' | 'dueAt'>

export interface HeldTicket<T> {
  readonly slip: T
  readonly token: string
}

export interface TicketBook<T extends Slip> {
  get(id: string): T | undefined
  add(slip: T): void
  remove(id: string): void
  claim(request: ClaimRequest): HeldTicket<T>[]
  holds(claim: Claim): boolean
  renew(claims: readonly Claim[], until: number): Claim[]
  nextDueAt(kinds?: readonly string[]): number | null
}

interface Entry<T> extends Due {
  readonly slip: T
  token: string | null
  leaseEndsAt: number
}

export function createTicketBook<T extends Slip>(): TicketBook<T> {
  const entries = new Map<string, Entry<T>>()
  const freeByKind = new Map<string, DueHeap<Entry<T>>>()
  const held = new Set<Entry<T>>()
  const tokens = randomUUID()
  let count = 0
  // No lease ends earlier; spares a look at each of them.
  let leasesLastUntil = Number.POSITIVE_INFINITY

  function freeOf(kind: string): DueHeap<Entry<T>> {
    const known = freeByKind.get(kind)
    if (known !== undefined) return known
    const heap = createDueHeap<Entry<T>>()
    freeByKind.set(kind, heap)
    return heap
  }

  /** Of the kinds that are claimed only: whoever holds others may have been asleep, and renews them before it claims. */
  function expireLeases(now: number, kinds: readonly string[] | null): void {
    if (now < leasesLastUntil) return
    leasesLastUntil = Number.POSITIVE_INFINITY
    for (const entry of held) {
      if (entry.leaseEndsAt > now || kinds?.includes(entry.slip.kind) === false) {
        leasesLastUntil = Math.min(leasesLastUntil, entry.leaseEndsAt)
        continue
      }
      held.delete(entry)
      entry.token = null
      freeOf(entry.slip.kind).add(entry)
    }
  }

  function earliest(kinds: Iterable<string>): Entry<T> | undefined {
    let found: Entry<T> | undefined
    for (const kind of kinds) {
      const first = freeByKind.get(kind)?.first()
      if (first === undefined) continue
      const isEarlier =
        found === undefined ||
        first.dueAt < found.dueAt ||
        (first.dueAt === found.dueAt && first.order < found.order)
      if (isEarlier) found = first
    }
    return found
  }

  function holderOf(claim: Claim): Entry<T> | undefined {
    const entry = entries.get(claim.ticket.id)
    return entry !== undefined && entry.token === claim.token ? entry : undefined
  }

  return {
    get: (id) => entries.get(id)?.slip,
    add(slip) {
      const entry = { slip, dueAt: slip.dueAt, order: ++count, place: 0, token: null, leaseEndsAt: 0 }
      entries.set(slip.id, entry)
      freeOf(slip.kind).add(entry)
    },
    remove(id) {
      const entry = entries.get(id)
      if (entry === undefined) return
      entries.delete(id)
      if (entry.token === null) freeOf(entry.slip.kind).remove(entry)
      else held.delete(entry)
    },
    claim({ limit, now, leaseMs, kinds }) {
      expireLeases(now, kinds)
      const claimed: HeldTicket<T>[] = []
      while (claimed.length < limit) {
        const entry = earliest(kinds ?? freeByKind.keys())
        if (entry === undefined || entry.dueAt > now) break
        freeOf(entry.slip.kind).remove(entry)
        held.add(entry)
        const token = `${tokens}:${++count}`
        entry.token = token
        entry.leaseEndsAt = now + leaseMs
        leasesLastUntil = Math.min(leasesLastUntil, entry.leaseEndsAt)
        claimed.push({ slip: entry.slip, token })
      }
      return claimed
    },
    holds: (claim) => holderOf(claim) !== undefined,
    renew: (claims, until) =>
      claims.filter((claim) => {
        const entry = holderOf(claim)
        if (entry === undefined) return true
        entry.leaseEndsAt = until
        leasesLastUntil = Math.min(leasesLastUntil, until)
        return false
      }),
    nextDueAt: (kinds) => earliest(kinds ?? freeByKind.keys())?.dueAt ?? null,
  }
}
