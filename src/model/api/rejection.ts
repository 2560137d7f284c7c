/** What every route says when it does not do what was asked. */
import { z } from 'zod'
import type { RejectionCode } from '../refusal.ts'

export type RejectionStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 500 | 503

export const STATUS_OF: Readonly<Record<RejectionCode, RejectionStatus>> = {
  'agents-do-not-answer': 403,
  'already-answered': 409,
  'already-started': 409,
  altered: 409,
  ambiguous: 409,
  'bad-amount': 422,
  'bad-cursor': 400,
  'bad-request': 400,
  bug: 500,
  'cannot-write': 503,
  ended: 409,
  'gate-failed': 409,
  gone: 409,
  'home-gone': 503,
  'impossible-fault': 422,
  'invalid-answer': 422,
  'invalid-decision': 422,
  'invalid-word': 422,
  'missing-variable': 422,
  'not-allowed': 403,
  'not-discarded': 409,
  'not-found': 404,
  'issue-not-ready': 422,
  'unknown-base': 422,
  'not-landed': 409,
  'not-offered': 422,
  'not-resumed': 409,
  'not-started': 422,
  'not-taken': 409,
  'not-updated': 409,
  'not-waiting': 409,
  'owner-only': 403,
  'people-only': 403,
  stale: 409,
  superseded: 409,
  taken: 409,
  'too-large': 413,
  'too-late': 409,
  'too-many-questions': 409,
  unauthorized: 401,
  unknown: 404,
  'unknown-budget': 422,
  'unknown-decision': 404,
  'unknown-person': 404,
  'unknown-question': 404,
  'unknown-run': 404,
  'unknown-step': 422,
  'unknown-variable': 422,
  'wrong-header': 403,
  unmerged: 409,
  'wrong-host': 403,
  'wrong-method': 405,
  'wrong-origin': 403,
}

export const RejectionBody = z
  .object({
    code: z.enum(Object.keys(STATUS_OF) as RejectionCode[]),
    message: z.string(),
    problems: z.array(z.string()).exactOptional(),
  })
  .meta({ id: 'Rejection', description: 'Why not: a code for programs and a sentence for people.' })
export type RejectionBody = z.output<typeof RejectionBody>
