/** What the agents and commands of one run say, as it is written. Whoever reads slowly is told the rest when they have read what there was. */
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { tailLog } from '../host/machine/log-tail.ts'
import type { EVENT_ROUTES, LoggedLine } from '../model/api/events.ts'
import type { Rejection } from '../model/refusal.ts'
import { createBell } from './bell.ts'
import type { JudgedCall } from './handler.ts'
import { cursorOf } from './stream-cursor.ts'

const ADDRESS = 'GET /api/v1/runs/{run}/log'
type LogCall = JudgedCall<typeof ADDRESS, (typeof EVENT_ROUTES)[typeof ADDRESS]>

export async function followLog(asked: LogCall): Promise<Response | Rejection> {
  const { c, operations, query, door, params } = asked
  // Its id names a file: only one that the record has is looked for.
  const found = await operations.show(params.run)
  if ('problem' in found) return found
  const file = door.logFile(params.run)
  if (file === null) return { code: 'not-found', problem: 'This host tells nobody what its agents say.' }
  const cursor = cursorOf(c)
  if (typeof cursor === 'object' && cursor !== null) return cursor
  return streamSSE(c, (stream) => tell(stream, asked, { file, from: cursor ?? query.after }))
}

async function tell(
  stream: SSEStreamingApi,
  { door, isStillIn }: LogCall,
  { file, from }: { readonly file: string; readonly from: number },
): Promise<void> {
  const news = createBell()
  const told: { line: LoggedLine; next: number }[] = []
  stream.onAbort(() => news.ring())
  door.closing.addEventListener('abort', news.ring, { once: true })
  const tail = tailLog(file, {
    from,
    onLine: (line, next) => {
      told.push({ line, next })
      news.ring()
    },
  })
  const heartbeat = setInterval(() => {
    if (isStillIn()) void stream.write(': still here\n\n')
    else stream.abort()
  }, door.heartbeatMs)
  try {
    tail.read()
    let isWholeTold = false
    while (!stream.aborted && !door.closing.aborted) {
      for (const { line, next } of told.splice(0)) {
        if (stream.aborted) return
        await stream.writeSSE({ id: `${next}`, data: JSON.stringify(line) })
      }
      if (!isWholeTold) await stream.writeSSE({ event: 'whole', data: '' })
      isWholeTold = true
      await news.rung()
    }
  } finally {
    clearInterval(heartbeat)
    tail.stop()
    door.closing.removeEventListener('abort', news.ring)
  }
}
