/** What an agent's worktree is in the middle of its turn. */
import { writesOf } from '../../engine/index.ts'
import { StorageFailure } from '../../model/storage-failure.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { WorktreeSeen } from '../workspace/worktree-seen.ts'
import type { Edges } from './edges.ts'
import { agentStepOf, type Prompting } from './prompting.ts'

/** Who is at work there. */
type Seen = Pick<Prompting, 'run' | 'duty'>

/** What cannot be looked at is always the same: then its calls alone say how it comes on. */
const UNSEEN: WorktreeSeen = { mark: '', isAsTaken: false }

export const worktreeNow = (edges: Edges, seen: Seen): Promise<WorktreeSeen> =>
  look(edges, seen).catch((error: unknown) => {
    // A disk that fails for a moment is no reason to leave it.
    if (error instanceof StorageFailure) return UNSEEN
    throw error
  })

async function look({ runs, workplaces }: Edges, { run, duty }: Seen): Promise<WorktreeSeen> {
  const loaded = await runs.load(run)
  if (loaded === null || isOfOthers(loaded, duty)) return UNSEEN
  const seen = await workplaces.see(loaded)
  return 'problem' in seen ? UNSEEN : seen
}

/** Members of a panel share it: what changes in it does not come of the turns of one who may write nothing. */
function isOfOthers(loaded: LoadedRun, { step, member }: Seen['duty']): boolean {
  const { members } = agentStepOf(loaded, step)
  const agent = members[member]?.agent
  return (
    members.length > 1 && agent !== undefined && writesOf(loaded.program, loaded.state, agent)?.length === 0
  )
}
