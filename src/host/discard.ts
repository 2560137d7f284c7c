/**
 * What an ended run left, removed. What no branch of the user's has got is not lost by it: a ref of their repository keeps
 * the commit until they delete that ref, and the record says which.
 */
import type { Actor } from '../model/answer.ts'
import type { Rejection } from '../model/refusal.ts'
import { workOf } from './course/work.ts'
import { collectLeftovers } from './duty/leftovers.ts'
import type { LoadedRun } from './runs/loaded-run.ts'
import { noRun } from './runs/no-run.ts'
import { forgetAnswers } from './session/answer-files.ts'
import type { Edges } from './session/edges.ts'
import type { Sessions } from './session/sessions.ts'
import { groundAt } from './workspace/ground.ts'
import { isMerged } from './workspace/merged.ts'
import { keepDiscarded } from './workspace/publish.ts'

export interface DiscardOrder {
  readonly by: Actor
  /** Also what its branch has not got. */
  readonly unmerged: boolean
}

export async function discard(
  tools: Edges & { readonly sessions: Sessions },
  run: string,
  { by, unmerged }: DiscardOrder,
): Promise<{ readonly discarded: true } | Rejection> {
  const { runs, clock, processEnvironment } = tools
  const found = await runs.load(run)
  if (found === null) return noRun(run)
  if (found.state.status !== 'ended')
    return notDiscarded(`Run ${run} is still going on. Cancel it first: signalbox cancel ${run}`)
  await tools.sessions.leaveOthers(run, null)
  if (!found.discarded) await collectLeftovers(tools, run)
  const loaded = (await runs.load(run)) ?? found
  const work = await workOf(processEnvironment.home, loaded)
  const isLost = work !== null && work.ahead > 0 && !(await isKeptElsewhere(tools, loaded))
  if (isLost && !unmerged)
    return {
      code: 'unmerged',
      problem: `${work.into} has not got what run ${run} did (${work.ahead} commits, the last is ${work.commit}). Land it first: signalbox land ${run}; or discard it all the same: signalbox discard ${run} --yes`,
    }
  const kept = isLost ? await keep(tools, loaded) : null
  if (kept !== null && 'problem' in kept) return notDiscarded(kept.problem)
  const removed = await tools.workplaces.remove(loaded)
  if ('problem' in removed) return notDiscarded(removed.problem)
  await forgetAnswers(processEnvironment.home, run)
  const at = clock.now()
  const fact = { type: 'run.discarded', at, by, ...(kept === null ? {} : { kept }) } as const
  await runs.execute(run, [{ type: 'run.record', at, facts: [fact] }])
  return { discarded: true }
}

const notDiscarded = (problem: string): Rejection => ({ code: 'not-discarded', problem })

function isKeptElsewhere({ processEnvironment }: Edges, { placed, commit }: LoadedRun): Promise<boolean> {
  const { branch, base } = placed.placement
  const ground = groundAt(processEnvironment.home, placed.placement)
  return isMerged({ ground, branch, commit, base })
}

async function keep(
  { processEnvironment }: Edges,
  { placed: { placement }, commit, run }: LoadedRun,
): Promise<{ readonly commit: string; readonly ref: string } | { readonly problem: string }> {
  const ground = groundAt(processEnvironment.home, placement)
  const ref = await keepDiscarded({ ground, branch: placement.branch })
  return ref === null
    ? { problem: `The commit ${commit} of run ${run} could not be kept in your repository.` }
    : { commit, ref }
}
