/** What a killed git leaves behind. Only to be called when no git of ours or of an agent runs there. */
import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gitLine } from './git.ts'
import { gitDirOf } from './git-dir.ts'
import { PRIVATE_INDEX } from './private-index.ts'

export async function clearStaleLocks({ path, branch }: { path: string; branch: string }): Promise<void> {
  const gitDir = await gitDirOf(path)
  for (const name of await readdir(gitDir)) if (isLeft(name)) await rm(join(gitDir, name), { force: true })
  await clearBranchLock({ repo: path, branch })
}

export async function clearBranchLock({ repo, branch }: { repo: string; branch: string }): Promise<void> {
  const lock = await gitLine(['rev-parse', '--git-path', `refs/heads/${branch}.lock`], { cwd: repo })
  await rm(resolve(repo, lock), { force: true })
}

/** Locks of the whole repository (config, packed refs) may be somebody else's and stay. */
const isLeft = (name: string): boolean =>
  ['index.lock', 'HEAD.lock', 'ORIG_HEAD.lock'].includes(name) || name.startsWith(PRIVATE_INDEX)
