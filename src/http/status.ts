/** The HTTP status of each rejection, in one place. */
import type { Context } from 'hono'
import type { Rejection, RejectionCode } from '../model/refusal.ts'

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422

export const STATUS_OF: Readonly<Record<RejectionCode, RefusalStatus | 500>> = {
  'agents-do-not-answer': 403,
  'already-answered': 409,
  'already-started': 409,
  ambiguous: 409,
  'bad-amount': 422,
  'bad-cursor': 400,
  'bad-request': 400,
  bug: 500,
  ended: 409,
  'impossible-fault': 422,
  'invalid-answer': 422,
  'invalid-decision': 422,
  'missing-variable': 422,
  'not-discarded': 409,
  'not-found': 404,
  'not-offered': 422,
  'not-started': 422,
  'not-waiting': 409,
  'owner-only': 403,
  'people-only': 403,
  stale: 409,
  superseded: 409,
  'too-large': 413,
  'too-late': 409,
  'too-many-questions': 409,
  unauthorized: 401,
  unknown: 404,
  'unknown-budget': 422,
  'unknown-decision': 404,
  'unknown-question': 404,
  'unknown-run': 404,
  'unknown-step': 422,
  'unknown-variable': 422,
  'wrong-host': 403,
  'wrong-method': 405,
}

export const refuse = (c: Context, { code, problem, problems }: Rejection): Response =>
  c.json({ code, message: problem, ...(problems === undefined ? {} : { problems }) }, STATUS_OF[code])

export const badRequest = (problem: string): Rejection => ({ code: 'bad-request', problem })

/** What was found or done, or why not. */
export const reply = (c: Context, result: object | Rejection, status: 200 | 201 = 200): Response =>
  'problem' in result && 'code' in result ? refuse(c, result as Rejection) : c.json(result, status)
