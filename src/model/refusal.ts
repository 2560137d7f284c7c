/** Why a command does not fit the state. A value; a refused command changes nothing. */
export interface Refusal {
  readonly code: RefusalCode
  /** One sentence that says what does not fit and what would. */
  readonly message: string
}

export type RefusalCode =
  | 'already-started'
  | 'not-started'
  | 'ended'
  | 'stale'
  | 'not-taken'
  | 'not-waiting'
  | 'unknown-question'
  | 'already-answered'
  | 'taken'
  | 'too-late'
  | 'superseded'
  | 'not-offered'
  | 'gate-failed'
  | 'invalid-answer'
  | 'invalid-decision'
  | 'invalid-word'
  | 'impossible-fault'
  | 'agents-do-not-answer'
  | 'people-only'
  | 'too-many-questions'
  | 'unknown-step'
  | 'unknown-variable'
  | 'missing-variable'
  | 'unknown-budget'
  | 'bad-amount'

/** Why something that was asked for at a door was not done. */
export interface Rejection {
  readonly code: RejectionCode
  /** A sentence that says what would be right. */
  readonly problem: string
  /** Each on its own, where there are several. */
  readonly problems?: readonly string[]
}

export const isRejection = (answer: unknown): answer is Rejection =>
  typeof answer === 'object' && answer !== null && 'problem' in answer && 'code' in answer

/** The engine refused it, or the host did, or the door itself. */
export type RejectionCode =
  | RefusalCode
  | 'altered'
  | 'ambiguous'
  | 'bad-cursor'
  | 'bad-request'
  | 'bug'
  | 'cannot-write'
  | 'gone'
  | 'home-gone'
  | 'issue-not-ready'
  | 'not-allowed'
  | 'not-discarded'
  | 'not-found'
  | 'not-landed'
  | 'not-resumed'
  | 'not-updated'
  | 'owner-only'
  | 'too-large'
  | 'unauthorized'
  | 'unknown'
  | 'unknown-base'
  | 'unknown-decision'
  | 'unknown-run'
  | 'unknown-person'
  | 'wrong-header'
  | 'unmerged'
  | 'wrong-host'
  | 'wrong-method'
  | 'wrong-origin'
