/**
 * What an agent reports over MCP: judged at once, so that it can mend it in the same turn, and in the journal before it is
 * told so. It counts when its turn ends: until then it may report anew.
 */

import { judgeHandoff, whyNotTaken } from '../../engine/index.ts'
import { bytesDigest } from '../../journal/index.ts'
import { asksNothing } from '../../model/contract.ts'
import type { Fact } from '../../model/fact.ts'
import { stepOf } from '../../model/program.ts'
import type { RefusalCode } from '../../model/refusal.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Edges } from './edges.ts'
import { withHandoff } from './find-answer.ts'
import { withoutMissingFiles } from './named-files.ts'
import type { Session } from './session.ts'

export interface Reporting {
  readonly session: Session
  readonly loaded: LoadedRun
}

export type ReportResult =
  | { readonly accepted: string }
  | { readonly rejected: string; readonly code: RefusalCode }

export async function report(
  edges: Edges,
  { session, loaded }: Reporting,
  answer: unknown,
): Promise<ReportResult> {
  const { seat } = session
  const { contract } = stepOf(loaded.program, seat.step)
  const { worktree } = loaded.placed.placement
  const value = await withHandoff(edges.journal, { loaded, seat, value: answer })
  const { given, remarks } = withoutMissingFiles({ kind: 'value', value }, { contract, worktree })
  const wrong = whyNotTaken(loaded.program, loaded.state, session.address(), given)
  if (wrong !== null) return { rejected: [wrong.message, ...remarks].join('\n\n'), code: wrong.code }
  const refused = await record(edges, session, { type: 'answer.reported', value })
  return refused ?? { accepted: ['Your answer is taken. End your turn now.', ...remarks].join('\n\n') }
}

/** The step's handoff, ahead of the answer: kept for the whole visit, so that nobody need hand it off again. */
export async function reportHandoff(
  edges: Edges,
  { session, loaded }: Reporting,
  values: unknown,
): Promise<ReportResult> {
  const { step, visit } = session.seat
  const { current } = loaded.state
  if (current?.step !== step || current.number !== visit)
    return { rejected: 'This session is not at work any more.', code: 'stale' }
  const { contract } = stepOf(loaded.program, step)
  const { handoff } = contract
  if (handoff === null)
    return {
      rejected: asksNothing(contract)
        ? `"${step}" has no handoff, and asks nothing but the work: end your turn when it is done.`
        : `"${step}" has no handoff. What it asks is answered with report_outcome; notes stand there too.`,
      code: 'not-offered',
    }
  const { worktree } = loaded.placed.placement
  const fields = { variables: [], rows: [], fields: handoff.fields, handoff: null }
  const { given, remarks } = withoutMissingFiles(
    { kind: 'value', value: values },
    { contract: fields, worktree },
  )
  const judged = judgeHandoff(handoff, given.kind === 'value' ? given.value : values)
  if ('message' in judged)
    return { rejected: [judged.message, ...remarks].join('\n\n'), code: 'invalid-answer' }
  const refused = await record(edges, session, { type: 'handoff.reported', value: judged.values })
  const accepted = `The ${handoff.name} is kept. It goes with your answer, unless that brings another: report_outcome is still to come.`
  return refused ?? { accepted: [accepted, ...remarks].join('\n\n') }
}

/** Null: it is in the journal. */
async function record(
  { runs, clock }: Edges,
  { seat: { run, step, visit, member } }: Session,
  { type, value }: { readonly type: 'answer.reported' | 'handoff.reported'; readonly value: unknown },
): Promise<ReportResult | null> {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const at = clock.now()
  const fact: Fact = { type, at, step, visit, member, digest: bytesDigest(bytes) }
  const executed = await runs.execute(run, [{ type: 'run.record', at, facts: [fact] }], { keep: [bytes] })
  return 'refusal' in executed ? { rejected: executed.refusal.message, code: executed.refusal.code } : null
}
