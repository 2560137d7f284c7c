/**
 * The worktree's files as a tree in the host's store. Never by `git add`: that would go into a submodule and run there
 * what its settings name. And from within a sandbox: git opens files by their names, and an agent can swap a folder for
 * a link between its look and its reading; what lies outside must not be there to be read.
 */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { broughtNames } from './brought.ts'
import { type Confined, type ConfinedResult, failureOf } from './confined.ts'
import { namesOf, textOf } from './file-name.ts'
import { type FilterResults, NO_FILTERS, withCleaned } from './filters.ts'
import { GIT_IN_SHELL, GitFailure, git, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { adoptObjects, PACK_NEW_OBJECTS, type Scratch, withScratch } from './scratch.ts'
import { indexOf, inStore } from './store.ts'

/** Given the entries that could make a folder a repository, hide one or lead to one: whether it changed anything. */
export type MoveAside = (signs: readonly string[], tree: string) => Promise<boolean>

/** So often can something new come to light. */
const MAX_LOOKS = 5

/**
 * Everything in the worktree that git does not ignore, as a tree. A repository of its own is no part of it; with
 * `moveAside` none is left there, and its files count as any others.
 */
export async function takeSnapshot(
  ground: Ground,
  confined: Confined,
  moveAside: MoveAside | null = null,
): Promise<string> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const tree = await snapshot(ground, confined, moveAside)
    if (tree !== null) return tree
  }
  throw new GitFailure(`New git repositories keep appearing in ${ground.worktree}.`)
}

/** Null: there were repositories, so it is to be looked at again. */
function snapshot(ground: Ground, confined: Confined, moveAside: MoveAside | null): Promise<string | null> {
  return withScratch(ground, async (scratch) => {
    const staging = { ground, confined, scratch }
    const files = { ground, confined, root: ground.worktree, env: scratch.env, reads: [scratch.dir] }
    const { stdout } = await withCleaned({ ...files, names: () => changedNames(staging) }, (results) =>
      run(staging, `${existsSync(join(scratch.dir, 'names')) ? '' : LISTING}${STAGING}`, results),
    )
    const [tree = '', isNew, ...signs] = namesOf(textOf(stdout))
    if (!/^[0-9a-f]{40,64}$/.test(tree))
      throw new GitFailure('The worktree could not be read: git gave no tree.')
    if (isNew === 'new') await adopt(ground, scratch)
    if (moveAside !== null && signs.length > 0 && (await moveAside(signs, tree))) return null
    // With repositories about, the index may hold one as a submodule.
    if (isNew === 'new' && (signs.length === 0 || moveAside !== null))
      await rename(scratch.index, indexOf(ground))
    return tree
  })
}

async function adopt(ground: Ground, scratch: Scratch): Promise<void> {
  const refused = await adoptObjects(ground, scratch)
  if (refused !== null) throw new GitFailure(`Files of the worktree could not be taken in: ${refused}`)
}

interface Staging {
  readonly ground: Ground
  readonly confined: Confined
  readonly scratch: Scratch
}

/** The same are staged then, and not those of another look. */
const changedNames = async (staging: Staging): Promise<readonly string[]> =>
  namesOf(textOf((await run(staging, `${LISTING}exec cat "$scratch/names"`)).stdout))

/** Folders of Signalbox's own and files that the user lends reach no commit, whatever an ignore file says. */
const excludes = async (ground: Ground): Promise<string[]> => [
  `--exclude=/${ASIDE_PREFIX}*`,
  ...['.signalbox/run', '.vibe/decision.json', ...(await broughtNames(ground))].map(
    (name) => `--exclude=/${name.replaceAll(/[\\*?[]/g, '\\$&')}`,
  ),
]

/** Of a folder at the top of the worktree, in which repositories leave it: see clear-repositories.ts. */
export const ASIDE_PREFIX = '.signalbox-aside-'

