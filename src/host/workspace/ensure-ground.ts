/**
 * A run's ground, made when it is needed. The store is the truth and the worktree a cache: whatever state a crash left
 * it in, asking again gives the worktree with what was committed, and what was not committed where it is still there.
 */
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { forgetBringing } from './bring-base.ts'
import { bringFiles, keepBrought } from './brought.ts'
import { clearCheckouts } from './clean-checkout.ts'
import type { Confined } from './confined.ts'
import { isMissing } from './file-error.ts'
import { bytesOfAll } from './file-name.ts'
import { keepFilters, smudge, withoutFilters } from './filters.ts'
import { git, gitOutput, problemOf } from './git.ts'
import type { Ground } from './ground.ts'
import { forgetLinkedWorktree, isLinkedWorktree } from './linked-worktree.ts'
import type { Problem } from './problem.ts'
import { clearUserLocks, gitOfUser, markBase } from './publish.ts'
import { removeFolder } from './remove-folder.ts'
import { alternatesText } from './repository-files.ts'
import { ensureRunFolders } from './run-folder.ts'
import { clearScratch } from './scratch.ts'
import { hasPeopleRepository } from './shown-git.ts'
import { indexFrom } from './staging.ts'
import { clearStoreLocks, hasStore, indexOf, makeStore, throughStore, tipOf } from './store.ts'
import { listSubmodules } from './submodules.ts'
import { readUserSettings, type UserSettings } from './user-settings.ts'
import { clearLocks, makeRepository, nameRepository, userRefs } from './working-repository.ts'

export interface GroundRequest {
  readonly ground: Ground
  /** For people: the top of the user's checkout. */
  readonly repo: string
  readonly branch: string
  /** Where the branch begins if it is not there yet. */
  readonly baseCommit: string
  /** The last commit that is in the run's record. */
  readonly lastCommit: string
  /** Files of the user's checkout that git does not have, to be copied. */
  readonly brings: readonly string[]
  /** Whether a sandbox can show agents another `.git` than the one on disk, see working-repository.ts. */
  readonly gitIsShown: boolean
  readonly confined: Confined
  /** `seen`: this process has made sure of it before, so it need only be there still. */
  readonly since: 'crash' | 'seen'
}

export async function ensureGround(request: GroundRequest): Promise<{ path: string } | Problem> {
  const { ground, since } = request
  try {
    if (since === 'seen' && isInPlace(ground)) return { path: ground.worktree }
    return (await made(request)) ?? (await ensureRunFolders(ground.worktree)) ?? { path: ground.worktree }
  } catch (error) {
    return problemOf(error)
  }
}

const isInPlace = (ground: Ground): boolean =>
  existsSync(ready(ground)) && existsSync(join(ground.worktree, '.git'))

/** There since all of it was made. */
const ready = ({ dir }: Ground): string => join(dir, 'ready')

/** There since nothing but our own checkout can be at the place of the worktree. */
const checkedOut = ({ dir }: Ground): string => join(dir, 'checked-out')

async function made(request: GroundRequest): Promise<Problem | null> {
  const { ground, repo, branch, baseCommit } = request
  if ((await git(['rev-parse', '--git-dir'], { cwd: '/', env: { GIT_DIR: ground.userGitDir } })).code !== 0)
    return { problem: `${repo} is not a git repository (any more). Put it back, or discard the run.` }
  await mkdir(ground.dir, { recursive: true, mode: 0o700 })
  const commit = await startingPoint(request)
  if (typeof commit !== 'string') return commit
  await clearUserLocks({ ground, branch })
  const unmarked = await markBase({ ground, branch, commit: baseCommit })
  if (unmarked !== null) return { problem: unmarked }
  await keepBrought(ground, request.brings)
  const user = await readUserSettings(ground)
  if (!existsSync(ready(ground)) || !hasStore(ground)) {
    await makeStore({ ground, branch, commit, user })
    await keepFilters(ground, user)
    await forgetBringing(ground)
  } else await borrowAgain(ground)
  await clearStoreLocks(ground, branch)
  await clearCheckouts(ground)
  await clearScratch(ground)
  const [problem, refs] = await Promise.all([
    ensureFiles(request),
    userRefs(ground),
    listSubmodules(ground, await tipOf(ground, branch)),
  ])
  if (problem !== null) return problem
  await ensureRepositories(request, user, refs)
  await writeFile(ready(ground), '')
  return null
}

async function ensureRepositories(
  { ground, branch, gitIsShown }: GroundRequest,
  user: UserSettings,
  refs: ReadonlyMap<string, string>,
): Promise<void> {
  const made = { branch, commit: await tipOf(ground, branch), user, refs }
  await clearLocks(ground)
  if (!gitIsShown) await removeFolder(ground.peopleRepo)
  else if (!hasPeopleRepository(ground)) await makeRepository(ground, 'people', made)
  if (existsSync(join(ground.agentRepo, 'HEAD'))) await nameRepository(ground)
  else await makeRepository(ground, 'agents', made)
}

