/** An agent is told something in the middle of its turn, in the same conversation: that is no other attempt. */
import { bytesDigest } from '../../journal/index.ts'
import type { Fact } from '../../model/fact.ts'
import type { Next } from './conversation.ts'
import type { Edges } from './edges.ts'
import type { Prompting } from './prompting.ts'
import type { Session } from './session.ts'

export interface Interrupted {
  readonly session: Session
  readonly work: Prompting
  readonly next: Extract<Next, { act: 'interrupt' }>
}

/** Recorded before it happens, like any prompt. Gives back what is next. */
export async function interrupt(edges: Edges, { session, work, next }: Interrupted): Promise<Next> {
  const { step, visit, member, agent } = work.duty
  const { text, seen } = next
  const at = edges.clock.now()
  const bytes = new TextEncoder().encode(text)
  const facts: readonly Fact[] = [
    { type: 'host.noted', at, text: `${step}: ${agent} made ${seen}. It was told so.` },
    { type: 'agent.prompted', at, step, visit, member, digest: bytesDigest(bytes) },
  ]
  await edges.runs.execute(work.run, [{ type: 'run.record', at, facts }], { keep: [bytes] })
  if (await session.interrupt(text)) return { act: 'watch' }
  return { act: 'break-off', fault: 'stalled', detail: `It made ${seen}, and could not be stopped.` }
}
