/** What became of each question that was put to a person, from a run's events alone. */
import type { Actor } from '../../model/answer.ts'
import type { Decision } from '../../model/decision.ts'
import type { Cause, RunEvent } from '../../model/event.ts'

/** Waiting is not failing; an answer is not yet an act. */
export type DecisionStatus =
  | 'open'
  | 'answered'
  | 'delivered'
  | 'acknowledged'
  | 'acted'
  | 'expired'
  | 'withdrawn'

export interface DecisionRecord {
  readonly id: string
  readonly cause: Cause
  /** As an agent asked it; null for the flow's own questions, which end with the answer. */
  readonly decision: Decision | null
  readonly status: DecisionStatus
  readonly by: Actor | null
  readonly pick: string
  readonly note: string
  /** What the agent did first after it had the answer. */
  readonly did: string
  readonly stages: readonly { readonly status: DecisionStatus; readonly at: number }[]
}

export function decisionRecords(events: readonly RunEvent[]): DecisionRecord[] {
  const records = new Map<string, DecisionRecord>()
  const change = (
    id: string,
    status: DecisionStatus,
    at: number,
    more: Partial<DecisionRecord> = {},
  ): void => {
    const record = records.get(id)
    if (record === undefined) return
    records.set(id, { ...record, ...more, status, stages: [...record.stages, { status, at }] })
  }
  for (const event of events)
    switch (event.type) {
      case 'question.opened': {
        const { question: id, cause, decision, at } = event
        const blank = { by: null, pick: '', note: '', did: '' }
        records.set(id, { id, cause, decision, status: 'open', ...blank, stages: [{ status: 'open', at }] })
        break
      }
      case 'question.answered':
        change(event.question, 'answered', event.at, { by: event.by, pick: event.pick, note: event.note })
        break
      case 'question.closed':
        change(event.question, event.reason, event.at)
        break
      case 'decision.delivered':
        change(event.question, 'delivered', event.at)
        break
      case 'decision.acknowledged':
        change(event.question, 'acknowledged', event.at)
        break
      case 'decision.acted':
        change(event.question, 'acted', event.at, { did: event.did })
        break
      default:
        break
    }
  return [...records.values()]
}
