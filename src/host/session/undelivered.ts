/** An agent that has an answer to get and cannot be started: tried again after a while, then a person must look. */
import { failedDelivery } from '../../engine/index.ts'
import type { Edges } from './edges.ts'
import { latestAnswered } from './ledger.ts'
import { failed, faulted, type Prompting } from './prompting.ts'

export async function undelivered(edges: Edges, work: Prompting, detail: string): Promise<void> {
  const { runs, journal, clock } = edges
  const { run, duty, claim } = work
  const loaded = await runs.load(run)
  const { step, visit, member } = duty
  const question = loaded === null ? null : latestAnswered(loaded.state, { run, step, visit, member })
  const record = question === null ? undefined : loaded?.book.records[question]
  if (question === null || record?.status !== 'answered') return failed(edges, work, detail)
  const at = clock.now()
  const fact = failedDelivery(record, { at, detail })
  if (fact.nextAt === null) return faulted(edges, work, { fault: 'failed', detail, facts: [fact] })
  await runs.execute(run, [{ type: 'run.record', at, facts: [fact] }])
  await journal.release(claim, fact.nextAt)
}
