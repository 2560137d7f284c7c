/** What agents reported over MCP in a visit, and is not taken in yet. */
import { seatName } from '../../engine/index.ts'

export interface Reported {
  /** Until its turn has ended, or it is asked anew. */
  readonly answer?: string
  /** For the whole visit. */
  readonly handoff?: string
}

export type ReportsBySeat = Readonly<Record<string, Reported>>

interface AtSeat {
  readonly step: string
  readonly visit: number
  readonly member: number
}

/** By the seat that reported: what comes late is not another visit's. */
export const reportedAt = ({ reported }: { readonly reported: ReportsBySeat }, seat: AtSeat): Reported =>
  reported[seatName(seat.step, seat.visit, seat.member)] ?? {}

export const withReport = (reported: ReportsBySeat, seat: AtSeat, news: Reported): ReportsBySeat => ({
  ...reported,
  [seatName(seat.step, seat.visit, seat.member)]: { ...reportedAt({ reported }, seat), ...news },
})

export function withoutAnswer(reported: ReportsBySeat, seat: AtSeat): ReportsBySeat {
  const { answer, ...rest } = reportedAt({ reported }, seat)
  if (answer === undefined) return reported
  return { ...reported, [seatName(seat.step, seat.visit, seat.member)]: rest }
}
