/** A seat: the place of one agent in one visit. Its session is found by it, before and after a crash. */

export interface Seat {
  readonly run: string
  readonly step: string
  readonly visit: number
  readonly member: number
}

/** As traces name it. */
export const wireName = ({ step, member }: Seat): string => `${step}.${member}`
