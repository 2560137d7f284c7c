/** The HTTP status of each refusal, in one place. */
import type { Context } from 'hono'
import type { Trouble } from '../host/operations.ts'
import { own } from '../model/own.ts'
import type { RefusalCode } from '../model/refusal.ts'

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422

/** What a command of the engine is refused with. */
const REFUSED: Readonly<Record<RefusalCode, RefusalStatus>> = {
  'already-started': 409,
  // The run is not there.
  'not-started': 404,
  ended: 409,
  stale: 409,
  'not-waiting': 409,
  'unknown-question': 404,
  'already-answered': 409,
  'too-late': 409,
  superseded: 409,
  'not-offered': 422,
  'invalid-answer': 422,
  'invalid-decision': 422,
  'impossible-fault': 422,
  'agents-do-not-answer': 403,
  'people-only': 403,
  'too-many-questions': 409,
  'unknown-step': 422,
  'unknown-variable': 422,
  'missing-variable': 422,
  'unknown-budget': 422,
  'bad-amount': 422,
}

/** What the host and this door refuse with. */
const OURS: Readonly<Record<string, RefusalStatus>> = {
  'bad-request': 400,
  'bad-cursor': 400,
  unauthorized: 401,
  'wrong-host': 403,
  'owner-only': 403,
  'unknown-run': 404,
  'unknown-decision': 404,
  unknown: 404,
  'not-found': 404,
  'wrong-method': 405,
  ambiguous: 409,
  'not-discarded': 409,
  'too-large': 413,
}

export const statusOf = (code: string): RefusalStatus =>
  own<RefusalStatus>(REFUSED, code) ?? own(OURS, code) ?? 409

export const refuse = (c: Context, { code, problem }: Trouble): Response =>
  c.json({ code, message: problem }, statusOf(code))

export const badRequest = (problem: string): Trouble => ({ code: 'bad-request', problem })

/** What was found or done, or why not. */
export const reply = (c: Context, result: object | Trouble, status: 200 | 201 = 200): Response =>
  'problem' in result && 'code' in result ? refuse(c, result as Trouble) : c.json(result, status)
