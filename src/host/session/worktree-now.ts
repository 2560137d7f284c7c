/** What an agent's worktree is in the middle of its turn. */
import { StorageFailure } from '../../model/storage-failure.ts'
import type { WorktreeSeen } from '../workspace/worktree-seen.ts'
import type { Edges } from './edges.ts'

/** What cannot be looked at is always the same: then its calls alone say how it comes on. */
const UNSEEN: WorktreeSeen = { mark: '', isAsTaken: false }

export const worktreeNow = (edges: Edges, run: string): Promise<WorktreeSeen> =>
  look(edges, run).catch((error: unknown) => {
    // A disk that fails for a moment is no reason to leave it.
    if (error instanceof StorageFailure) return UNSEEN
    throw error
  })

async function look({ runs, workplaces }: Edges, run: string): Promise<WorktreeSeen> {
  const loaded = await runs.load(run)
  const seen = loaded === null ? UNSEEN : await workplaces.see(loaded)
  return 'problem' in seen ? UNSEEN : seen
}
