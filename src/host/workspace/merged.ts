/** Whether what a run did is on a branch of the user's other than its own. */
import { existsSync } from 'node:fs'
import { git } from './git.ts'
import type { Ground } from './ground.ts'

interface RunWork {
  readonly ground: Ground
  readonly branch: string
  readonly commit: string
}

export async function isMerged({ ground: { userGitDir }, branch, commit }: RunWork): Promise<boolean> {
  if (!existsSync(userGitDir)) return false
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
  return code === 0 && stdout.split('\n').some((ref) => ref !== '' && ref !== `refs/heads/${branch}`)
}
