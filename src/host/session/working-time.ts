/** Which time an agent has worked: not that in which no host was there or awake, and not that before its turn began. */
import type { RunCommand } from '../../model/command.ts'
import type { ClockJump } from '../machine/clock-jump.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Edges } from './edges.ts'
import type { Prompting } from './prompting.ts'
import type { Seat } from './seat.ts'
import type { Session } from './session.ts'

/** Nobody can be late who is not at work: the host was away, or its turn has yet to begin. */
export async function unworked(
  needs: Pick<Edges, 'runs' | 'upSince'> & { readonly isAtWork: (seat: Seat) => boolean },
  run: string,
  at: number,
): Promise<RunCommand[]> {
  const loaded = await needs.runs.load(run)
  const current = loaded?.state.current
  if (loaded == null || current == null) return []
  const { step, number: visit } = current
  return current.members.flatMap(({ runningSince, attempt }, member) => {
    if (runningSince === null || needs.isAtWork({ run, step, visit, member })) return []
    const since = lastAtWork(needs, loaded, { member, runningSince })
    return [{ type: 'attempt.resume', at, step, visit, member, attempt, since } as const]
  })
}

/** Under an earlier host it worked until its last sign of it, as far as is known; under this one it has not begun. */
export function lastAtWork(
  { upSince }: Pick<Edges, 'upSince'>,
  { active }: Pick<LoadedRun, 'active'>,
  { member, runningSince }: { readonly member: number; readonly runningSince: number },
): number {
  return runningSince < upSince ? Math.min(active[member] ?? runningSince, upSince) : runningSince
}

/** While nobody was awake, nobody worked. */
export function skipTime(
  edges: Edges,
  { session, work }: { readonly session: Session; readonly work: Prompting },
  { from, to }: ClockJump,
): Promise<unknown> {
  const { step, visit } = work.duty
  const seconds = Math.round(Math.abs(to - from) / 1000)
  const text =
    to > from
      ? `The clock jumped by ${seconds} s: this machine or Signalbox was not awake, or the clock was set. That time does not count.`
      : `The clock was set back by ${seconds} s. That changes nothing of what was worked.`
  edges.log.write(work.run, { step, visit, who: 'host', kind: 'note', text })
  return edges.runs.execute(work.run, [{ type: 'attempt.resume', at: to, ...session.address(), since: from }])
}
