/**
 * The run's branch in the user's repository: the one thing of theirs that the host writes by itself. Fetched from the host's own
 * store, so only what was checked there arrives, and only as `refs/heads/signalbox/…`.
 */
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { twiceForRoom } from './for-room.ts'
import { type GitOptions, git, gitOutput, sentenceOf } from './git.ts'
import type { Ground } from './ground.ts'

export interface Published {
  readonly ground: Ground
  readonly branch: string
}

/** For git on the user's repository. */
export const gitOfUser = ({ userGitDir }: Ground): GitOptions => ({
  cwd: userGitDir,
  env: { GIT_DIR: userGitDir, GIT_NO_REPLACE_OBJECTS: '1' },
})

/** What kept it from being brought up to date, as a sentence; null when it is. Nothing of the user's is overwritten. */
export async function publishBranch({ ground, branch }: Published): Promise<string | null> {
  const ref = `refs/heads/${branch}`
  const how = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-gc']
  const args = [
    '-c',
    'protocol.file.allow=always',
    'fetch',
    ...how,
    '--refmap=',
    ground.store,
    `${ref}:${ref}`,
  ]
  const fetched = await git(args, gitOfUser(ground))
  if (fetched.code === 0) return null
  const elsewhere = /(?:checked out at|into (?:current )?branch .* checked out at) '(.+)'/.exec(
    fetched.stderr,
  )?.[1]
  if (elsewhere !== undefined)
    return `The branch ${branch} is checked out in ${elsewhere}, so the run's commits were not brought there. Check out another one.`
  if (/non-fast-forward|rejected/.test(fetched.stderr))
    return `The branch ${branch} was moved by somebody else, so the run's commits were not brought there. Rename it.`
  const again = await twiceForRoom([ground.dir, ground.userGitDir], () => git(args, gitOfUser(ground)))
  return again.code === 0 ? null : sentenceOf(['fetch'], again)
}

/** The branch, and a ref that keeps what the run started from, whatever becomes of the branch. Again is harmless. */
export async function markBase({
  ground,
  branch,
  commit,
}: Published & { readonly commit: string }): Promise<string | null> {
  const input = `create refs/heads/${branch} ${commit}\nupdate ${baseRef(ground)} ${commit}\n`
  const created = await git(['update-ref', '--stdin'], { ...gitOfUser(ground), input })
  if (created.code === 0) return null
  const again = await git(['update-ref', '--stdin'], {
    ...gitOfUser(ground),
    input: `update ${baseRef(ground)} ${commit}\n`,
  })
  if (again.code !== 0) return sentenceOf(['update-ref'], again)
  return (await userTip({ ground, branch })) === null ? sentenceOf(['update-ref'], created) : null
}

/** Locks of these two refs that a killed git of ours left; nobody else has any business there. */
export async function clearUserLocks({ ground, branch }: Published): Promise<void> {
  for (const ref of [`refs/heads/${branch}`, baseRef(ground)])
    await rm(join(ground.userGitDir, `${ref}.lock`), { force: true })
}

/** Keeps what was not merged, under a name that nothing else lists, after the run's branch is gone. Null: it could not. */
export async function keepDiscarded({ ground, branch }: Published): Promise<string | null> {
  const ref = discardedRef(ground)
  const how = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-gc', '--refmap=']
  const args = ['-c', 'protocol.file.allow=always', 'fetch', ...how, ground.store]
  const fetched = await git([...args, `+refs/heads/${branch}:${ref}`], gitOfUser(ground))
  return fetched.code === 0 ? ref : null
}

const discardedRef = ({ dir }: Ground): string =>
  `refs/signalbox/discarded/${basename(dir).replaceAll(/[^\w-]/g, '-')}`

export async function forgetBranch({ ground, branch }: Published): Promise<void> {
  for (const ref of [`refs/heads/${branch}`, baseRef(ground)])
    await gitOutput(['update-ref', '-d', ref], gitOfUser(ground))
}

const baseRef = ({ dir }: Ground): string => `refs/signalbox/${basename(dir).replaceAll(/[^\w-]/g, '-')}`

/** Where a branch of the user's stands; null where there is none. */
export async function userTip({ ground, branch }: Published): Promise<string | null> {
  const { code, stdout } = await git(
    ['rev-parse', '--verify', '-q', `refs/heads/${branch}^{commit}`],
    gitOfUser(ground),
  )
  return code === 0 ? stdout.trim() : null
}
