/** A timer has come: the run is told what time it is, and knows itself what that means. */
import type { RunCommand } from '../../model/command.ts'
import type { LoadedRun } from '../loaded-run.ts'
import { type DutyOf, settle, type Tools, type Work } from './duty.ts'

export async function waitUntil(tools: Tools, work: Work<DutyOf<'wait-until'>>): Promise<void> {
  const { timer } = work.duty
  if (timer.kind === 'time-limit') await endedInTime(tools, work)
  const at = Math.max(tools.clock.now(), timer.at)
  await settle(tools, work, ...(await unworked(tools, work.run, at)), { type: 'time.pass', at })
}

/** Nobody can be late who is not at work: the host was away, or its turn has yet to begin. */
async function unworked(tools: Tools, run: string, at: number): Promise<RunCommand[]> {
  const loaded = await tools.runs.load(run)
  const current = loaded?.state.current
  if (loaded == null || current == null) return []
  const { step, number: visit } = current
  return current.members.flatMap(({ runningSince, attempt }, member) => {
    const seat = tools.seats.find({ run, step, visit, member })
    if (runningSince === null || seat?.turn != null || seat?.concluding != null) return []
    const since = lastAtWork(tools, loaded, { member, runningSince })
    return [{ type: 'attempt.resume', at, step, visit, member, attempt, since } as const]
  })
}

/** Under an earlier host it worked until its last sign of it, as far as is known; under this one it has not begun. */
export function lastAtWork(
  { upSince }: Pick<Tools, 'upSince'>,
  { active }: Pick<LoadedRun, 'active'>,
  { member, runningSince }: { readonly member: number; readonly runningSince: number },
): number {
  return runningSince < upSince ? Math.min(active[member] ?? runningSince, upSince) : runningSince
}

/** An agent that has ended its turn is not late because its work is still being taken in. */
async function endedInTime({ runs, seats }: Tools, { run, duty }: Work<DutyOf<'wait-until'>>): Promise<void> {
  const current = (await runs.load(run))?.state.current
  const { member } = duty.timer
  if (current == null || member === null) return
  await seats.find({ run, step: current.step, visit: current.number, member })?.concluding
}
