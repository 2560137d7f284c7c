/** Why a command does not fit the state. A value; a refused command changes nothing. */
export const REFUSALS = [
  'already-started',
  'not-started',
  'ended',
  'stale',
  'not-waiting',
  'unknown-question',
  'already-answered',
  'too-late',
  'superseded',
  'not-offered',
  'invalid-answer',
  'invalid-decision',
  'impossible-fault',
  'agents-do-not-answer',
  'people-only',
  'too-many-questions',
  'unknown-step',
  'unknown-variable',
  'missing-variable',
  'unknown-budget',
  'bad-amount',
] as const

export type RefusalCode = (typeof REFUSALS)[number]

export interface Refusal {
  readonly code: RefusalCode
  /** One sentence that says what does not fit and what would. */
  readonly message: string
}
