/**
 * Leaves no repository in a worktree but those of its base commit, and no link that leads into one elsewhere. What made a
 * folder a repository is moved out of the worktree, and made such that git takes it for one no more.
 */
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rename } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { changesBetween, type FileChange, GITLINK } from './changes.ts'
import { type Confined, failureOf } from './confined.ts'
import { codeOf, isAway } from './file-error.ts'
import { bytesOf, bytesOfAll, namesOf, textOf } from './file-name.ts'
import { GitFailure, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { baseOf, isChanged, looksLikeRepository, parentOf, SETTINGS } from './nested-repositories.ts'
import { setSubmodules } from './restore.ts'
import { ASIDE_PREFIX, takeSnapshot } from './staging.ts'
import { inStore } from './store.ts'

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
    const names = signs.map((name) => name.replace(/^\.\//, ''))
    const closed: string[] = []
    const strange: string[] = []
    for (const name of names) {
      const kind = await kindOf({ ground, before, tree }, name)
      if (kind === 'closed folder') closed.push(name)
      if (kind === 'strange') strange.push(name)
    }
    if (closed.length > 0) await run({ ground, confined, script: OPEN_FOLDERS })
    if (strange.length > 0) await moveAside(ground, confined, strange)
    if (strange.length > 0)
      await setSubmodules(ground, chosenIn(await changesBetween(ground, before, tree)), 'after')
    aside.push(...strange.map(shownName))
    return closed.length + strange.length > 0
  })

/** A link stands for itself, anything else for the folder that it makes a repository. */
const shownName = (name: string): string => (['.git', 'head'].includes(baseOf(name)) ? parentOf(name) : name)

interface Compared {
  readonly ground: Ground
  readonly before: string
  /** The worktree's files. */
  readonly tree: string
}

/** Of an entry that could make its folder a repository, hide one, or lead to one. */
async function kindOf(compared: Compared, name: string): Promise<'strange' | 'closed folder' | 'harmless'> {
  if (baseOf(name) === '.git') return 'strange'
  const found = await lstat(bytesOf(join(compared.ground.worktree, name))).catch((error: unknown) => {
    if (isAway(codeOf(error))) return null
    throw error
  })
  if (found?.isSymbolicLink() && (await leadsToRepository(compared, name))) return 'strange'
  if (found?.isDirectory() && (found.mode & 0o500) !== 0o500) return 'closed folder'
  return baseOf(name) === 'head' && (await isStrange(compared, name)) ? 'strange' : 'harmless'
}

async function isStrange({ ground, before, tree }: Compared, name: string): Promise<boolean> {
  const folder = parentOf(name)
  const entries = await entriesIn(join(ground.worktree, folder))
  if (entries === null) return true
  if (!looksLikeRepository(entries)) return false
  const known = new Set((await namesInTree(ground, `${before}:${folder}`)).map((each) => each.toLowerCase()))
  // What git ignores is in no tree, so the folder itself is asked, too.
  return (
    SETTINGS.some((each) => entries.has(each) !== known.has(each)) ||
    isChanged(folder, await changesBetween(ground, before, tree))
  )
}

const namesInTree = async (ground: Ground, tree: string): Promise<string[]> =>
  namesOf(await gitOutput(['ls-tree', '-z', '--name-only', tree], inStore(ground)).catch(() => ''))

/** In lower case; null where they cannot be listed, for any reason but that there is no folder. */
async function entriesIn(folder: string): Promise<ReadonlySet<string> | null> {
  try {
    const listed = await readdir(bytesOf(folder), { encoding: 'buffer' })
    return new Set(listed.map((name) => textOf(name).toLowerCase()))
  } catch (error) {
    return isAway(codeOf(error)) ? new Set() : null
  }
}

/** Outside of the worktree, by a link that the base commit does not have. */
async function leadsToRepository({ ground, before, tree }: Compared, name: string): Promise<boolean> {
  const { worktree } = ground
  const target = await realpath(bytesOf(join(worktree, name)), { encoding: 'buffer' }).catch(() => null)
  if (target === null) return false
  const top = await realpath(worktree)
  const path = textOf(target)
  if (path === top || path.startsWith(top + sep) || !(await isInRepository(path))) return false
  const isBases = (await namesInTree(ground, `${before}:${parentOf(name)}`)).includes(
    name.slice(name.lastIndexOf('/') + 1),
  )
  return !isBases || (await changesBetween(ground, before, tree)).some((change) => change.name === name)
}

/** As git finds out: in the folder itself or in one above it. */
async function isInRepository(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const entries = await entriesIn(folder)
    if (entries === null || entries.has('.git') || looksLikeRepository(entries)) return true
    if (folder === dirname(folder)) return false
  }
}

/** The commits that an agent chose for the project's own submodules: without its repository, none of them shows any more. */
const chosenIn = (changes: readonly FileChange[]): FileChange[] =>
  changes.filter(({ before, after }) => before?.mode === GITLINK && after?.mode === GITLINK)

const MAX_REPOSITORIES = 1000

/** In the sandbox, where names of any bytes are moved into one folder; that folder then leaves the worktree whole. */
async function moveAside(ground: Ground, confined: Confined, names: readonly string[]): Promise<void> {
  if (names.length > MAX_REPOSITORIES)
    throw new GitFailure(
      `There are more than ${MAX_REPOSITORIES} git repositories in the worktree. Remove them.`,
    )
  const id = randomUUID()
  const folder = `${ASIDE_PREFIX}${id}`
  await run({ ground, confined, script: MOVE, folder, id, names })
  await mkdir(ground.aside, { recursive: true, mode: 0o700 })
  await rename(join(ground.worktree, folder), join(ground.aside, id))
}

async function run({
  ground,
  confined,
  script,
  folder = '',
  id = '',
  names = [],
}: {
  readonly ground: Ground
  readonly confined: Confined
  readonly script: string
  readonly folder?: string
  readonly id?: string
  readonly names?: readonly string[]
}): Promise<void> {
  const input = bytesOfAll(names.map((name) => `${name}\0`))
  const argv = ['sh', '-c', script, 'clear', folder, id]
  const result = await confined({ ground, writes: 'agent', argv, input })
  if (result.code !== 0)
    throw new GitFailure(`Repositories could not be moved out of the worktree: ${failureOf(result)}`)
}

/** A folder that can be entered and not listed may have one in it. */
const OPEN_FOLDERS = `exec find . -path ./.git -prune -o -type d ! -perm -u=rx -exec chmod u+rwx '{}' ';'`

/** Git takes no folder for a repository without \`HEAD\` or \`.git\`, so nothing in there keeps these names. */
const MOVE = `
mkdir "$1" || exit 1
xargs -0 sh -c '
  to=$1 nth=0
  shift
  for name do
    nth=$((nth + 1)) name=./$name
    chmod u+rwx "\${name%/*}" || exit 255
    if [ -L "$name" ]; then readlink "$name" > "$to/$$-$nth" && rm "$name" || exit 255
    elif [ -e "$name" ]; then chmod u+rwX "$name" && mv "$name" "$to/$$-$nth" || exit 255
    fi
  done' sh "$1" || exit 1
find "$1" -type d ! -perm -u=rwx -exec chmod u+rwx '{}' ';' || exit 1
find "$1" -type l -exec rm '{}' + || exit 1
exec find "$1" -depth '(' -iname HEAD -o -iname .git ')' -exec mv '{}' '{}'."$2" ';'
`
