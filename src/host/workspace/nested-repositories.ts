/**
 * Folders that git would take as repositories of their own. A person's or a gate's git that comes across one obeys the
 * settings in it, and those can name programs. So no commit adds one, and none stays in a worktree: see
 * clear-repositories.ts.
 *
 * Git knows a repository by an entry `.git`, or by `HEAD` in a folder with `objects` and `refs`, or with `commondir`,
 * which names the place of those two.
 */
import { changesBetween, type FileChange, GITLINK } from './changes.ts'
import { namesOf, someNames } from './file-name.ts'
import { gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { inStore } from './store.ts'

/** In a folder that looks like a repository, what says which programs git runs there. */
export const SETTINGS = ['head', 'config', 'config.worktree', 'commondir', 'hooks']

export const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')))
export const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase()

export const looksLikeRepository = (entries: ReadonlySet<string>): boolean =>
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

export const isChanged = (folder: string, changes: readonly FileChange[]): boolean =>
  changes.some(({ name }) => {
    if (!name.startsWith(`${folder}/`)) return false
    return SETTINGS.includes((name.slice(folder.length + 1).split('/', 1)[0] ?? '').toLowerCase())
  })
