/** How a rejection is written. */
import type { Context } from 'hono'
import { type RejectionBody, STATUS_OF } from '../model/api/rejection.ts'
import type { Rejection } from '../model/refusal.ts'

export function refuse(c: Context, { code, problem, problems }: Rejection): Response {
  const body: RejectionBody = {
    code,
    message: problem,
    ...(problems === undefined ? {} : { problems: [...problems] }),
  }
  return c.json(body, STATUS_OF[code])
}

export const badRequest = (problem: string): Rejection => ({ code: 'bad-request', problem })
