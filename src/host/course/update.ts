/**
 * What the branch a run came from got since is brought into the run. At once where nobody is at work in its files; else
 * when the turn ends, or before the next agent begins. What both sides changed is left to the agent, which is told so;
 * where it would fall to nobody, nothing is done and whoever asked is told.
 */
import type { Actor } from '../../model/answer.ts'
import type { RunUpdate } from '../../model/api/course.ts'
import { stepOf } from '../../model/program.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import { collectLeftovers } from '../duty/leftovers.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { noRun } from '../runs/no-run.ts'
import { shown, someNames } from '../workspace/file-name.ts'
import { withBrought } from './bring-asked.ts'
import { workOf } from './work.ts'

export async function updateRun(
  needs: DutyNeeds,
  { run, by }: { readonly run: string; readonly by: Actor },
): Promise<RunUpdate | Rejection> {
  const { runs, clock } = needs
  const before = await runs.load(run)
  if (before === null) return noRun(run)
  const { taken, status } = before.state
  const { base: from, worktree } = before.placed.placement
  if (taken !== null)
    return notUpdated(`Run ${run} is taken over. Merge it there by hand: cd ${worktree} && git merge ${from}`)
  if (before.discarded)
    return { code: 'gone', problem: `Run ${run} is discarded: its commits are not kept any more.` }
  const place = await needs.workplaces.ensure(before)
  if ('problem' in place) return notUpdated(place.problem)
  const found = isIdle(before) ? await withBrought(needs, before) : before
  const work = await workOf(needs.processEnvironment.home, found)
  if (work === null) return notUpdated(`There is no branch ${from} in your repository to bring in.`)
  if (work.behind === 0) return { state: 'nothing', from, commits: 0, commit: found.commit, agents: [] }
  if (!isIdle(found)) {
    const at = clock.now()
    await runs.execute(run, [{ type: 'run.record', at, facts: [{ type: 'update.asked', at, by }] }])
    return { state: 'asked', from, commits: work.behind, commit: found.commit, agents: agentsAt(found) }
  }
  if (status === 'ended') await collectLeftovers(needs, run)
  const loaded = (await runs.load(run))!
  const how = { commit: loaded.commit, by, conflicts: 'refused' } as const
  const brought = (await needs.workplaces.bringBase(loaded, how))!
  if ('problem' in brought) return notUpdated(brought.problem)
  if ('refused' in brought) return notUpdated(conflictText(loaded, brought.refused))
  const { commit, tip } = brought
  const at = clock.now()
  const fact = { type: 'base.merged', at, base: tip, commit, by } as const
  await runs.execute(run, [{ type: 'run.record', at, facts: [fact] }])
  return { state: 'merged', from, commits: work.behind, commit, agents: [] }
}

const notUpdated = (problem: string): Rejection => ({ code: 'not-updated', problem })

/** Nobody works in its files, and nobody will before a person has spoken. */
function isIdle({ program, state: { status, current } }: LoadedRun): boolean {
  if (status === 'ended' || current === null) return true
  return stepOf(program, current.step).kind === 'decide'
    ? current.question !== null
    : current.question !== null && current.members.every(({ question }) => question === null)
}

function agentsAt({ program, state: { current } }: LoadedRun): string[] {
  const step = current === null ? null : stepOf(program, current.step)
  return step !== null && 'members' in step ? step.members.map(({ agent }) => agent) : []
}

function conflictText({ run, state, placed }: LoadedRun, files: readonly string[]): string {
  const { base, branch } = placed.placement
  const ways =
    state.status === 'ended'
      ? `Merge them by hand: git checkout ${base} && git merge ${branch}`
      : `Resolve it by hand: signalbox take ${run}, git merge ${base} there, signalbox resume ${run}; or have an agent do it: signalbox move ${run} STEP, then update again.`
  return `${base} and the run both changed ${someNames(files.map(shown))}, and no agent is at work that could resolve it. Nothing was changed. ${ways}`
}
