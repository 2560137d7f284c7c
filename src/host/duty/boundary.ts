/** What the agents of a step may write. */
import { writesOf } from '../../engine/index.ts'
import type { Boundary } from '../../model/boundary.ts'
import { stepOf } from '../../model/program.ts'
import type { Abandoned, LoadedRun } from '../runs/loaded-run.ts'
import { agentStepOf } from '../session/prompting.ts'

/** In the visit that is going on. */
export function boundaryNow(loaded: LoadedRun): Boundary {
  return loaded.boundary === undefined ? boundaryAt(loaded, loaded.state.current!.step) : loaded.boundary
}

/** For what was broken off. Where nobody kept it, the record as it is now must do. */
export function boundaryOfAbandoned(loaded: LoadedRun, { step, boundary }: Abandoned): Boundary {
  const { kind } = stepOf(loaded.program, step)
  if (kind !== 'agent' && kind !== 'panel') return null
  return boundary === undefined ? boundaryAt(loaded, step) : boundary
}

/** Members of a panel share a worktree: what one of them wrote cannot be told from what another did. */
function boundaryAt(loaded: LoadedRun, step: string): Boundary {
  const lists: (readonly string[])[] = []
  for (const { agent } of agentStepOf(loaded, step).members) {
    const writes = writesOf(loaded.program, loaded.state, agent)
    if (writes === null) return null
    lists.push(writes)
  }
  return lists
}
