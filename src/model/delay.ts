/** What waiting costs: the one order in which decisions are shown. */
import type { Urgency } from './decision.ts'
import type { DecisionRecord } from './decision-record.ts'

const MINUTE_MS = 60_000

/** How long a question of this urgency may lie before somebody should have looked. */
const PATIENCE_MS: Readonly<Record<Urgency, number>> = {
  high: 10 * MINUTE_MS,
  normal: 4 * 60 * MINUTE_MS,
  low: 48 * 60 * MINUTE_MS,
}

type Waiting = Pick<DecisionRecord, 'urgency' | 'openedAt' | 'expiresAt' | 'run' | 'status'>

/** When it should be answered by. A run that stands still costs more than a client that may do something else. */
function dueBy({ urgency, openedAt, expiresAt, run, status }: Waiting): number {
  const patience = PATIENCE_MS[status === 'undeliverable' ? 'high' : urgency] * (run === null ? 2 : 1)
  return Math.min(openedAt + patience, expiresAt ?? Number.POSITIVE_INFINITY)
}

/** As a rank of a list: the highest is shown first. */
export const delayRank = (waiting: Waiting): number => -dueBy(waiting)
