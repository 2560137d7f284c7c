/** Decisions with their whole record, as lines of JSON: a page is read when the one before has been taken. */
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { DecisionQuery, Decisions } from '../host/inbox/decisions.ts'
import { orLeftOut } from '../host/inbox/left-out.ts'

const PAGE = 100

export function exportDecisions(
  c: Context,
  decisions: Decisions,
  query: Omit<DecisionQuery, 'cursor' | 'limit'>,
): Response {
  c.header('content-type', 'application/jsonl; charset=utf-8')
  return stream(c, async (out) => {
    let cursor: string | null = null
    do {
      const page = await decisions.list({ ...query, cursor, limit: PAGE })
      if ('problem' in page) throw new Error(page.problem)
      for (const { id } of page.rows) {
        if (out.aborted) return
        const record = await orLeftOut(id, () => decisions.show(id))
        // One that has gone in between is not there to be told of.
        if (!('problem' in record)) await out.write(`${JSON.stringify(record)}\n`)
      }
      cursor = page.next
    } while (cursor !== null)
  })
}
