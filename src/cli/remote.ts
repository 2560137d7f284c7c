/** The operations, asked of the host over its HTTP door. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Operations, StoredEvent } from '../host/operations.ts'
import type { DoorFile } from './hosting.ts'

/** Nobody can be asked, or not any more. */
export class ConnectionError extends Error {}

export function createRemote({ url, token }: Pick<DoorFile, 'url' | 'token'>): Operations {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (path: string, body?: unknown): Promise<{ status: number; data: unknown }> => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    try {
      const response = await fetch(`${url}/api/v1${path}`, init)
      return { status: response.status, data: await response.json() }
    } catch {
      throw new ConnectionError(`The host at ${url} does not answer any more.`)
    }
  }
  const get = async <T>(path: string): Promise<T> => {
    const { status, data } = await ask(path)
    if (status >= 400) throw new ConnectionError((data as { message: string }).message)
    return data as T
  }
  const orTrouble = async <T>(
    path: string,
    body?: unknown,
  ): Promise<T | { code: string; problem: string }> => {
    const { status, data } = await ask(path, body)
    if (status < 400) return data as T
    const { code, message } = data as { code: string; message: string }
    return { code, problem: message }
  }
  const part = encodeURIComponent

  return {
    runs: ({ all, limit }) => get(`/runs?all=${all}&limit=${limit}`),
    find: (prefix) => orTrouble(`/find?prefix=${part(prefix)}`),
    show: (run) => orTrouble(`/runs/${part(run)}`),
    events: (run, afterVersion) => get(`/runs/${part(run)}/events?after=${afterVersion}`),
    follow: (listener) => followStream(`${url}/api/v1/stream`, headers, listener),
    start: async (order) => {
      const { status, data } = await ask('/runs', order)
      if (status === 201) return data as { run: string }
      const { problems, message } = data as { problems?: string[]; message: string }
      return { problems: problems ?? [message] }
    },
    act: (run, action) => orTrouble(`/runs/${part(run)}/actions`, action),
    questions: () => get('/questions'),
    kept: async (digest) => {
      const response = await fetch(`${url}/api/v1/kept/${part(digest)}`, { headers })
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
    },
  }
}

function followStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  listener: (event: StoredEvent | null) => void,
): () => void {
  const abort = new AbortController()
  const { signal } = abort
  const read = async (): Promise<void> => {
    const response = await fetch(url, { headers, signal })
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) if (!signal.aborted) listener(eventIn(frame))
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

/** Null for the frame that only says that the stream has begun. */
function eventIn(frame: string): StoredEvent | null {
  const lines = frame.split('\n')
  const data = lines.find((line) => line.startsWith('data: ')) ?? 'data: null'
  return lines.includes('event: ready') ? null : (JSON.parse(data.slice('data: '.length)) as StoredEvent)
}
