/**
 * A run's own checkout. git is the truth and the worktree a cache: whatever state a crash left it in, asking again
 * gives the worktree, on its branch, with what was committed.
 */
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { isMissing } from './file-error.ts'
import { git, gitLine, gitOutput, problemOf, sentenceOf } from './git.ts'
import { linkedGitDir } from './git-dir.ts'
import { clearHalfMade } from './half-made.ts'
import type { Problem } from './problem.ts'
import { removeFolder } from './remove-folder.ts'
import { ensureRunFolders } from './run-folder.ts'
import { clearBranchLock, clearStaleLocks } from './stale-lock.ts'
import { type Checkout, listCheckouts, realPathOf } from './worktree-list.ts'

export interface WorktreeRequest {
  readonly repo: string
  readonly branch: string
  /** Where the branch begins if it is not there yet. */
  readonly baseCommit: string
  readonly path: string
  /**
   * Nothing of an earlier process works in it any more: locks that are left are nobody's. False: this process has made
   * sure of it before, so that it need only be seen to be there still.
   */
  readonly afterCrash?: boolean
}

export async function ensureWorktree(request: WorktreeRequest): Promise<{ path: string } | Problem> {
  try {
    const { repo, path, afterCrash } = request
    if (afterCrash === false && (await isInPlace(request))) return (await ensureRunFolders(path)) ?? { path }
    if (!(await isRepository(repo)))
      return { problem: `${repo} is not a git repository (any more). Put it back, or discard the run.` }
    if (afterCrash === true) await clearHalfMade({ repo, path: await realPathOf(path) })
    const problem = (await ensureBranch(request)) ?? (await ensureCheckout(request))
    if (problem !== null) return problem
    if (afterCrash === true) await clearStaleLocks(request)
    return (await ensureRunFolders(path)) ?? { path }
  } catch (error) {
    return problemOf(error)
  }
}

async function isInPlace({ path, branch }: WorktreeRequest): Promise<boolean> {
  if (!existsSync(join(path, '.git'))) return false
  const { code, stdout } = await git(
    ['rev-parse', '--show-toplevel', '--absolute-git-dir', `refs/heads/${branch}`],
    { cwd: path },
  )
  const [top = '', gitDir = ''] = stdout.split('\n')
  return (
    code === 0 &&
    top === (await realPathOf(path)) &&
    ['index', 'HEAD'].every((file) => existsSync(join(gitDir, file)))
  )
}

const isRepository = async (repo: string): Promise<boolean> =>
  existsSync(repo) && (await git(['rev-parse', '--git-dir'], { cwd: repo })).code === 0

async function ensureBranch(request: WorktreeRequest): Promise<Problem | null> {
  const { repo, branch, baseCommit, path, afterCrash } = request
  const inRepo = { cwd: repo }
  if ((await git(['check-ref-format', `refs/heads/${branch}`], inRepo)).code !== 0)
    return { problem: `"${branch}" cannot be the name of a branch.` }
  if ((await git(['cat-file', '-e', `${baseCommit}^{commit}`], inRepo)).code !== 0)
    return {
      problem: `The commit ${baseCommit} to start from is not in ${repo}. Fetch it, or start from another.`,
    }

  const tip = await tipOf(repo, branch)
  if (tip !== null) {
    // In the run's own worktree an agent may have rewritten it; that is for `holdBranch` to mend.
    const place = await realPathOf(path)
    if ((await listCheckouts(repo)).some((each) => each.path === place)) return null
    const { code } = await git(['merge-base', '--is-ancestor', baseCommit, tip], inRepo)
    if (code === 0) return null
    return {
      problem: `There is a branch ${branch} already, and it does not come from ${baseCommit}. Rename or delete it.`,
    }
  }
  // Not `git branch`: that may write to the repository's configuration.
  const create = ['update-ref', `refs/heads/${branch}`, baseCommit, '']
  const created = await git(create, inRepo)
  if (created.code === 0) return null
  if (afterCrash === true && created.stderr.includes(`${branch}.lock': File exists`)) {
    await clearBranchLock({ repo, branch })
    await gitOutput(create, inRepo)
    return null
  }
  return { problem: sentenceOf(create, created) }
}

async function ensureCheckout({ repo, branch, path }: WorktreeRequest): Promise<Problem | null> {
  const place = await realPathOf(path)
  const checkouts = await listCheckouts(repo)
  const elsewhere = checkouts.find((each) => each.branch === `refs/heads/${branch}` && each.path !== place)
  if (elsewhere !== undefined) {
    if (existsSync(elsewhere.path))
      return {
        problem: `The branch ${branch} is checked out in ${elsewhere.path}. Check out another one there.`,
      }
    await forgetCheckout(repo, elsewhere.path)
  }

  const known = checkouts.find((each) => each.path === place)
  if (known !== undefined) {
    if (await isWhole(known)) return null
    // The repository may have been moved: then the files are all there and only the way back is wrong.
    await git(['worktree', 'repair', place], { cwd: repo })
    if (await isWhole(known)) return null
    await removeFolder(place)
    await forgetCheckout(repo, place)
  } else {
    const inTheWay = await clearLeftover(repo, place)
    if (inTheWay !== null) return inTheWay
  }
  await mkdir(dirname(place), { recursive: true })
  await gitOutput(['worktree', 'add', '--quiet', place, branch], { cwd: repo })
  return null
}