/** Where the store's branch begins, if it is made now. */
async function startingPoint({
  ground,
  repo,
  branch,
  baseCommit,
  lastCommit,
}: GroundRequest): Promise<string | Problem> {
  const [base, last, tip = null] = await commitsOf(ground, [baseCommit, lastCommit, `refs/heads/${branch}`])
  if (base === null)
    return {
      problem: `The commit ${baseCommit} to start from is not in ${repo}. Fetch it, or start from another.`,
    }
  if (hasStore(ground)) return lastCommit
  if (tip === null) return last === null ? baseCommit : lastCommit
  if (await comesFrom(ground, lastCommit, tip)) return tip
  if (await comesFrom(ground, baseCommit, tip)) return last === null ? tip : lastCommit
  return {
    problem: `There is a branch ${branch} already, and it does not come from ${baseCommit}. Rename or delete it.`,
  }
}

/** The commits that these names stand for in the user's repository; null for what it does not have. */
async function commitsOf(ground: Ground, names: readonly string[]): Promise<(string | null)[]> {
  const input = names.map((name) => `${name}^{commit}\n`).join('')
  const listed = await gitOutput(['cat-file', '--batch-check=%(objectname)'], { ...gitOfUser(ground), input })
  return listed
    .split('\n')
    .slice(0, names.length)
    .map((line) => (/^[0-9a-f]{40,64}$/.test(line) ? line : null))
}

const comesFrom = async (ground: Ground, earlier: string, later: string): Promise<boolean> =>
  (await git(['merge-base', '--is-ancestor', earlier, later], gitOfUser(ground))).code === 0

/** The user's repository may have been moved since. */
const borrowAgain = ({ store, userGitDir }: Ground): Promise<void> =>
  writeFile(join(store, 'objects/info/alternates'), alternatesText([join(userGitDir, 'objects')]))

async function ensureFiles(request: GroundRequest): Promise<Problem | null> {
  const { ground, branch } = request
  const commit = await tipOf(ground, branch)
  const kind = await kindOf(ground)
  switch (kind) {
    case 'ours':
      if (!existsSync(indexOf(ground))) await indexFrom(ground, commit)
      return null
    case 'linked':
      await indexFrom(ground, commit)
      await forgetLinkedWorktree(ground)
      return null
    case 'other':
      return {
        problem: `${ground.worktree} is in the way, and it is not a worktree of this run. Move it away.`,
      }
    case 'nothing':
      await checkOut(request, commit)
      return null
  }
}

/** `linked`: made as a worktree of the user's own repository, as runs were that began before they had a store. */
async function kindOf(ground: Ground): Promise<'ours' | 'linked' | 'other' | 'nothing'> {
  try {
    if (!(await lstat(ground.worktree)).isDirectory()) return 'other'
    if ((await readdir(ground.worktree)).length === 0) return 'nothing'
  } catch (error) {
    if (isMissing(error)) return 'nothing'
    throw error
  }
  if (existsSync(ready(ground)) || existsSync(checkedOut(ground))) return 'ours'
  return (await isLinkedWorktree(ground)) ? 'linked' : 'other'
}

/** Beside its place and then moved there, so that what a crash leaves is never taken for the whole. */
async function checkOut(
  { ground, repo, baseCommit, confined }: GroundRequest,
  commit: string,
): Promise<void> {
  const draft = `${ground.worktree}.making`
  await removeFolder(draft)
  await rm(indexOf(ground), { force: true })
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
  await mkdir(draft)
  // What the run starts from is the user's: their own git may fetch what a partial clone lacks.
  const users = { GIT_DIR: ground.userGitDir, GIT_NO_REPLACE_OBJECTS: '1' }
  const inDraft = { GIT_WORK_TREE: draft, GIT_INDEX_FILE: indexOf(ground) }
  const env = { ...throughStore(ground).env, ...inDraft }
  await gitOutput(['-c', withoutFilters(ground), 'read-tree', '-m', '-u', commit], {
    cwd: draft,
    env: commit === baseCommit ? { ...users, ...inDraft } : env,
  })
  await smudge({
    ...{ ground, confined, tree: commit, root: draft, env, reads: [], names: null },
    write: async (names, { setting }) => {
      const input = bytesOfAll(names.map((name) => `${name}\0`))
      await gitOutput(['-c', setting, 'checkout-index', '-f', '-u', '-z', '--stdin'], {
        cwd: draft,
        env,
        input,
      })
    },
  })
  await bringFiles({ ground, repo, to: draft })
  if (existsSync(ground.worktree)) await rmdir(ground.worktree)
  await writeFile(checkedOut(ground), '')
  await rename(draft, ground.worktree)
}
