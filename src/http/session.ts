/** The door of an agent's own session, for commands it runs: it puts decisions to people and fetches their answers. */
import type { Rejected } from '../host/session/agent-door.ts'
import type { SESSION_ROUTES } from '../model/api/session.ts'
import { EXCESS_TEXT, readJson } from '../model/json-text.ts'
import type { Rejection } from '../model/refusal.ts'
import type { Handlers } from './handler.ts'
import { badRequest } from './refuse.ts'

export const SESSION_HANDLERS: Handlers<typeof SESSION_ROUTES> = {
  'POST /api/v1/session/decisions': async ({ agents, token, body: call }) => {
    const read = readJson(call)
    if (read.kind === 'excess') return badRequest(`What you sent is ${EXCESS_TEXT[read.excess]}.`)
    // What is no JSON is judged like any other wrong decision: with the contract and an example.
    const payload = read.kind === 'value' ? read.value : call
    const result = await agents.raise(token, { payload, door: 'cli', call })
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
