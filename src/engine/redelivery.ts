/** When an answer that could not be given to whoever asked is tried again, an agent of a run or a command outside alike. */
import type { DecisionRecord } from '../model/decision-record.ts'
import type { EventOf } from '../model/event.ts'

/** How long after each failed attempt the next one comes; after the last, a person must look. */
const PAUSES_MS = [1000, 5000, 30_000, 120_000, 600_000] as const

export function failedDelivery(
  { question, delivery }: Pick<DecisionRecord, 'question' | 'delivery'>,
  { at, detail }: { readonly at: number; readonly detail: string },
): EventOf<'decision.undelivered'> {
  const pauseMs = PAUSES_MS[delivery.failures]
  const nextAt = pauseMs === undefined ? null : at + pauseMs
  return { type: 'decision.undelivered', at, question, attempt: delivery.failures + 1, detail, nextAt }
}
