/** Whether a repository is a place to work on an issue in: a branch of its own, on which nothing lies about. */
import { type IssueRefusal, refuse } from '../../tracker/refusal.ts'
import { git } from '../workspace/git.ts'

export interface WorkPlace {
  readonly repo: string
  /** The branch that work goes to in the end; null: the one that the repository says. */
  readonly base: string | null
  /** What may differ there from what is committed; null for nothing. */
  readonly spared: string | null
}

/** All that speaks against it, the worst first. */
export async function placeRefusals({ repo, base, spared }: WorkPlace): Promise<IssueRefusal[]> {
  const on = await git(['symbolic-ref', '-q', '--short', 'HEAD'], { cwd: repo })
  const branch = on.stdout.trim()
  const whole = base ?? (await baseOf(repo))
  const found: IssueRefusal[] = []
  if (on.code !== 0)
    found.push(
      refuse(
        'detached-head',
        'No branch is checked out here (the HEAD is detached). git switch -c BRANCH makes one.',
      ),
    )
  else if (branch === whole)
    found.push(
      refuse(
        'no-own-branch',
        `${branch} is the branch that work goes to in the end. git switch -c BRANCH makes one for this issue.`,
      ),
    )
  const dirty = await changedPaths(repo, spared)
  if (dirty.length > 0)
    found.push(
      refuse(
        'not-clean',
        `The working tree is not clean: ${dirty.slice(0, 3).join(', ')}${dirty.length > 3 ? ` and ${dirty.length - 3} more` : ''}. Commit or stash that first.`,
      ),
    )
  return found
}

/** What others would call the main branch; null where nobody can tell. */
async function baseOf(repo: string): Promise<string | null> {
  const remote = await git(['symbolic-ref', '-q', '--short', 'refs/remotes/origin/HEAD'], { cwd: repo })
  if (remote.code === 0) return remote.stdout.trim().replace(/^origin\//, '')
  const usual = await git(['config', 'init.defaultBranch'], { cwd: repo })
  for (const name of [usual.stdout.trim(), 'main', 'master'])
    if (
      name !== '' &&
      (await git(['rev-parse', '-q', '--verify', `refs/heads/${name}`], { cwd: repo })).code === 0
    )
      return name
  return null
}

async function changedPaths(repo: string, spared: string | null): Promise<string[]> {
  const but = spared === null ? [] : [`:(top,exclude,literal)${spared}`]
  const { stdout } = await git(['status', '--porcelain', '-z', '--', ':/', ...but], { cwd: repo })
  return stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3))
}
