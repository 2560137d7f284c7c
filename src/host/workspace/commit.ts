/** A run's commits: everything in the worktree that is not ignored, made in the host's own store, without hooks or signatures. */
import { gitLine, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { inStore } from './store.ts'

export interface CommitRequest {
  readonly ground: Ground
  readonly tree: string
  /** What it stands on: the last commit of the run first. */
  readonly parents: readonly string[]
  readonly message: string
  /** The run's id. */
  readonly run: string
}

export const commitTree = (request: CommitRequest): Promise<string> =>
  gitLine(['commit-tree', request.tree, ...request.parents.flatMap((parent) => ['-p', parent])], {
    ...inStore(request.ground),
    input: messageOf(request),
  })

const messageOf = ({ message, run }: CommitRequest): string =>
  `${message.replaceAll('\0', '').trim() || 'Work of a run'}\n\nSignalbox-Run: ${run.replace(/\s+/g, ' ')}\n`

/** The old value guards against a commit that somebody else made meanwhile. */
export async function moveBranch(
  ground: Ground,
  branch: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (from !== to)
    await gitOutput(['update-ref', '-m', 'signalbox', `refs/heads/${branch}`, to, from], inStore(ground))
}
