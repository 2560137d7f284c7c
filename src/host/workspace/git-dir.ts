/** Where git keeps what belongs to one worktree, read from its link where there is one: that needs no process. */
import { lstat, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isMissing } from './file-error.ts'
import { gitLine } from './git.ts'

export const gitDirOf = async (path: string): Promise<string> =>
  (await linkedGitDir(path)) ?? gitLine(['rev-parse', '--absolute-git-dir'], { cwd: path })

/** Where the `.git` file of a worktree points; null for anything else, a repository with its own `.git` included. */
export async function linkedGitDir(path: string): Promise<string | null> {
  try {
    if (!(await lstat(join(path, '.git'))).isFile()) return null
    const target = /^gitdir: (.+)\n?$/s.exec(await readFile(join(path, '.git'), 'utf8'))?.[1]
    return target === undefined ? null : resolve(path, target.trimEnd())
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
