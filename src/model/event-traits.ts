/**
 * What each event means to those who only have to know its kind. One row an event: a new one does not compile until
 * every question is answered for it, and whoever asks one reads it here instead of keeping a list of names.
 */
import type { RunEvent } from './event.ts'

export interface EventTraits {
  /** Whose stay it ends: everybody's in the visit, or one member's. */
  readonly ends: 'visit' | 'member' | null
  /** After it an answer can still be taken back: nothing has begun because of it. */
  readonly keepsUndo: boolean
  /** It only happens while a host is there and an agent at work. */
  readonly showsWork: boolean
  /** The record of a decision may read differently after it. */
  readonly concernsDecisions: boolean
}

const PLAIN: EventTraits = { ends: null, keepsUndo: false, showsWork: false, concernsDecisions: false }

export const EVENT_TRAITS: Readonly<Record<RunEvent['type'], EventTraits>> = {
  'run.started': PLAIN,
  'run.placed': PLAIN,
  'run.moved': { ...PLAIN, ends: 'visit' },
  'run.ended': { ...PLAIN, ends: 'visit', keepsUndo: true },
  'run.discarded': PLAIN,
  'landing.begun': { ...PLAIN, keepsUndo: true },
  'landing.dropped': { ...PLAIN, keepsUndo: true },
  'run.landed': { ...PLAIN, keepsUndo: true },
  'issues.changed': { ...PLAIN, keepsUndo: true },
  'update.asked': { ...PLAIN, keepsUndo: true },
  'update.dropped': { ...PLAIN, keepsUndo: true },
  'base.merged': { ...PLAIN, keepsUndo: true },
  'run.taken': PLAIN,
  'run.handed': { ...PLAIN, keepsUndo: true },
  'run.resumed': PLAIN,
  'budget.extended': PLAIN,
  'host.noted': { ...PLAIN, keepsUndo: true },

  'visit.entered': { ...PLAIN, keepsUndo: true },
  'visit.left': { ...PLAIN, ends: 'visit', keepsUndo: true },
  'context.gathered': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'check.reported': PLAIN,

  'session.opened': { ...PLAIN, keepsUndo: true, showsWork: true, concernsDecisions: true },
  'agent.prompted': { ...PLAIN, showsWork: true },
  'turn.ended': { ...PLAIN, keepsUndo: true, showsWork: true },
  'usage.recorded': { ...PLAIN, keepsUndo: true, showsWork: true },
  'attempt.began': { ...PLAIN, showsWork: true },
  'attempt.resumed': { ...PLAIN, keepsUndo: true },
  'attempt.parked': PLAIN,
  'attempt.woken': PLAIN,
  'answer.reported': { ...PLAIN, keepsUndo: true, showsWork: true },
  'handoff.reported': { ...PLAIN, keepsUndo: true, showsWork: true },
  'answer.received': PLAIN,
  'answer.refused': PLAIN,
  'answer.given': PLAIN,
  'signal.held': PLAIN,
  'answer.deferred': PLAIN,
  'word.said': { ...PLAIN, keepsUndo: true },
  'word.told': { ...PLAIN, showsWork: true },
  'gate.passed': PLAIN,
  'gate.failed': PLAIN,
  'member.faulted': { ...PLAIN, ends: 'member' },
  'boundary.held': { ...PLAIN, keepsUndo: true },
  'work.committed': { ...PLAIN, keepsUndo: true },
  'artifact.kept': { ...PLAIN, keepsUndo: true },

  'question.opened': { ...PLAIN, keepsUndo: true, showsWork: true, concernsDecisions: true },
  'question.reminded': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'question.answered': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'answer.held': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'question.undone': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'question.closed': { ...PLAIN, concernsDecisions: true },
  'decision.proven': { ...PLAIN, concernsDecisions: true },
  'decision.delivered': { ...PLAIN, concernsDecisions: true },
  'decision.undelivered': { ...PLAIN, concernsDecisions: true },
  'decision.retried': { ...PLAIN, concernsDecisions: true },
  'decision.acknowledged': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'decision.acted': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'decision.outrun': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'decision.superseded': { ...PLAIN, concernsDecisions: true },
  'decision.snoozed': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
  'decision.assigned': { ...PLAIN, keepsUndo: true, concernsDecisions: true },
}
