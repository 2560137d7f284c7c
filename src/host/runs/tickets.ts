/** What a duty of a run is in the journal. */
import type { Duty } from '../../engine/index.ts'
import type { Ticket } from '../../journal/index.ts'

export const ticketOf = (stream: string, duty: Duty): Ticket => ({
  id: duty.id,
  stream,
  kind: duty.kind,
  dueAt: duty.kind === 'wait-until' ? duty.timer.at : 0,
  data: duty,
})
