/**
 * The host's own repository of a run: bare, borrowing the user's objects. Its refs, its index and its config are
 * nobody else's, so what git says of it can be believed; files of the worktree are looked at through its index.
 */
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { textIn } from './file-error.ts'
import { GitFailure, type GitOptions, git } from './git.ts'
import type { Ground } from './ground.ts'
import { writeRepository } from './repository-files.ts'
import { hostSettings, NOBODY, type UserSettings } from './user-settings.ts'

/** Neither the user's settings nor the system's, no replaced objects, nothing fetched behind our back. */
const ALONE = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
}

/** For git on the store alone. */
export const inStore = ({ store }: Ground): GitOptions => ({
  cwd: store,
  env: { ...ALONE, GIT_DIR: store },
})

/** For git that looks at the worktree through the store's index. */
export const throughStore = (ground: Ground): GitOptions => ({
  cwd: ground.store,
  env: { ...ALONE, GIT_DIR: ground.store, GIT_WORK_TREE: ground.worktree },
})

export const indexOf = ({ store }: Ground): string => join(store, 'index')

export interface StoreRequest {
  readonly ground: Ground
  readonly branch: string
  /** Where the branch begins. */
  readonly commit: string
  readonly user: UserSettings
}

/** Whole or not at all. */
export async function makeStore({ ground, branch, commit, user }: StoreRequest): Promise<void> {
  const draft = `${ground.store}.new`
  await rm(draft, { recursive: true, force: true })
  await writeRepository({
    dir: draft,
    bare: 'bare',
    settings: [
      ...NOBODY,
      ...hostSettings(user),
      // Their content is in the store's own files.
      { key: 'core.excludesfile', value: '/dev/null' },
      { key: 'core.attributesfile', value: '/dev/null' },
      // As the user's, where git would compare with all of them.
      { key: 'core.alternaterefsprefixes', value: 'refs/none' },
      { key: 'core.logallrefupdates', value: 'true' },
    ],
    borrows: [join(ground.userGitDir, 'objects')],
    branch,
    refs: new Map([[`refs/heads/${branch}`, commit]]),
    user,
  })
  await rm(ground.store, { recursive: true, force: true })
  await rename(draft, ground.store)
}

export const hasStore = ({ store }: Ground): boolean => existsSync(join(store, 'HEAD'))

/** Where the host's branch stands. Read from the files that git writes there: nobody else does, and a process is slow. */
export async function tipOf({ store }: Ground, branch: string): Promise<string> {
  const loose = await textIn(join(store, 'refs/heads', branch))
  if (loose !== '') return loose.trim()
  const line = (await textIn(join(store, 'packed-refs')))
    .split('\n')
    .find((each) => each.endsWith(` refs/heads/${branch}`))
  if (line === undefined) throw new GitFailure(`The host's store ${store} has no branch ${branch} any more.`)
  return line.slice(0, line.indexOf(' '))
}

/** Begins the names of files that are there for one act only. */
export const TEMPORARY = 'temporary-'

/** What a killed git, or a killed host, left there; only to be called when none of ours is at work. */
export async function clearStoreLocks({ store }: Ground, branch: string): Promise<void> {
  for (const name of await readdir(store))
    if (name.endsWith('.lock') || name.startsWith(TEMPORARY)) await rm(join(store, name), { force: true })
  await rm(join(store, `refs/heads/${branch}.lock`), { force: true })
}

export async function hasCommit(ground: Ground, commit: string): Promise<boolean> {
  return (await git(['cat-file', '-e', `${commit}^{commit}`], inStore(ground))).code === 0
}

/** Whether nothing of the earlier one is missing from the later. */
export async function isAncestor(ground: Ground, earlier: string, later: string): Promise<boolean> {
  if (earlier === later) return true
  return (await git(['merge-base', '--is-ancestor', earlier, later], inStore(ground))).code === 0
}
