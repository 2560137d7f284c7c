/** A run that began as a worktree of the user's own repository: what git remembers of it there is taken out again. */
import { lstat, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isMissing, textIn } from './file-error.ts'
import type { Ground } from './ground.ts'

export const isLinkedWorktree = async (ground: Ground): Promise<boolean> =>
  (await adminFolders(ground)).length > 0

export async function forgetLinkedWorktree(ground: Ground): Promise<void> {
  for (const folder of await adminFolders(ground)) await rm(folder, { recursive: true, force: true })
}

/** Found from the user's side only: what the worktree itself says is the agent's word. */
async function adminFolders({ userGitDir, worktree }: Ground): Promise<string[]> {
  const all = join(userGitDir, 'worktrees')
  const found: string[] = []
  for (const name of await namesIn(all)) {
    const folder = join(all, name)
    if (!(await lstat(folder)).isDirectory()) continue
    const link = (await textIn(join(folder, 'gitdir'))).trim()
    if (link !== '' && dirname(resolve(folder, link)) === worktree) found.push(folder)
  }
  return found
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
