/** The door of an agent's own session, for commands it runs: it puts decisions to people and fetches their answers. */
import type { Rejected } from '../host/session/agent-door.ts'
import type { SESSION_ROUTES } from '../model/api/session.ts'
import { isNestedTooDeep } from '../model/nesting.ts'
import type { Rejection } from '../model/refusal.ts'
import type { Handlers } from './handler.ts'

export const SESSION_HANDLERS: Handlers<typeof SESSION_ROUTES> = {
  'POST /api/v1/session/decisions': async ({ agents, token, body: call }) => {
    const result = await agents.raise(token, { payload: parsed(call), door: 'cli', call })
    return 'raised' in result ? { id: result.raised } : rejection(result)
  },
  'GET /api/v1/session/decisions/{id}/wait': async ({ c, agents, token, params, query }) => {
    const { signal } = c.req.raw
    const waitMs = Math.round(query.seconds * 1000)
    const result = await agents.wait(token, { question: params.id, waitMs, signal })
    if (result === null) return { answered: null }
    return 'answered' in result ? { answered: result.answered } : rejection(result)
  },
}

const rejection = ({ rejected, code }: Rejected): Rejection => ({ code, problem: rejected })

/** What is no JSON is judged like any other wrong decision: with the contract and an example. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedTooDeep(value) ? text : value
  } catch {
    return text
  }
}
