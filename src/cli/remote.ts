/** The operations, asked of the host over its HTTP door. */
import { setTimeout as pause } from 'node:timers/promises'
import type { DecisionQuery, Decisions, Heard } from '../host/inbox/decisions.ts'
import type { Operations, StoredEvent, Trouble } from '../host/operations.ts'
import type { DoorFile } from './hosting.ts'

/** Nobody can be asked, or not any more. */
export class ConnectionError extends Error {}

/** The host that was asked is gone; another may be there. */
export class HostLostError extends ConnectionError {}

export function createRemote({ url, token }: Pick<DoorFile, 'url' | 'token'>): Operations {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (path: string, body?: unknown, signal?: AbortSignal): Promise<Reply> => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    try {
      const response = await fetch(`${url}/api/v1${path}`, signal === undefined ? init : { ...init, signal })
      return { status: response.status, data: await response.json() }
    } catch {
      throw new HostLostError(`The host at ${url} does not answer any more.`)
    }
  }
  const get = async <T>(path: string): Promise<T> => {
    const { status, data } = await ask(path)
    if (status >= 400) throw new ConnectionError((data as { message: string }).message)
    return data as T
  }
  const orTrouble: OrTrouble = async <T>(path: string, body?: unknown, signal?: AbortSignal) => {
    const { status, data } = await ask(path, body, signal)
    if (status < 400) return data as T
    const { code, message } = data as { code: Trouble['code']; message: string }
    return { code, problem: message }
  }

  return {
    runs: ({ all, limit }) => get(`/runs?all=${all}&limit=${limit}`),
    find: (prefix) => orTrouble(`/find?prefix=${part(prefix)}`),
    show: (run) => orTrouble(`/runs/${part(run)}`),
    events: (run, afterVersion) => get(`/runs/${part(run)}/events?after=${afterVersion}`),
    eventsAfter: (position, limit) => get(`/events?after=${position}&limit=${limit}`),
    follow: (listener) => followStream(`${url}/api/v1/stream`, headers, listener),
    start: async (order) => {
      const { status, data } = await ask('/runs', order)
      if (status === 201) return data as { run: string }
      const { problems, message } = data as { problems?: string[]; message: string }
      return { problems: problems ?? [message] }
    },
    act: (run, action) => orTrouble(`/runs/${part(run)}/actions`, action),
    decisions: remoteDecisions(orTrouble),
    kept: async (digest) => {
      const response = await fetch(`${url}/api/v1/kept/${part(digest)}`, { headers })
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
    },
  }
}

interface Reply {
  readonly status: number
  readonly data: unknown
}

type OrTrouble = <T>(path: string, body?: unknown, signal?: AbortSignal) => Promise<T | Trouble>

const part = encodeURIComponent
const LONGEST_WAIT_S = 45

function remoteDecisions(orTrouble: OrTrouble): Decisions {
  const at = (id: string, verb = ''): string => `/decisions/${part(id)}${verb}`
  return {
    list: (query) => orTrouble(`/decisions?${queryText(query)}`),
    find: (prefix) => orTrouble(`/decisions/find?prefix=${part(prefix)}`),
    show: (id) => orTrouble(at(id)),
    create: ({ payload, ...order }) => orTrouble('/decisions', { ...order, decision: payload ?? null }),
    answer: (id, answer) => orTrouble(at(id, '/answer'), answer),
    undo: (id) => orTrouble(at(id, '/undo'), {}),
    snooze: (id, until) => orTrouble(at(id, '/snooze'), { until }),
    assign: (id, to) => orTrouble(at(id, '/assign'), { to }),
    withdraw: (id, reason) => orTrouble(at(id, '/withdraw'), { reason }),
    retry: (id) => orTrouble(at(id, '/retry'), {}),
    wait: async (id, waitMs, signal) => {
      const seconds = Math.min(Math.max(0, waitMs / 1000), LONGEST_WAIT_S)
      const path = at(id, `/wait?seconds=${seconds}`)
      try {
        const waited = await orTrouble<Heard | { answered: null }>(path, undefined, signal)
        if ('problem' in waited) return waited
        return waited.answered === null ? null : waited
      } catch (error) {
        if (signal?.aborted === true) return null
        throw error
      }
    },
    acted: (id, did) => orTrouble(at(id, '/acted'), { did }),
  }
}

/** What is not filtered by is not said. */
function queryText(query: DecisionQuery): string {
  const said = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return new URLSearchParams(said).toString()
}

/** Goes on after a cut where it was: from the last event that was told. */
function followStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  listener: (event: StoredEvent | null) => void,
): () => void {
  const abort = new AbortController()
  const { signal } = abort
  let last: number | null = null
  const tell = (frame: string): void => {
    const event = eventIn(frame)
    if (event === undefined || signal.aborted) return
    if (event !== null) last = event.position
    listener(event)
  }
  const read = async (): Promise<void> => {
    const response = await fetch(last === null ? url : `${url}?after=${last}`, { headers, signal })
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) tell(frame)
    }
  }
  const keepReading = async (): Promise<void> => {
    while (!signal.aborted) {
      await read().catch(() => undefined)
      // A quiet stream is cut after some minutes, and a host that goes away ends it: whoever follows looks for itself.
      if (!signal.aborted) listener(null)
      await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  void keepReading()
  return () => abort.abort()
}

const AGAIN_MS = 200

/** Null for the frame that says that the stream has begun; undefined for one that says nothing. */
function eventIn(frame: string): StoredEvent | null | undefined {
  const lines = frame.split('\n')
  if (lines.includes('event: ready')) return null
  const data = lines.find((line) => line.startsWith('data: '))
  return data === undefined ? undefined : (JSON.parse(data.slice('data: '.length)) as StoredEvent)
}
