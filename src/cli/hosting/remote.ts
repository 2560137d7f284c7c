/** The operations, asked of the host over its owner's socket. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Course } from '../../host/course/course.ts'
import type { Decisions } from '../../host/inbox/decisions.ts'
import type { Operations, StoredEvent } from '../../host/operations.ts'
import type { RejectionBody } from '../../model/api/rejection.ts'
import { LONGEST_WAIT_S } from '../../model/decision-record.ts'
import { FailureError } from '../../model/failure.ts'
import {
  ConnectionError,
  createHttpClient,
  type HostAddress,
  HostLostError,
  type HttpClient,
} from './http-client.ts'

export { ConnectionError, HostLostError }

export function createRemote(host: HostAddress): Operations {
  const lost = () => new HostLostError(`The host at ${host.url} does not answer any more.`)
  const client = createHttpClient(host, lost)
  const { ask, need } = client
  return {
    runs: (query) => need('GET /api/v1/runs', { query }),
    find: (prefix) => ask('GET /api/v1/find', { query: { prefix } }),
    show: (run) => ask('GET /api/v1/runs/{run}', { params: { run } }),
    events: (run, after) => need('GET /api/v1/runs/{run}/events', { params: { run }, query: { after } }),
    eventsAfter: (after, limit) => need('GET /api/v1/events', { query: { after, limit } }),
    follow: (listener) => followStream(client, listener),
    start: async (body) => {
      const started = await ask('POST /api/v1/runs', { body })
      if ('run' in started) return started
      const problems = started.problems ?? [started.problem]
      const { code } = started
      return code === 'cannot-write' ||
        code === 'home-gone' ||
        code === 'issue-not-ready' ||
        code === 'unknown-base'
        ? { problems, code }
        : { problems }
    },
    preflight: (body) => need('POST /api/v1/preflight', { body }),
    runbook: (run) => ask('GET /api/v1/runs/{run}/runbook', { params: { run } }),
    act: (run, body) => ask('POST /api/v1/runs/{run}/actions', { params: { run }, body }),
    decisions: remoteDecisions(client),
    course: remoteCourse(client),
    repositories: {
      list: () => need('GET /api/v1/repositories', {}),
      look: (dir) => ask('GET /api/v1/repositories/look', { query: { dir } }),
      createIssue: (body) => ask('POST /api/v1/repositories/issues', { body }),
    },
    heads: () => need('GET /api/v1/record/heads', {}),
    tombstones: () => need('GET /api/v1/record/tombstones', {}),
    prune: (body) => need('POST /api/v1/record/prune', { body }),
    erase: (body) => ask('POST /api/v1/record/erase', { body }),
    spending: () => need('GET /api/v1/spending', {}),
    history: (query) => need('GET /api/v1/history', { query }),
    kept: async (digest) => {
      const { status, body } = await client.take('GET /api/v1/kept/{digest}', { params: { digest } })
      if (status === 200) return new Uint8Array(body)
      const { code, message } = JSON.parse(body.toString()) as RejectionBody
      if (code === 'altered') throw new FailureError(code, message)
      return null
    },
  }
}

const remoteCourse = ({ ask }: HttpClient): Course => ({
  diff: (run, query) => ask('GET /api/v1/runs/{run}/diff', { params: { run }, query }),
  land: (run, body) => ask('POST /api/v1/runs/{run}/land', { params: { run }, body }),
  say: (run, text) => ask('POST /api/v1/runs/{run}/words', { params: { run }, body: { text } }),
  update: (run) => ask('POST /api/v1/runs/{run}/update', { params: { run } }),
  take: (run, reason) => ask('POST /api/v1/runs/{run}/take', { params: { run }, body: { reason } }),
  resume: (run, { fields, ...order }) =>
    ask('POST /api/v1/runs/{run}/resume', { params: { run }, body: { ...order, fields: { ...fields } } }),
})

function remoteDecisions({ ask }: HttpClient): Decisions {
  return {
    list: (query) => ask('GET /api/v1/decisions', { query }),
    find: (prefix) => ask('GET /api/v1/decisions/find', { query: { prefix } }),
    show: (id) => ask('GET /api/v1/decisions/{id}', { params: { id } }),
    create: ({ payload, ...order }) =>
      ask('POST /api/v1/decisions', { body: { ...order, decision: payload ?? null } }),
    answer: (id, body) => ask('POST /api/v1/decisions/{id}/answer', { params: { id }, body }),
    undo: (id) => ask('POST /api/v1/decisions/{id}/undo', { params: { id } }),
    snooze: (id, until) => ask('POST /api/v1/decisions/{id}/snooze', { params: { id }, body: { until } }),
    assign: (id, to) => ask('POST /api/v1/decisions/{id}/assign', { params: { id }, body: { to } }),
    withdraw: (id, reason) =>
      ask('POST /api/v1/decisions/{id}/withdraw', { params: { id }, body: { reason } }),
    retry: (id) => ask('POST /api/v1/decisions/{id}/retry', { params: { id } }),
    wait: async (id, waitMs, signal) => {
      const seconds = Math.min(Math.max(0, waitMs / 1000), LONGEST_WAIT_S)
      try {
        const call = { params: { id }, query: { seconds } }
        const waited = await ask('GET /api/v1/decisions/{id}/wait', call, signal)
        return 'answered' in waited && waited.answered === null ? null : waited
      } catch (error) {
        if (signal?.aborted === true) return null
        throw error
      }
    },
    acted: (id, did) => ask('POST /api/v1/decisions/{id}/acted', { params: { id }, body: { did } }),
  }
}

/** Goes on after a cut where it was: from the last event that was told. */
function followStream(client: HttpClient, listener: (event: StoredEvent | null) => void): () => void {
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
    const query = last === null ? {} : { after: last }
    let text = ''
    for await (const chunk of client.follow('GET /api/v1/stream', { query }, signal)) {
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
