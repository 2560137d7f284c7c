/** What the command's exit code says. */
import type { Rejection, RejectionCode } from '../model/refusal.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, waiting: 3, interrupted: 130 } as const

/** What was named is not there: that is a slip of whoever typed it, whatever it names. */
const NOTHING_OF_THAT_NAME: ReadonlySet<RejectionCode> = new Set([
  'ambiguous',
  'issue-not-ready',
  'unknown',
  'unknown-base',
  'unknown-budget',
  'unknown-decision',
  'unknown-question',
  'unknown-run',
  'unknown-step',
])

export const exitOf = ({ code }: Pick<Rejection, 'code'>): number =>
  NOTHING_OF_THAT_NAME.has(code) ? EXIT.usage : EXIT.failed
