/**
 * The live stream: whatever the journal has after the cursor, then whatever comes. What is told always comes from the
 * journal, in its order, and news only stirs the reading: so there is no gap and no duplicate between what was and what
 * is new, and a client that reads slowly holds nothing up but itself.
 */
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Operations } from '../host/operations.ts'
import { parseQuery } from './queries.ts'
import type { Asked, Parameters, Route } from './route.ts'
import { REF } from './schemas.ts'
import { badRequest, refuse } from './status.ts'

const PAGE = 200
const POSITION = { kind: 'whole', least: 0, most: Number.MAX_SAFE_INTEGER } as const
const CURSOR = {
  after: { ...POSITION, says: 'The position of the last event that was seen; left out: from now on.' },
} as const satisfies Parameters
const PAGING = {
  after: { ...POSITION, says: 'Only after this position; all unless said.' },
  limit: { kind: 'whole', says: 'At most so many; 200 unless said.', least: 1, most: 1000 },
} as const satisfies Parameters

export const STREAM_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/api/v1/stream',
    name: 'follow',
    says: 'Everything that happens, as server-sent events: `id` is the cursor, `data` the event. A reconnecting client sends `Last-Event-ID` or `after` and misses nothing.',
    access: 'token',
    query: CURSOR,
    body: null,
    reply: { status: 200, says: 'Events without end.', type: 'text/event-stream', schema: REF.StoredEvent },
    refuses: [400],
    answer: follow,
  },
  {
    method: 'get',
    path: '/api/v1/events',
    name: 'readEvents',
    says: 'What happened in everything, in order, a page at a time.',
    access: 'token',
    query: PAGING,
    body: null,
    reply: { status: 200, says: 'The events.', schema: { type: 'array', items: REF.StoredEvent } },
    refuses: [400],
    answer: async ({ c, operations }) => {
      const query = parseQuery(c.req.url, PAGING)
      if ('problem' in query) return refuse(c, badRequest(query.problem))
      const { after = 0, limit = PAGE } = query.values
      return c.json(await operations.eventsAfter(after, limit))
    },
  },
]

function follow(asked: Asked): Response {
  const { c } = asked
  const query = parseQuery(c.req.url, CURSOR)
  if ('problem' in query) return refuse(c, badRequest(query.problem))
  // A browser that reconnects sends the address it began with, and the header with what it saw last.
  const last = c.req.header('last-event-id') ?? ''
  const seen = /^\d{1,15}$/.test(last) ? Number(last) : undefined
  if (last !== '' && seen === undefined)
    return refuse(c, badRequest('`Last-Event-ID` must be the `id` of an event from this stream.'))
  const after = seen ?? query.values.after ?? null
  return streamSSE(c, (stream) => tell(stream, asked, after))
}

async function tell(stream: SSEStreamingApi, asked: Asked, after: number | null): Promise<void> {
  const { operations, door } = asked
  let position = after
  const news = createBell()
  // Before anything is written: whoever leaves at once must not be followed for ever.
  stream.onAbort(() => news.ring())
  const unfollow = operations.follow((event) => {
    if (event !== null) position ??= event.position - 1
    news.ring()
  })
  const heartbeat = setInterval(() => {
    if (isStillIn(asked)) void stream.write(': still here\n\n')
    else stream.abort()
  }, door.heartbeatMs)
  try {
    await stream.writeSSE({ event: 'ready', data: '' })
    while (!stream.aborted && !door.closing.aborted) {
      const told: number | null = position === null ? null : await tellAfter(stream, operations, position)
      if (told === null) await news.rung()
      else position = told
    }
  } finally {
    clearInterval(heartbeat)
    unfollow()
  }
}

/** Whoever is taken off the list is out, also in the middle of a stream. */
const isStillIn = ({ isOwner, person, door: { keys } }: Asked): boolean => isOwner || keys.isPerson(person)

/** The position of the last one; null where there was none. */
async function tellAfter(
  stream: SSEStreamingApi,
  operations: Pick<Operations, 'eventsAfter'>,
  position: number,
): Promise<number | null> {
  const events = await operations.eventsAfter(position, PAGE)
  for (const event of events) {
    if (stream.aborted) break
    await stream.writeSSE({ id: `${event.position}`, data: JSON.stringify(event) })
  }
  return events.at(-1)?.position ?? null
}

/** Rung while nobody waits, it is heard by the next who does. */
function createBell(): { ring(): void; rung(): Promise<void> } {
  let heard: (() => void) | null = null
  let isRung = false
  return {
    ring: () => {
      isRung = true
      heard?.()
    },
    rung: async () => {
      if (!isRung)
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      isRung = false
      heard = null
    },
  }
}