/** git locks a worktree while it makes it; that lock is still there when it was killed in between. */
async function isWhole(checkout: Checkout): Promise<boolean> {
  if (checkout.locked === 'initializing' || !existsSync(join(checkout.path, '.git'))) return false
  const inside = await git(['rev-parse', '--show-toplevel', '--absolute-git-dir'], { cwd: checkout.path })
  if (inside.code !== 0) return false
  const [top = '', gitDir = ''] = inside.stdout.split('\n')
  return top === checkout.path && existsSync(join(gitDir, 'index')) && existsSync(join(gitDir, 'HEAD'))
}

/** Only what is plainly a worktree of this repository, which has forgotten it, is taken away. */
async function clearLeftover(repo: string, path: string): Promise<Problem | null> {
  const kind = await kindOfFolder(repo, path)
  if (kind === 'other')
    return { problem: `${path} is in the way, and it is not a worktree of this run. Move it away.` }
  if (kind === 'worktree') await removeFolder(path)
  return null
}

async function kindOfFolder(repo: string, path: string): Promise<'nothing' | 'worktree' | 'other'> {
  try {
    if (!(await lstat(path)).isDirectory()) return 'other'
    if ((await readdir(path)).length === 0) return 'nothing'
  } catch (error) {
    if (isMissing(error)) return 'nothing'
    throw error
  }
  const target = await linkedGitDir(path)
  if (target === null) return 'other'
  const common = resolve(repo, await gitLine(['rev-parse', '--git-common-dir'], { cwd: repo }))
  return target.startsWith(join(await realPathOf(common), 'worktrees') + sep) ? 'worktree' : 'other'
}

export interface RemoveRequest {
  readonly repo: string
  readonly path: string
  readonly branch: string
  /** Even if work would be lost that is nowhere else. */
  readonly force: boolean
}

/** Takes the worktree and its branch away, and nothing else. Again is harmless. */
export async function removeWorktree(request: RemoveRequest): Promise<{ removed: true } | Problem> {
  const { repo, branch, force } = request
  try {
    const path = await realPathOf(request.path)
    const hasRepo = await isRepository(repo)
    if (hasRepo) await clearHalfMade({ repo, path })
    const checkouts = hasRepo ? await listCheckouts(repo) : []
    const known = checkouts.some((each, index) => index > 0 && each.path === path)
    const kept = checkouts.find((each) => each.branch === `refs/heads/${branch}` && each.path !== path)
    if (kept !== undefined && existsSync(kept.path))
      return {
        problem: `The branch ${branch} is checked out in ${kept.path}. Check out another one there first.`,
      }
    if (hasRepo && !force) {
      const loss = await lossOf({ repo, path, branch })
      if (loss !== null) return { problem: loss }
    }
    if (!known && existsSync(path) && (await linkedGitDir(path)) === null && !(await isEmpty(path)))
      return { problem: `${path} is not a worktree, so it was left alone. Remove it by hand.` }
    await removeFolder(path)
    if (known) await forgetCheckout(repo, path)
    if (kept !== undefined) await forgetCheckout(repo, kept.path)
    // Not `git branch -D`: that may write to the repository's configuration.
    if (hasRepo && (await tipOf(repo, branch)) !== null)
      await gitOutput(['update-ref', '-d', `refs/heads/${branch}`], { cwd: repo })
    return { removed: true }
  } catch (error) {
    return problemOf(error)
  }
}

async function lossOf({
  repo,
  path,
  branch,
}: {
  repo: string
  path: string
  branch: string
}): Promise<string | null> {
  if (existsSync(join(path, '.git'))) {
    const status = await git(['status', '--porcelain', '-z', '--untracked-files=normal'], { cwd: path })
    if (status.stdout !== '')
      return `${path} has changes that are not committed. Commit them, or discard with force.`
  }
  if ((await tipOf(repo, branch)) === null) return null
  const others = ['--exclude', branch, '--branches', '--tags', '--remotes']
  const only = await gitOutput(['rev-list', '--count', `refs/heads/${branch}`, '--not', ...others], {
    cwd: repo,
  })
  return only.trim() === '0'
    ? null
    : `The branch ${branch} has ${only.trim()} commits that are nowhere else. Merge it, or discard with force.`
}

/** Also where nothing is left at that path. */
const forgetCheckout = (repo: string, path: string): Promise<string> =>
  gitOutput(['worktree', 'remove', '--force', '--force', path], { cwd: repo })

async function tipOf(repo: string, branch: string): Promise<string | null> {
  const { code, stdout } = await git(['rev-parse', '--verify', '-q', `refs/heads/${branch}`], { cwd: repo })
  return code === 0 ? stdout.trim() : null
}

const isEmpty = async (path: string): Promise<boolean> =>
  (await lstat(path)).isDirectory() && (await readdir(path)).length === 0
