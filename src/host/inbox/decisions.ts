/**
 * What can be asked of Signalbox about decisions, whoever raised them: data in and out, so that every door (CLI, HTTP,
 * MCP, later the browser) has these words and no others.
 */
import type { NewDecision, PersonAnswer } from '../../model/api/decision-bodies.ts'
import type {
  Answered,
  DecisionPage,
  HeardAnswer,
  ListedDecision,
  Undone,
} from '../../model/api/decision-record.ts'
import type { DecisionFilters } from '../../model/api/decisions.ts'
import type { Asker, DecisionRecord } from '../../model/decision-record.ts'
import type { Rejection } from '../../model/refusal.ts'

export type { Answered, DecisionPage, HeardAnswer, ListedDecision, PersonAnswer }

export interface Decisions {
  list(query: DecisionQuery): Promise<DecisionPage | Rejection>
  /** The one decision whose id begins so. */
  find(prefix: string): Promise<{ readonly id: string } | Rejection>
  show(id: string): Promise<DecisionRecord | Rejection>
  /** From outside any run. */
  create(order: DecisionOrder): Promise<{ readonly id: string } | Rejection>
  answer(id: string, answer: PersonAnswer): Promise<Answered | Rejection>
  /** Takes an answer back while it has not reached anybody; of a batch, all that can be. */
  undo(id: string): Promise<Undone | Rejection>
  /** Out of the list until then; null wakes it. */
  snooze(id: string, until: number | null): Promise<{ readonly done: true } | Rejection>
  /** To a person or a group; null for whoever is there. */
  assign(id: string, to: string | null): Promise<{ readonly done: true } | Rejection>
  withdraw(id: string, reason: string): Promise<{ readonly done: true } | Rejection>
  /** Tries again to deliver an answer that could not be. */
  retry(id: string): Promise<{ readonly done: true } | Rejection>
  /** The answer to a decision from outside, if it comes within the time; null: not yet. At most 45 seconds. */
  wait(
    id: string,
    waitMs: number,
    /** Fires when whoever waits has hung up. */
    signal?: AbortSignal,
  ): Promise<HeardAnswer | Rejection | null>
  /** A client from outside says what it did about the answer. */
  acted(id: string, did: string): Promise<{ readonly done: true } | Rejection>
}

/** `pending`: what lies with people now, most costly delay first. Others: latest first. */
export interface DecisionQuery extends DecisionFilters {
  /** From an earlier page. */
  readonly cursor: string | null
  readonly limit: number
}

export interface DecisionOrder extends Pick<NewDecision, 'door' | 'repo' | 'resume'> {
  /** As `parseDecision` takes it; may name the decision it `supersedes`. */
  readonly payload: unknown
  readonly asker: Asker
}
