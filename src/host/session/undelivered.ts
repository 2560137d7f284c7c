/** An agent that has an answer to get and cannot be started: tried again after a while, then a person must look. */
import type { Edges } from './edges.ts'
import { latestAnswered } from './ledger.ts'
import { failed, faulted, type Prompting } from './prompting.ts'

const BACKOFF_MS = [1000, 5000, 20_000] as const

export async function undelivered(edges: Edges, work: Prompting, detail: string): Promise<void> {
  const { runs, journal, clock } = edges
  const { run, duty, claim } = work
  const loaded = await runs.load(run)
  const { step, visit, member } = duty
  const question = loaded === null ? null : latestAnswered(loaded.state, { run, step, visit, member })
  const record = question === null ? undefined : loaded?.book.records[question]
  if (question === null || record?.status !== 'answered') return failed(edges, work, detail)
  const at = clock.now()
  const attempt = record.delivery.failures + 1
  const pauseMs = BACKOFF_MS[attempt - 1]
  const nextAt = pauseMs === undefined ? null : at + pauseMs
  const fact = { type: 'decision.undelivered', at, question, attempt, detail, nextAt } as const
  if (nextAt === null) return faulted(edges, work, { fault: 'failed', detail, facts: [fact] })
  await runs.execute(run, [{ type: 'run.record', at, facts: [fact] }])
  await journal.release(claim, nextAt)
}
