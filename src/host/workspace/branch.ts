/**
 * A run stays on its own branch, and its history only grows. An agent that went elsewhere or rewrote commits is brought
 * back; its files stay as they are, as changes that are not committed.
 */
import { GitFailure, type GitOptions, git, gitLine, gitOutput, problemOf, sentenceOf } from './git.ts'
import { gitDirOf } from './git-dir.ts'
import { forgetProgress } from './in-progress.ts'
import type { Problem } from './problem.ts'

export interface Head {
  readonly commit: string
  /** Null when detached. */
  readonly branch: string | null
}

export async function headOf(path: string): Promise<Head> {
  const commit = await gitLine(['rev-parse', '--verify', 'HEAD^{commit}'], { cwd: path })
  const ref = await git(['symbolic-ref', '-q', 'HEAD'], { cwd: path })
  return { commit, branch: ref.code === 0 ? ref.stdout.trim().replace(/^refs\/heads\//, '') : null }
}

export interface BranchHeld {
  /** What was wrong, as half a sentence; null when everything was in place. */
  readonly found: string | null
  /** Where HEAD was; from there the agent's own commits can still be reached. Null where there was no commit. */
  readonly strayed: string | null
  /** Where the branch stands now. */
  readonly commit: string
}

export interface Branched {
  readonly path: string
  readonly branch: string
  readonly lastCommit: string
}

export async function holdBranch(request: Branched): Promise<BranchHeld | Problem> {
  try {
    return await held(request)
  } catch (error) {
    return problemOf(error)
  }
}

async function held({ path, branch, lastCommit }: Branched): Promise<BranchHeld> {
  const here: GitOptions = { cwd: path }
  const ref = `refs/heads/${branch}`
  const asItWas = await git(
    ['rev-parse', 'HEAD^{commit}', `${ref}^{commit}`, '--symbolic-full-name', 'HEAD'],
    here,
  )
  const [head = '', there, onto] = asItWas.stdout.split('\n')
  if (asItWas.code === 0 && there === lastCommit && onto === ref)
    return { found: null, strayed: head, commit: lastCommit }

  const headRef = await git(['symbolic-ref', '-q', 'HEAD'], here)
  const on = headRef.code === 0 ? headRef.stdout.trim() : null
  const strayed = await commitAt(here, 'HEAD')
  const tip = await commitAt(here, ref)
  const grown = tip !== null && (await isAncestor(here, lastCommit, tip))
  if (grown && on === ref) return { found: null, strayed, commit: tip }

  const commit = grown ? tip : lastCommit
  const lookedAround = grown && strayed !== null && !(await isAncestor(here, tip, strayed))
  const back = lookedAround && (await returned(here, strayed, commit))
  if (!back) await gitOutput(['read-tree', '--reset', commit], here)
  if (!grown) await gitOutput(['update-ref', '--no-deref', ref, commit], here)
  await gitOutput(['symbolic-ref', 'HEAD', ref], here)
  await forgetProgress(await gitDirOf(path))
  const found = [
    on === null ? 'HEAD was detached' : '',
    on !== null && on !== ref ? `${on.replace(/^refs\/heads\//, '')} was checked out` : '',
    grown ? '' : 'commits of the run were rewritten or dropped',
  ]
  return { found: found.filter((each) => each !== '').join(' and '), strayed, commit }
}

/**
 * Somebody who only looked at another commit changed nothing there; keeping those files would undo the run's own work.
 * So the run's files come back, unless something was changed meanwhile.
 */
async function returned(here: GitOptions, from: string, to: string): Promise<boolean> {
  await git(['update-index', '-q', '--refresh'], here)
  const changed = await git(['diff-index', '--quiet', '--ignore-submodules=dirty', from, '--'], here)
  return changed.code === 0 && (await git(['read-tree', '-m', '-u', from, to], here)).code === 0
}

async function commitAt(here: GitOptions, name: string): Promise<string | null> {
  const { code, stdout } = await git(['rev-parse', '--verify', '-q', `${name}^{commit}`], here)
  return code === 0 ? stdout.trim() : null
}

async function isAncestor(here: GitOptions, earlier: string, later: string): Promise<boolean> {
  if (earlier === later) return true
  const args = ['merge-base', '--is-ancestor', earlier, later]
  const result = await git(args, here)
  if (result.code > 1) throw new GitFailure(sentenceOf(args, result))
  return result.code === 0
}
