/** What the world should do now, against what it was doing: tickets to add and tickets to take back. Pure. */
import type { Duty } from '../engine/index.ts'
import type { Ticket } from '../journal/index.ts'

export interface TicketChange {
  readonly tickets: readonly Ticket[]
  readonly retire: readonly string[]
}

export function ticketChange(stream: string, before: readonly Duty[], after: readonly Duty[]): TicketChange {
  const had = new Set(before.map(({ id }) => id))
  const has = new Set(after.map(({ id }) => id))
  return {
    tickets: after.filter(({ id }) => !had.has(id)).map((duty) => ticketOf(stream, duty)),
    retire: before.filter(({ id }) => !has.has(id)).map(({ id }) => id),
  }
}

export const ticketOf = (stream: string, duty: Duty): Ticket => ({
  id: duty.id,
  stream,
  kind: duty.kind,
  dueAt: duty.kind === 'wait-until' ? duty.timer.at : 0,
  data: duty,
})
