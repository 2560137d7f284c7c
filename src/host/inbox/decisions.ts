/**
 * What can be asked of Signalbox about decisions, whoever raised them: data in and out, so that every door (CLI, HTTP,
 * MCP, later the browser) has these words and no others.
 */
import type { Asker, DecisionRecord, DecisionRow, DecisionStatus } from '../../model/decision-record.ts'
import type { Proof } from '../../model/proof.ts'
import type { Trouble } from '../trouble.ts'

export interface Decisions {
  list(query: DecisionQuery): Promise<DecisionPage | Trouble>
  /** The one decision whose id begins so. */
  find(prefix: string): Promise<{ readonly id: string } | Trouble>
  show(id: string): Promise<DecisionRecord | Trouble>
  /** From outside any run. */
  create(order: DecisionOrder): Promise<{ readonly id: string } | Trouble>
  answer(id: string, answer: PersonAnswer): Promise<Answered | Trouble>
  /** Takes an answer back while it has not reached anybody; of a batch, all that can be. */
  undo(
    id: string,
  ): Promise<{ readonly undone: readonly string[]; readonly late: readonly string[] } | Trouble>
  /** Out of the list until then; null wakes it. */
  snooze(id: string, until: number | null): Promise<{ readonly done: true } | Trouble>
  /** To a person or a group; null for whoever is there. */
  assign(id: string, to: string | null): Promise<{ readonly done: true } | Trouble>
  withdraw(id: string, reason: string): Promise<{ readonly done: true } | Trouble>
  /** Tries again to deliver an answer that could not be. */
  retry(id: string): Promise<{ readonly done: true } | Trouble>
  /** The answer to a decision from outside, if it comes within the time; null: not yet. At most 45 seconds. */
  wait(
    id: string,
    waitMs: number,
    /** Fires when whoever waits has hung up. */
    signal?: AbortSignal,
  ): Promise<Heard | Trouble | null>
  /** A client from outside says what it did about the answer. */
  acted(id: string, did: string): Promise<{ readonly done: true } | Trouble>
}

/** What became of it: as a text that needs no memory, and as what a program can read. */
export interface Heard extends Pick<DecisionRecord, 'status' | 'pick' | 'note' | 'edited' | 'by'> {
  readonly answered: string
}

export interface DecisionQuery {
  /** `pending`: what lies with people now, most costly delay first. Others: latest first. */
  readonly status: 'pending' | 'closed' | 'all' | DecisionStatus
  readonly run?: string
  readonly kind?: string
  readonly agent?: string
  readonly assignee?: string
  readonly repo?: string
  /** Snoozed ones too. */
  readonly snoozed?: boolean
  /** From an earlier page. */
  readonly cursor: string | null
  readonly limit: number
}

export interface DecisionPage {
  readonly rows: readonly ListedDecision[]
  /** For the next page; null at the end. */
  readonly next: string | null
}

export interface ListedDecision extends DecisionRow {
  /** How many pending ones ask the same, this one included. */
  readonly group: number
}

export interface DecisionOrder {
  /** As `parseDecision` takes it; may name the decision it `supersedes`. */
  readonly payload: unknown
  readonly asker: Asker
  readonly door: Proof['door']
  /** Run with the answer on its standard input; null for a client that waits. */
  readonly resume: { readonly argv: readonly string[]; readonly cwd: string } | null
  /** Where the client works; empty where it does not say. */
  readonly repo: string
}

export interface PersonAnswer {
  /** An option's key, `@retry`, `@stop`; empty for words only. */
  readonly pick: string
  readonly note: string
  readonly fields: Readonly<Record<string, unknown>>
  /** What the picked option shall mean instead. */
  readonly edited: string | null
  /** The digest of what was seen; null: whatever is there. */
  readonly digest: string | null
  /** All pending ones that ask the same, too. */
  readonly together: boolean
}

export interface Answered {
  readonly answered: readonly string[]
  /** For undoing them all; null for one. */
  readonly batch: string | null
  /** Those of a group that could not be answered so, and why. */
  readonly refused: readonly { readonly id: string; readonly problem: string }[]
}
