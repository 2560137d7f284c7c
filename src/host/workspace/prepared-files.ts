/**
 * The files that setup makes, apart from those it was given. A commit of the agent's may have had a say in what they
 * are, so a program that works on them is confined.
 */
import { randomUUID } from 'node:crypto'
import { lstat, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GITLINK } from './changes.ts'
import { type Confined, type ConfinedCommand, type ConfinedResult, failureOf } from './confined.ts'
import { codeOf } from './file-error.ts'
import { bytesOf, bytesOfAll, namesOf } from './file-name.ts'
import { CHECK_OUT_AGAIN, smudge } from './filters.ts'
import { GIT_IN_SHELL, GitFailure, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { removeFolder } from './remove-folder.ts'
import { foldersAround } from './restore.ts'
import { RUN_DIR } from './run-folder.ts'
import { withScratch } from './scratch.ts'
import { inStore, throughStore } from './store.ts'

/** A file as a commit has it. */
export interface TreeFile {
  readonly mode: string
  readonly id: string
  readonly name: string
}

export async function filesOf(ground: Ground, commit: string): Promise<TreeFile[]> {
  const listed = namesOf(await gitOutput(['ls-tree', '-r', '-z', '--full-tree', commit], inStore(ground)))
  return listed.flatMap((line) => {
    const [mode = '', , id = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    return mode === GITLINK ? [] : [{ mode, id, name: line.slice(line.indexOf('\t') + 1) }]
  })
}

export interface GivenFiles {
  readonly ground: Ground
  readonly commit: string
  readonly files: readonly TreeFile[]
  /** An empty folder. */
  readonly to: string
  readonly confined: Confined
}

/** These files of a commit and no others. */
export async function giveFiles({ ground, commit, files, to, confined }: GivenFiles): Promise<void> {
  const given = files.map(({ name }) => name)
  await withScratch(ground, async ({ dir, index }) => {
    const env = { ...throughStore(ground).env, GIT_WORK_TREE: to, GIT_INDEX_FILE: index }
    const run = (script: string, argument: string, names: readonly string[], readable: readonly string[]) =>
      acted(confined, {
        ground,
        writes: 'nothing',
        also: { writable: [to, dir], readable },
        cwd: to,
        argv: ['sh', '-c', script, 'give', argument],
        env,
        input: bytesOfAll(names.map((name) => `${name}\0`)),
      })
    await run(GIVING, commit, given, [])
    await smudge({
      ...{ ground, confined, tree: commit, root: to, env, reads: [dir], names: given },
      write: async (names, { setting, readable }) =>
        void (await run(CHECK_OUT_AGAIN, setting, names, readable)),
    })
  })
}

const GIVING = `${GIT_IN_SHELL} read-tree "$1" && exec ${GIT_IN_SHELL} checkout-index -f -z --stdin`

/**
 * Leaves what was made: the commit's own files go, and the folders around them that are empty then. Whoever made it has
 * ended; a link that it put in the place of a folder is not followed.
 */
export async function keepOnlyMade({ files, to }: Pick<GivenFiles, 'files' | 'to'>): Promise<void> {
  const names = [...files.map(({ name }) => name), ...NEVER_MADE]
  const folders = foldersAround(names)
  const real = new Set([''])
  for (const folder of folders.toReversed())
    if (real.has(parentOf(folder)) && (await isFolder(place(to, folder)))) real.add(folder)
  for (const name of names) if (real.has(parentOf(name))) await removeAny(place(to, name), to)
  for (const folder of folders) if (real.has(folder)) await removeEmpty(place(to, folder))
}

/** A folder goes aside first: in there it may be deeper than a path can say. */
async function removeAny(path: Buffer, root: string): Promise<void> {
  if (await isFolder(path)) {
    const aside = join(root, `.removed-${randomUUID()}`)
    await rename(path, aside)
    await removeFolder(aside)
  } else await rm(path, { force: true })
}

/** A checkout's own: its repository is another, and so is its run's folder. */
const NEVER_MADE = ['.git', RUN_DIR, '.vibe']

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')))

/** Names are bytes. */
const place = (root: string, name: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), bytesOf(name)])

const isFolder = async (path: Buffer): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function removeEmpty(path: Buffer): Promise<void> {
  try {
    await rmdir(path)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error
  }
}

/** Whether something in there names this text, or leads there: then it works in one place only. So does what cannot be read. */
export async function mentions(
  { ground, to, confined }: Pick<GivenFiles, 'ground' | 'to' | 'confined'>,
  text: string,
): Promise<boolean> {
  const { code } = await confined({
    ground,
    writes: 'nothing',
    also: { readable: [to] },
    cwd: to,
    argv: ['sh', '-c', NAMING, 'names', text],
  })
  return code !== NOWHERE
}

/** As grep says it. */
const NOWHERE = 1

const NAMING = `
grep -rqFm1 -e "$1" .; code=$?
[ $code -eq ${NOWHERE} ] || exit $code
find . -type l -exec readlink {} + | grep -qF -e "$1"
`

/** Lays a copy of everything in one folder into another. */
export async function layIn({
  ground,
  from,
  to,
  confined,
}: {
  readonly ground: Ground
  readonly from: string
  readonly to: string
  readonly confined: Confined
}): Promise<void> {
  const how = process.platform === 'darwin' ? ['-Rpc'] : ['-a', '--reflink=auto']
  await acted(confined, {
    ground,
    writes: 'nothing',
    also: { readable: [from], writable: [to] },
    cwd: to,
    argv: ['cp', ...how, '--', `${from}/.`, '.'],
  })
}

async function acted(confined: Confined, command: ConfinedCommand): Promise<ConfinedResult> {
  const result = await confined(command)
  if (result.code !== 0) throw new GitFailure(`What setup made could not be kept: ${failureOf(result)}`)
  return result
}