async function run(
  { ground, confined, scratch }: Staging,
  script: string,
  { setting, readable }: FilterResults = NO_FILTERS,
): Promise<ConfinedResult> {
  const result = await confined({
    ground,
    writes: 'nothing',
    also: { writable: [scratch.dir], readable },
    argv: [
      ...['sh', '-c', `${BEGINNING}${script}`, 'stage', scratch.dir, indexOf(ground), setting],
      ...(await excludes(ground)),
    ],
    env: scratch.env,
  })
  if (result.code !== 0) throw new GitFailure(`The worktree could not be read: ${failureOf(result)}`)
  return result
}

const BEGINNING = `
scratch=$1 setting=$3
# With its time: git reads files again that were written in the instant of the index.
[ -e "$GIT_INDEX_FILE" ] || cp -p "$2" "$GIT_INDEX_FILE" || exit 1
shift 3
`

/**
 * What differs from the index, and what is not in it. What to ignore in submodules is said explicitly: what a
 * .gitmodules says would make git go into them. A repository that is in no index is listed with a slash at its end.
 * Statuses and names alternate; 25 pairs of the longest names fit into a command line of any system.
 */
const LISTING = `
${GIT_IN_SHELL} diff-files -z --name-status --no-renames --ignore-submodules=dirty > "$scratch/changed" || exit 1
${GIT_IN_SHELL} ls-files -z -o --exclude-standard "$@" > "$scratch/others" || exit 1
: > "$scratch/gone" && : > "$scratch/names" || exit 1
xargs -0 -n 50 sh -c 'while [ $# -gt 0 ]; do
  case $1 in D) printf "%s\\0" "$2" >&3 ;; *) printf "%s\\0" "$2" >&4 ;; esac
  shift 2
done' sh < "$scratch/changed" 3>> "$scratch/gone" 4>> "$scratch/names" || exit 1
xargs -0 sh -c 'for name do case $name in */) ;; *) printf "%s\\0" "$name" ;; esac; done' sh \
  < "$scratch/others" >> "$scratch/names" || exit 1
`

/** One sandbox for all of it: to make one takes longer than any of these. Out before in: a folder may take the place of a file. */
const STAGING = `
find . '(' -path ./.git -o -path './${ASIDE_PREFIX}*' ')' -prune \
  -o '(' -iname .git -prune -o -iname HEAD -o -type d ! -perm -u=rx ')' -print0 \
  -o -type l -exec sh -c 'for each do [ -f "$each" ] || printf "%s\\0" "$each" >&3; done' sh '{}' + \
  > "$scratch/signs" 2> "$scratch/unread" 3> "$scratch/links" ||
  ! grep -aEqv '(Permission denied|No such file or directory|Not a directory)$' "$scratch/unread" ||
  { cat "$scratch/unread" >&2; exit 1; }
if [ -s "$scratch/gone" ]; then
  ${GIT_IN_SHELL} update-index --force-remove -z --stdin < "$scratch/gone" || exit 1
fi
if [ -s "$scratch/names" ]; then
  ${GIT_IN_SHELL} -c "$setting" update-index --add --remove --replace -z --stdin < "$scratch/names" || exit 1
fi
tree=$(${GIT_IN_SHELL} write-tree --missing-ok) || exit 1
if [ -s "$scratch/gone" ] || [ -s "$scratch/names" ]; then
  ${PACK_NEW_OBJECTS}
  printf '%s\\0' "$tree" new
else printf '%s\\0' "$tree" known; fi
exec cat "$scratch/signs" "$scratch/links"
`

/** The index as this commit has it; what it knows of files that are the same is kept. */
export async function indexFrom(ground: Ground, commit: string): Promise<void> {
  const kept = await git(['read-tree', '-m', commit], inStore(ground))
  if (kept.code === 0) return
  await rm(indexOf(ground), { force: true })
  await gitOutput(['read-tree', commit], inStore(ground))
}
