/** What lies in a worktree while somebody is at work there: enough to tell whether anything comes of it. */
import { bytesDigest } from '../../journal/index.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Confined } from './confined.ts'
import { gitLine } from './git.ts'
import type { Ground } from './ground.ts'
import { artifactsIn } from './kept-artifacts.ts'
import { takeSnapshot } from './staging.ts'
import { inStore } from './store.ts'

export interface WorktreeSeen {
  /** Equal where the same files and artifacts are in it. */
  readonly mark: string
  /** Nothing is in it that was not taken in before. */
  readonly isAsTaken: boolean
}

export interface WorktreeToSee {
  readonly ground: Ground
  readonly loaded: Pick<LoadedRun, 'commit' | 'artifacts'>
  readonly confined: Confined
}

export async function seeWorktree({ ground, loaded, confined }: WorktreeToSee): Promise<WorktreeSeen> {
  const tree = await takeSnapshot(ground, confined)
  const { kept } = await artifactsIn(ground.worktree)
  const artifacts = kept.map(({ name, bytes }) => ({ name, digest: bytesDigest(bytes) }))
  const taken = await gitLine(['rev-parse', `${loaded.commit}^{tree}`], inStore(ground))
  return {
    mark: bytesDigest(new TextEncoder().encode(JSON.stringify([tree, artifacts]))),
    isAsTaken: tree === taken && artifacts.every(({ name, digest }) => loaded.artifacts[name] === digest),
  }
}
