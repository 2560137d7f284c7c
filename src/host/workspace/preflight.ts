/** Whether a run can begin here. Everything that is in the way is told at once, each with what to do about it. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { orNear } from '../../model/nearest.ts'
import { namesOf, someNames } from './file-name.ts'
import { type GitResult, git, gitLine, gitOutput } from './git.ts'
import { inProgress } from './in-progress.ts'
import type { Problem } from './problem.ts'

export interface UserCheckout {
  /** Absolute top level of the checkout. */
  readonly repo: string
  /** Absolute; what all worktrees of the repository share. */
  readonly commonDir: string
  /** As asked for, or the branch that is checked out. */
  readonly base: string
  readonly baseCommit: string
}

export interface CheckoutProblem extends Problem {
  /** What is to be started from is not there. */
  readonly code?: 'unknown-base'
}

const OLDEST = [2, 20] as const

export async function preflight({
  dir,
  base = null,
}: {
  dir: string
  base?: string | null
}): Promise<UserCheckout | { problems: CheckoutProblem[] }> {
  const ground = (await programProblem()) ?? (await placeProblem(dir))
  if (ground !== null) return { problems: [{ problem: ground }] }

  const repo = await gitLine(['rev-parse', '--show-toplevel'], { cwd: dir })
  const gitDir = await gitLine(['rev-parse', '--absolute-git-dir'], { cwd: repo })
  const commonDir = resolve(repo, await gitLine(['rev-parse', '--git-common-dir'], { cwd: repo }))
  const start = await startOf({ repo, gitDir, base })
  const found = [progressProblem(gitDir), await dirtProblem(repo)].filter((problem) => problem !== null)
  const problems = found.map((problem): CheckoutProblem => ({ problem }))
  if ('problem' in start) return { problems: [...problems, start] }
  if (problems.length > 0) return { problems }
  return { repo, commonDir, ...start }
}

/** Why nothing may be done to a checkout of the user's; null where it is clean and nothing is in progress. */
export async function checkoutProblem(repo: string): Promise<string | null> {
  const gitDir = await gitLine(['rev-parse', '--absolute-git-dir'], { cwd: repo })
  const dirty = await dirtIn(repo)
  const changed =
    dirty.length === 0
      ? null
      : `There are changes that are not committed: ${someNames(dirty)}. Commit or stash them first.`
  return progressProblem(gitDir) ?? changed
}

/** The repository that a folder belongs to. */
export async function topLevel(dir: string): Promise<{ readonly repo: string } | Problem> {
  const problem = (await programProblem()) ?? (await placeProblem(dir))
  return problem === null
    ? { repo: await gitLine(['rev-parse', '--show-toplevel'], { cwd: dir }) }
    : { problem }
}

export const isFolder = (dir: string): Promise<boolean> =>
  stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function programProblem(): Promise<string | null> {
  const { code, stdout } = await git(['--version'], { cwd: '/' })
  if (code !== 0) return 'git was not found. Install git and see that it is on the PATH.'
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? []
  const enough = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1])
  return enough ? null : `git ${major}.${minor} is too old. Install git ${OLDEST.join('.')} or newer.`
}

async function placeProblem(dir: string): Promise<string | null> {
  if (!(await isFolder(dir))) return `There is no folder ${dir}. Name one that exists.`
  const where = await git(['rev-parse', '--is-bare-repository', '--is-inside-work-tree'], { cwd: dir })
  if (where.code !== 0) return noRepository(dir, where)
  const [bare, inside] = where.stdout.split('\n')
  if (inside === 'true') return null
  return bare === 'true'
    ? `${dir} is a bare repository, without files to work on. Start from a clone or a worktree of it.`
    : `${dir} is inside a git directory, not among a project's files. Start from the project's own folder.`
}

function noRepository(dir: string, { stderr }: GitResult): string {
  if (stderr.includes('dubious ownership'))
    return `git does not trust ${dir}, which belongs to another user. Run: git config --global --add safe.directory ${dir}`
  if (stderr.includes('not a git repository'))
    return `${dir} is not in a git repository. Run "git init" there and commit what you have, or start from another folder.`
  return `git cannot use ${dir}: ${stderr.trim().slice(0, 500)}`
}

function progressProblem(gitDir: string): string | null {
  const what = inProgress(gitDir)
  return what === null
    ? null
    : `A ${what} is in progress. Finish it, or give it up with "git ${what} ${what === 'bisect' ? 'reset' : '--abort'}".`
}

async function dirtProblem(repo: string): Promise<string | null> {
  const dirty = await dirtIn(repo)
  if (dirty.length === 0) return null
  return `There are changes that are not committed: ${someNames(dirty)}. Commit or stash them first, or they would be missing from the run.`
}

async function dirtIn(repo: string): Promise<string[]> {
  const status = await gitOutput(
    [
      'status',
      '--porcelain=v1',
      '-z',
      '--no-renames',
      '--untracked-files=normal',
      '--ignore-submodules=dirty',
    ],
    { cwd: repo },
  )
  return namesOf(status)
    .map((line) => line.slice(3))
    .filter((name) => !isOurs(name))
}

/**
 * A project that begins with Signalbox has runbooks and an MCP entry that are not committed yet; the run takes a
 * captured copy of its runbook, so they do no harm.
 */
const isOurs = (name: string): boolean =>
  name === '.mcp.json' || name === '.signalbox' || name.startsWith('.signalbox/')

type Start = { readonly base: string; readonly baseCommit: string } | CheckoutProblem

async function startOf(from: { repo: string; gitDir: string; base: string | null }): Promise<Start> {
  const { repo, gitDir, base } = from
  if (base !== null) {
    const commit = await commitOf(repo, base)
    return commit === null
      ? { problem: await unknownBase(repo, base), code: 'unknown-base' }
      : { base, baseCommit: commit }
  }
  const branch = await git(['symbolic-ref', '-q', '--short', 'HEAD'], { cwd: repo })
  const commit = await commitOf(repo, 'HEAD')
  if (commit === null)
    return {
      problem: 'The repository has no commit yet, so there is nothing to start from. Commit something first.',
    }
  if (branch.code === 0) return { base: branch.stdout.trimEnd(), baseCommit: commit }
  return {
    problem:
      inProgress(gitDir) === 'rebase'
        ? 'No branch is checked out while the rebase is open. End it first, or name what to start from with --base.'
        : 'No branch is checked out (HEAD is detached). Check one out, or name what to start from with --base.',
  }
}

/** A branch before a tag of the same name. */
async function commitOf(repo: string, name: string): Promise<string | null> {
  if (name === '' || name.startsWith('-')) return null
  for (const candidate of [`refs/heads/${name}`, name]) {
    const { code, stdout } = await git(['rev-parse', '--verify', '-q', `${candidate}^{commit}`], {
      cwd: repo,
    })
    if (code === 0) return stdout.trim()
  }
  return null
}

async function unknownBase(repo: string, base: string): Promise<string> {
  const refs = ['refs/heads', 'refs/remotes', 'refs/tags']
  const known = await gitOutput(['for-each-ref', '--format=%(refname:short)', ...refs], { cwd: repo })
  const near = orNear(
    base,
    known.split('\n').filter((name) => name !== ''),
  )
  return `There is no branch, tag or commit "${base}" to start from${near}${near === '.' ? ' "git branch --all" shows what there is.' : ''}`
}
