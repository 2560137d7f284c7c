/**
 * Whether nothing would be lost with a run's own copy of its work: another branch or tag of the user's has its last commit,
 * or the branch it came from has all that merging it would bring, however it came there (a squash, a cherry-pick, by hand).
 * One rule for everybody who would take that copy away.
 */
import { existsSync } from 'node:fs'
import { git } from './git.ts'
import type { Ground } from './ground.ts'
import { mergeTrees, treeOf } from './merge.ts'
import { userTip } from './publish.ts'
import { hasCommit, hasStore, isAncestor } from './store.ts'

interface WorkOfRun {
  readonly ground: Ground
  readonly branch: string
  readonly commit: string
  /** The branch it came from. */
  readonly base: string
}

export async function isMerged(work: WorkOfRun): Promise<boolean> {
  const { ground, base, commit } = work
  if (!existsSync(ground.userGitDir)) return false
  if (await isElsewhere(work)) return true
  if (!hasStore(ground)) return false
  const tip = await userTip({ ground, branch: base })
  return tip !== null && (await isIn({ ground, tip, commit }))
}

async function isElsewhere({ ground: { userGitDir }, branch, commit }: WorkOfRun): Promise<boolean> {
  const args = [
    'for-each-ref',
    '--format=%(refname)',
    `--contains=${commit}`,
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ]
  const { code, stdout } = await git(args, {
    cwd: userGitDir,
    env: { GIT_DIR: userGitDir, GIT_NO_REPLACE_OBJECTS: '1' },
  })
  // What keeps changes of issues has what runs came from, and nobody's work is there to stay.
  const own = new Set(['', `refs/heads/${branch}`, 'refs/heads/signalbox/issues'])
  return code === 0 && stdout.split('\n').some((ref) => !own.has(ref))
}

/** One commit has all that merging another into it would bring. */
export async function isIn({
  ground,
  tip,
  commit,
}: {
  readonly ground: Ground
  readonly tip: string
  readonly commit: string
}): Promise<boolean> {
  if (!(await hasCommit(ground, tip)) || !(await hasCommit(ground, commit))) return false
  if (await isAncestor(ground, commit, tip)) return true
  const { tree, conflicts } = await mergeTrees(ground, tip, commit)
  return conflicts.length === 0 && tree === (await treeOf(ground, tip))
}
