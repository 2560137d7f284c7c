/** Which time an agent has worked: not that in which no host was there, and not that before its turn began. */
import type { RunCommand } from '../../model/command.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Edges } from './edges.ts'
import type { Seat } from './seat.ts'

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
