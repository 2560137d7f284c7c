/**
 * The door of an agent's own session: it raises questions there and hears the answers to them, and can do nothing else.
 * The token says which session it is.
 */
import type { Trouble } from '../../host/operations.ts'
import type { AgentSession } from '../environment.ts'
import { ConnectionError } from '../remote.ts'
import type { Payload } from './payload.ts'

export interface Asking {
  create(payload: Payload): Promise<{ readonly id: string } | Trouble>
  /** Null: nobody has answered yet. At most 45 seconds. */
  wait(
    id: string,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<{ readonly answered: string } | Trouble | null>
}

export function openSessionDoor({ url, token }: AgentSession): Asking {
  const ask = async <T>(path: string, body?: unknown): Promise<T | Trouble> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const { status, data } = await fetched(`${url.replace(/\/$/, '')}/api/v1/session/decisions${path}`, init)
    if (status < 400) return data as T
    const { code, message } = (data ?? {}) as { code?: Trouble['code']; message?: string }
    if (code === undefined || message === undefined)
      throw new ConnectionError(`The host of this session answered with ${status}.`)
    return { code, problem: message }
  }
  return {
    create: (payload) => ask('', payload),
    wait: async (id, waitMs) => {
      const seconds = Math.ceil(waitMs / 1000)
      const told = await ask<{ answered?: string | null } | null>(
        `/${encodeURIComponent(id)}/wait?seconds=${seconds}`,
      )
      if (told === null) return null
      if ('problem' in told) return told
      return typeof told.answered === 'string' ? { answered: told.answered } : null
    },
  }
}

async function fetched(url: string, init: RequestInit): Promise<{ status: number; data: unknown }> {
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    return { status: response.status, data: text === '' ? null : (JSON.parse(text) as unknown) }
  } catch {
    throw new ConnectionError(`The host of this session does not answer at ${url}.`)
  }
}

/** For whatever else an agent tries. */
export const NOT_FOR_AGENTS =
  'This is an agent\'s session. An agent can raise questions ("signalbox decision create", "decision wait") and never answer one or change what became of it: that is for people.'
