/**
 * Folders that git would take as repositories of their own. A person's or a gate's git that comes across one obeys the
 * settings in it, and those can name programs. So none stays where an agent was: what makes the folder a repository is
 * moved out of the worktree, and no commit adds one.
 *
 * Git knows a repository by an entry `.git`, or by `HEAD` in a folder with `objects` and `refs`, or with `commondir`,
 * which names the place of those two.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { changesBetween, type FileChange, GITLINK } from './changes.ts'
import type { Confined } from './confined.ts'
import { codeOf } from './file-error.ts'
import { namesOf, someNames } from './file-name.ts'
import { GitFailure, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { type OpenFolder, openInside } from './inside.ts'
import { setSubmodules } from './restore.ts'
import { takeSnapshot } from './staging.ts'
import { inStore } from './store.ts'

/** In a folder that looks like a repository, what says which programs git runs there. */
const SETTINGS = ['head', 'config', 'config.worktree', 'commondir', 'hooks']

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')))
const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase()

const looksLikeRepository = (entries: ReadonlySet<string>): boolean =>
  entries.has('head') && ((entries.has('objects') && entries.has('refs')) || entries.has('commondir'))

/** The folders of a tree that look like repositories. */
export function repositoriesIn(names: readonly string[]): string[] {
  const candidates = new Map<string, Set<string>>()
  for (const name of names) if (baseOf(name) === 'head') candidates.set(parentOf(name), new Set())
  // The top of a worktree has its own `.git`, which git finds first.
  candidates.delete('')
  if (candidates.size === 0) return []
  for (const name of names)
    for (let end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1))
      candidates.get(name.slice(0, end))?.add((name.slice(end + 1).split('/', 1)[0] ?? '').toLowerCase())
  return [...candidates].flatMap(([folder, entries]) => (looksLikeRepository(entries) ? [folder] : []))
}

/** Why a commit is not taken, as half a sentence; null where it adds no repository to those that were there. */
export async function repositoryAdded(
  ground: Ground,
  {
    before,
    after,
    names,
  }: { readonly before: string; readonly after: string; readonly names: readonly string[] },
): Promise<string | null> {
  const changes = await changesBetween(ground, before, after)
  const link = changes.find((change) => change.after?.mode === GITLINK && change.before?.mode !== GITLINK)
  if (link !== undefined) return `they add the submodule ${someNames([link.name])}`
  const found = repositoriesIn(names)
  if (found.length === 0) return null
  const known = await repositoriesOf(ground, before)
  const added = found.find((folder) => !known.has(folder) || isChanged(folder, changes))
  return added === undefined ? null : `${someNames([added])} looks like a git repository`
}

const repositoriesOf = async (ground: Ground, tree: string): Promise<ReadonlySet<string>> =>
  new Set(
    repositoriesIn(namesOf(await gitOutput(['ls-tree', '-r', '-z', '--name-only', tree], inStore(ground)))),
  )

const isChanged = (folder: string, changes: readonly FileChange[]): boolean =>
  changes.some(({ name }) => {
    if (!name.startsWith(`${folder}/`)) return false
    return SETTINGS.includes((name.slice(folder.length + 1).split('/', 1)[0] ?? '').toLowerCase())
  })

export interface RepositoriesToClear {
  readonly ground: Ground
  /** The commit whose repositories stay: those that were there before any agent. */
  readonly before: string
  readonly confined: Confined
  /** The folders that were repositories are added. */
  readonly aside: string[]
}

/** Leaves none in the worktree; gives back what lies there then, as a tree. */
export const clearRepositories = ({
  ground,
  before,
  confined,
  aside,
}: RepositoriesToClear): Promise<string> =>
  takeSnapshot(ground, confined, async (signs, tree) => {
    const found = await moveRepositoriesAside({ ground, before, signs, tree })
    aside.push(...found)
    return found.length > 0
  })

interface FoundRepositories {
  readonly ground: Ground
  readonly before: string
  /** Names of entries that could make their folder a repository. */
  readonly signs: readonly string[]
  /** The worktree's files. */
  readonly tree: string
}

const MAX_REPOSITORIES = 1000

/** The names of the folders that were repositories until now. */
async function moveRepositoriesAside({ ground, before, signs, tree }: FoundRepositories): Promise<string[]> {
  const strange: string[] = []
  for (const sign of signs.map((name) => name.replace(/^\.\//, '')))
    if (baseOf(sign) === '.git' || (await isStrange({ ground, before, tree }, sign))) strange.push(sign)
  if (strange.length > MAX_REPOSITORIES)
    throw new GitFailure(
      `There are more than ${MAX_REPOSITORIES} git repositories in the worktree. Remove them.`,
    )
  if (strange.length > 0) await mkdir(ground.aside, { recursive: true, mode: 0o700 })
  for (const name of strange) await moveAside(ground, name)
  if (strange.length > 0)
    await setSubmodules(ground, chosenIn(await changesBetween(ground, before, tree)), 'after')
  return strange.map(parentOf)
}

/** The commits that an agent chose for the project's own submodules: without its repository, none of them shows any more. */
const chosenIn = (changes: readonly FileChange[]): FileChange[] =>
  changes.filter(({ before, after }) => before?.mode === GITLINK && after?.mode === GITLINK)

async function isStrange(
  { ground, before, tree }: Omit<FoundRepositories, 'signs'>,
  sign: string,
): Promise<boolean> {
  const folder = parentOf(sign)
  const entries = await entriesIn(ground, folder)
  if (!looksLikeRepository(entries)) return false
  const listed = await gitOutput(
    ['ls-tree', '-z', '--name-only', `${before}:${folder}`],
    inStore(ground),
  ).catch(() => '')
  const known = new Set(namesOf(listed).map((name) => name.toLowerCase()))
  // What git ignores is in no tree, so the folder itself is asked, too.
  return (
    SETTINGS.some((name) => entries.has(name) !== known.has(name)) ||
    isChanged(folder, await changesBetween(ground, before, tree))
  )
}

async function entriesIn(ground: Ground, folder: string): Promise<ReadonlySet<string>> {
  const opened = await openInside(ground.worktree, folder.split('/'))
  if (typeof opened === 'string') return new Set()
  try {
    return new Set((await readdir(opened.path)).map((name) => name.toLowerCase()))
  } finally {
    await opened.close()
  }
}

async function moveAside({ worktree, aside }: Ground, name: string): Promise<void> {
  const folder = await openInside(worktree, parentOf(name).split('/'))
  if (typeof folder === 'string') return
  try {
    await rename(entryOf(folder, name), join(aside, randomUUID()))
  } catch (error) {
    // Looked at again: it may have been swapped meanwhile.
    if (codeOf(error) !== 'ENOENT') throw error
  } finally {
    await folder.close()
  }
}

const entryOf = (folder: OpenFolder, name: string): string =>
  folder.entry(name.slice(name.lastIndexOf('/') + 1))
