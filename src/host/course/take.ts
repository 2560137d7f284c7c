/**
 * A run in a person's own hands. Its agents are ended and what they left is in the record before the person begins, and the
 * worktree's repository is made anew: their own git runs nothing there that an agent left.
 */
import type { Actor } from '../../model/answer.ts'
import type { TakenRun } from '../../model/api/course.ts'
import { stepOf } from '../../model/program.ts'
import type { Rejection } from '../../model/refusal.ts'
import { boundaryNow } from '../duty/boundary.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import { collectBroken, type OtherSeats } from '../duty/leftovers.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { noRun } from '../runs/no-run.ts'

export interface TakingNeeds extends DutyNeeds {
  readonly others: OtherSeats
  /** Resolves when nothing is being done for the run any more. */
  readonly quiet: (run: string) => Promise<void>
}

export async function takeRun(
  needs: TakingNeeds,
  { run, by, reason }: { readonly run: string; readonly by: Actor; readonly reason: string },
): Promise<TakenRun | Rejection> {
  const { runs, clock } = needs
  const before = await runs.load(run)
  if (before === null) return noRun(run)
  // Again by the same person: they may have been cut off before they were told where.
  if (!isTheirs(before, by)) {
    const executed = await runs.execute(run, [{ type: 'run.take', at: clock.now(), by, reason }])
    if ('lost' in executed) throw new Error('a command without a claim lost one')
    if ('refusal' in executed) return { code: executed.refusal.code, problem: executed.refusal.message }
  }
  const problem = await handToPerson(needs, run)
  if (problem !== null) return { code: 'not-taken', problem }
  const loaded = (await runs.load(run))!
  const { worktree, branch } = loaded.placed.placement
  const { current } = loaded.state
  return { run, worktree, branch, step: current?.step ?? '', visit: current?.number ?? 0 }
}

const isTheirs = ({ state: { taken } }: LoadedRun, by: Actor): boolean =>
  taken !== null && JSON.stringify(taken.by) === JSON.stringify(by)

/** Again is harmless: also for whoever took it over under a host that is gone. */
export async function handToPerson(needs: TakingNeeds, run: string): Promise<string | null> {
  const { runs, clock, workplaces } = needs
  await needs.others.leaveOthers(run, null)
  await needs.quiet(run)
  const found = await runs.load(run)
  if (found === null || found.state.taken === null || found.handed !== null) return null
  const place = await workplaces.ensure(found)
  if ('problem' in place) return place.problem
  const { current } = found.state
  const { kind } = stepOf(found.program, current!.step)
  if (kind === 'agent' || kind === 'panel') {
    const { step, number: visit } = current!
    await collectBroken(needs, found, { step, visit, member: 0, boundary: boundaryNow(found) })
  }
  const loaded = (await runs.load(run))!
  await workplaces.leaveToPeople(loaded)
  const at = clock.now()
  await runs.execute(run, [
    { type: 'run.record', at, facts: [{ type: 'run.handed', at, commit: loaded.commit }] },
  ])
  return null
}
