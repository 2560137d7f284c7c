/**
 * The door of an agent's own session: it raises questions there and hears the answers to them, and can do nothing else.
 * The token says which session it is.
 */
import type { Rejection } from '../../host/operations.ts'
import { isRejection } from '../../model/refusal.ts'
import type { CallingSession } from '../environment.ts'
import { ConnectionError, createHttpClient } from '../hosting/http-client.ts'
import type { Payload } from './payload.ts'

export interface AskingDoor {
  create(payload: Payload): Promise<{ readonly id: string } | Rejection>
  /** Null: nobody has answered yet. At most 45 seconds. */
  wait(
    id: string,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<{ readonly answered: string } | Rejection | null>
  /** Left out where it outlives whoever asked. */
  withdraw?(id: string): Promise<{ readonly done: true } | Rejection>
}

export function openSessionDoor({ url, token }: CallingSession): AskingDoor {
  const lost = () => new ConnectionError(`The host of this session does not answer at ${url}.`)
  const { ask } = createHttpClient({ url: url.replace(/\/$/, ''), token }, lost)
  return {
    create: (body) => ask('POST /api/v1/session/decisions', { body }),
    wait: async (id, waitMs) => {
      const query = { seconds: Math.ceil(waitMs / 1000) }
      const told = await ask('GET /api/v1/session/decisions/{id}/wait', { params: { id }, query })
      if (isRejection(told)) return told
      return typeof told?.answered === 'string' ? { answered: told.answered } : null
    },
  }
}

/** For whatever else an agent tries. */
export const NOT_FOR_AGENTS =
  'This is an agent\'s session. An agent can raise questions ("signalbox decision create", "decision wait") and never answer one or change what became of it: that is for people.'
