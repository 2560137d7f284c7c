/**
 * What happened, over HTTP. The live stream: whatever the journal has after the cursor, then whatever comes. What is told always comes from the
 * journal, in its order, and news only stirs the reading: so there is no gap and no duplicate between what was and what
 * is new, and a client that reads slowly holds nothing up but itself.
 */
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Operations } from '../host/operations.ts'
import type { EVENT_ROUTES } from '../model/api/events.ts'
import type { Rejection } from '../model/refusal.ts'
import { createBell } from './bell.ts'
import type { JudgedCall as AskedOf, Handlers } from './handler.ts'
import { followLog } from './log-stream.ts'
import { cursorOf } from './stream-cursor.ts'

type Api = typeof EVENT_ROUTES

export const EVENT_HANDLERS: Handlers<Api> = {
  'GET /api/v1/runs/{run}/events': ({ operations, params: { run }, query: { after } }) =>
    operations.events(run, after),
  'GET /api/v1/events': ({ operations, query: { after, limit } }) => operations.eventsAfter(after, limit),
  'GET /api/v1/stream': follow,
  'GET /api/v1/runs/{run}/log': followLog,
  'GET /api/v1/kept/{digest}': async ({ c, operations, params: { digest } }) => {
    const bytes = await operations.kept(digest)
    if (bytes === null) return { code: 'unknown', problem: 'Nothing is kept under that digest.' }
    return c.body(new Uint8Array(bytes), 200, { 'content-type': 'application/octet-stream' })
  },
}

type JudgedCall = AskedOf<'GET /api/v1/stream', Api['GET /api/v1/stream']>

const PAGE = 200

function follow(asked: JudgedCall): Response | Rejection {
  const { c, query } = asked
  const cursor = cursorOf(c)
  if (typeof cursor === 'object' && cursor !== null) return cursor
  return streamSSE(c, (stream) => tell(stream, asked, cursor ?? query.after ?? null))
}

async function tell(stream: SSEStreamingApi, asked: JudgedCall, after: number | null): Promise<void> {
  const { operations, door } = asked
  let position = after
  const news = createBell()
  // Before anything is written: whoever leaves at once must not be followed for ever.
  stream.onAbort(() => news.ring())
  const unfollow = operations.follow((event) => {
    if (event !== null) position ??= event.position - 1
    news.ring()
  })
  const { page } = asked.query
  let isToldOfOthers = page === undefined
  const leave =
    page === undefined
      ? null
      : door.presence.join(page, asked.person, () => {
          isToldOfOthers = false
          news.ring()
        })
  // Whoever is taken off the list is out, also in the middle of a stream.
  const heartbeat = setInterval(() => {
    if (asked.isStillIn()) void stream.write(': still here\n\n')
    else stream.abort()
  }, door.heartbeatMs)
  try {
    await stream.writeSSE({ event: 'ready', data: '' })
    while (!stream.aborted && !door.closing.aborted) {
      if (!isToldOfOthers && page !== undefined) {
        isToldOfOthers = true
        await stream.writeSSE({ event: 'presence', data: JSON.stringify(door.presence.othersThan(page)) })
      }
      const told: number | null = position === null ? null : await tellAfter(stream, operations, position)
      if (told === null) await news.rung()
      else position = told
    }
  } finally {
    clearInterval(heartbeat)
    unfollow()
    leave?.()
  }
}

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
