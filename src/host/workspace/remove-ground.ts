/** Takes a run's ground and its branch away, and nothing else. Again is harmless. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { isMissing } from './file-error.ts'
import { git, problemOf } from './git.ts'
import type { Ground } from './ground.ts'
import { checkoutOf } from './land.ts'
import { forgetLinkedWorktree, isLinkedWorktree } from './linked-worktree.ts'
import type { Problem } from './problem.ts'
import { forgetBranch } from './publish.ts'
import { removeFolder } from './remove-folder.ts'

export interface RemoveRequest {
  readonly ground: Ground
  readonly branch: string
}

export async function removeGround({ ground, branch }: RemoveRequest): Promise<{ removed: true } | Problem> {
  try {
    const inUsers = { cwd: '/', env: { GIT_DIR: ground.userGitDir } }
    const hasRepo = (await git(['rev-parse', '--git-dir'], inUsers)).code === 0
    if (!existsSync(ground.dir) && (await holdsFiles(ground)) && !(await isLinkedWorktree(ground)))
      return {
        problem: `${ground.worktree} is not a worktree of a run, so it was left alone. Remove it by hand.`,
      }
    if (hasRepo) {
      const checkout = await checkoutOf(ground, branch)
      if (checkout !== null)
        return {
          problem: `The branch ${branch} is checked out in ${checkout}. Check out another one there first.`,
        }
    }
    await removeFolder(ground.worktree)
    if (hasRepo) await forgetLinkedWorktree(ground)
    await removeFolder(`${ground.worktree}.making`)
    await removeFolder(ground.dir)
    if (hasRepo) await forgetBranch({ ground, branch })
    return { removed: true }
  } catch (error) {
    return problemOf(error)
  }
}

async function holdsFiles({ worktree }: Ground): Promise<boolean> {
  try {
    return (await readdir(worktree)).length > 0
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
