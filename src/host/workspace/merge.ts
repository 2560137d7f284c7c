/**
 * Merges in the host's own store: no worktree, no index, no hook, and no driver that a repository's settings could name.
 * What they give is a tree; whoever asked makes a commit of it.
 */
import { namesOf } from './file-name.ts'
import { GitFailure, git, gitLine, sentenceOf } from './git.ts'
import type { Ground } from './ground.ts'
import { inStore } from './store.ts'

export interface MergedTree {
  /** With conflict markers in the files that are named. */
  readonly tree: string
  /** Files that both sides changed, each its own way; empty where the merge is clean. */
  readonly conflicts: readonly string[]
}

/** One commit into another, from where they parted. */
export async function mergeTrees(ground: Ground, ours: string, theirs: string): Promise<MergedTree> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs]
  const result = await git(args, inStore(ground))
  if (result.code > 1) throw new GitFailure(isTooOld(result.stderr) ? TOO_OLD : sentenceOf(args, result))
  const [tree, ...conflicts] = namesOf(result.stdout)
  if (tree === undefined) throw new GitFailure(sentenceOf(args, result))
  return { tree, conflicts: [...new Set(conflicts)] }
}

const isTooOld = (said: string): boolean => /usage: git merge-tree|unknown option/.test(said)
const TOO_OLD = 'This git is too old to merge without a worktree. Install git 2.38 or newer.'

/** What one commit changed, put onto another. */
export async function pickTree(ground: Ground, onto: string, commit: string): Promise<MergedTree> {
  const parent = await gitLine(['rev-parse', '--verify', `${commit}^1`], inStore(ground))
  // Both made children of where the change began: what git merges then is that change alone.
  const child = async (of: string): Promise<string> =>
    gitLine(['commit-tree', await treeOf(ground, of), '-p', parent], { ...inStore(ground), input: 'pick\n' })
  return mergeTrees(ground, await child(onto), await child(commit))
}

export const treeOf = (ground: Ground, commit: string): Promise<string> =>
  gitLine(['rev-parse', '--verify', `${commit}^{tree}`], inStore(ground))
