/** What the world should do now, against what it was doing: tickets to add and tickets to take back. Pure. */
import type { Ticket } from '../../journal/index.ts'

export interface TicketChange {
  readonly tickets: readonly Ticket[]
  readonly retire: readonly string[]
}

export function ticketChange(before: readonly Ticket[], after: readonly Ticket[]): TicketChange {
  if (before === after) return { tickets: [], retire: [] }
  return {
    tickets: after.filter(({ id }) => !before.some((ticket) => ticket.id === id)),
    retire: before.filter(({ id }) => !after.some((ticket) => ticket.id === id)).map(({ id }) => id),
  }
}
