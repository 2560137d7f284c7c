/**
 * A decision that was raised outside any run: a stream of its own with the same life. Its asker waits for the answer,
 * or named a command that is run with it. Pure, like the rules of a run: what it is, evolve, duties.
 */
import type { Decision } from '../model/decision.ts'
import type { DecisionCommand } from '../model/decision-command.ts'
import type { Asker, DecisionRecord } from '../model/decision-record.ts'
import type { QuestionEvent } from '../model/event.ts'
import type { DecisionTemplate } from '../model/program.ts'
import type { Proof } from '../model/proof.ts'
import { envelopeText, lapsedText } from './decision.ts'
import { evolveRecord, type OpenedDecision, openRecord } from './decision-book.ts'

export interface Resume {
  readonly argv: readonly string[]
  readonly cwd: string
}

export type StandaloneEvent =
  | {
      readonly type: 'decision.created'
      readonly at: number
      readonly opened: OpenedDecision
      readonly decision: Decision
      readonly resume: Resume | null
      readonly supersedes: string | null
      readonly proof: Proof
    }
  | QuestionEvent

export interface StandaloneState {
  readonly version: number
  readonly record: DecisionRecord
  readonly decision: Decision
  readonly resume: Resume | null
  /** Its command has run, or was given up. */
  readonly told: boolean
}

export type StandaloneCommand =
  | DecisionCommand
  | {
      readonly type: 'decision.create'
      readonly at: number
      readonly id: string
      readonly payload: unknown
      readonly templates: Readonly<Record<string, DecisionTemplate>>
      readonly asker: Asker
      readonly repo: string
      readonly resume: Resume | null
      readonly supersedes: string | null
      readonly proof: Proof
    }
  /** Another stands in its place. */
  | { readonly type: 'decision.supersede'; readonly at: number; readonly by: string }
  | { readonly type: 'decision.acknowledge'; readonly at: number }
  /** It could not be delivered. */
  | { readonly type: 'decision.fail'; readonly at: number; readonly detail: string }
  | { readonly type: 'time.pass'; readonly at: number }

export type StandaloneDuty =
  | { readonly kind: 'deliver-answer'; readonly id: string; readonly dueAt: number; readonly attempt: number }
  | { readonly kind: 'decision-timer'; readonly id: string; readonly dueAt: number }

export function evolveStandalone(state: StandaloneState | null, event: StandaloneEvent): StandaloneState {
  if (event.type === 'decision.created') {
    const { opened, decision, resume, supersedes, proof, at } = event
    const record = { ...openRecord(opened, at), id: opened.question, supersedes, proof }
    return { version: (state?.version ?? 0) + 1, record, decision, resume, told: false }
  }
  if (state === null) throw new Error(`${event.type} before the decision was created`)
  return {
    ...state,
    version: state.version + 1,
    record: evolveRecord(state.record, event),
    told: toldAfter(event, state.told),
  }
}

function toldAfter(event: QuestionEvent, before: boolean): boolean {
  switch (event.type) {
    case 'decision.acted':
      return true
    case 'decision.undelivered':
      return before || event.nextAt === null
    case 'decision.retried':
    case 'question.undone':
      return false
    case 'question.opened':
    case 'question.reminded':
    case 'answer.held':
    case 'question.answered':
    case 'question.closed':
    case 'decision.proven':
    case 'decision.delivered':
    case 'decision.acknowledged':
    case 'decision.superseded':
    case 'decision.outrun':
    case 'decision.snoozed':
    case 'decision.assigned':
      return before
  }
}

/** What the world should be doing for it. */
export function standaloneDuties({ record, resume, told }: StandaloneState): StandaloneDuty[] {
  const { stream, status, expiresAt, delivery, undoableUntil } = record
  if (status === 'open' && expiresAt !== null)
    return [{ kind: 'decision-timer', id: `${stream}/expire.${expiresAt}`, dueAt: expiresAt }]
  if (undoableUntil !== undefined)
    return [{ kind: 'decision-timer', id: `${stream}/release.${undoableUntil}`, dueAt: undoableUntil }]
  const isUnderWay = status === 'answered' || status === 'delivered' || status === 'acknowledged'
  // Nobody's silence runs a command.
  if (resume === null || told || !isUnderWay) return []
  // Answers are numbered too: one that was taken back must not be mistaken for the next.
  const answers = record.stages.filter((stage) => stage.status === 'answered').length
  const attempt = delivery.failures + 1
  return [
    {
      kind: 'deliver-answer',
      id: `${stream}/deliver.${answers}.${attempt}`,
      dueAt: delivery.nextAt ?? 0,
      attempt,
    },
  ]
}

/** What its asker is told; null while there is nothing to tell. */
export function standaloneEnvelope({ record, decision }: StandaloneState): string | null {
  const { id, status, by, pick, note, edited } = record
  if (status === 'expired') return lapsedText(id, decision)
  return by === null ? null : envelopeText({ question: id, decision, pick, note, edited, by })
}
