/**
 * How a landing that was begun has ended. The branch decides: git moves it last, when the checkout and its index are
 * complete. Where the branch has the commit, the landing is done. Where it stands as before, the checkout is put back.
 */
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isWithin } from '../confinement/grant.ts'
import { GITLINK } from './changes.ts'
import { isMissing } from './file-error.ts'
import { bytesOf, shown, someNames } from './file-name.ts'
import { GitFailure, type GitOptions, git, gitLine, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { gitOfUser, userTip } from './publish.ts'
import { isGitIn } from './stale-git.ts'

export interface BegunLanding {
  readonly at: number
  /** The user's branch. */
  readonly into: string
  readonly before: string
  readonly commit: string
  /** Where the user had the branch checked out. */
  readonly checkout: string | null
}

/** `undone`: a sentence that says what was found. */
export type LandingEnd = { readonly landed: true } | { readonly undone: string }

export async function settleLanding(ground: Ground, landing: BegunLanding): Promise<LandingEnd> {
  const { into, before, commit, checkout } = landing
  const tip = await userTip({ ground, branch: into })
  if (tip !== null && (await hasIt(ground, { commit, tip }))) return { landed: true }
  if (tip !== before) return { undone: `${into} was moved by somebody else.` }
  if (checkout === null || before === commit) return { undone: `${into} was not moved.` }
  return { undone: `${into} was not moved.${await putBack(ground, checkout, landing)}` }
}

const hasIt = async (ground: Ground, { commit, tip }: { readonly commit: string; readonly tip: string }) =>
  commit === tip || (await git(['merge-base', '--is-ancestor', commit, tip], gitOfUser(ground))).code === 0

/** What is left to say of the checkout; empty where it is as it was. */
async function putBack(ground: Ground, checkout: string, landing: BegunLanding): Promise<string> {
  const { before, commit, at } = landing
  if (await isGitIn([checkout])) throw new GitFailure(`A git is at work in ${checkout}.`)
  const gitDir = await gitLine(['rev-parse', '--absolute-git-dir'], { cwd: checkout })
  await removeLock(join(gitDir, 'index.lock'), at)
  const files = await changedFiles(checkout, { before, commit })
  const found: Found[] = []
  for (const file of files) found.push({ ...file, state: await stateOf(checkout, file) })
  const foreign = found.filter(({ state }) => state === 'foreign')
  if (foreign.length > 0)
    return ` ${checkout} may have a part of it: ${someNames(foreign.map(({ name }) => shown(name)))} differ from both. Look at "git status" there.`
  await withTemporaryIndex(ground, checkout, (here) => restore(here, { found, before }))
  await gitOutput(['reset', '-q', '--pathspec-from-file=-', '--pathspec-file-nul', before], {
    cwd: checkout,
    env: { GIT_LITERAL_PATHSPECS: '1' },
    input: Buffer.concat(files.map(({ name }) => bytesOf(`${name}\0`))),
  })
  return ''
}

/** Left by a git that was killed: no git is at work there, and the lock is not older than the landing. */
async function removeLock(lock: string, since: number): Promise<void> {
  const found = await stat(lock).catch(nullIfMissing)
  if (found !== null && found.mtimeMs >= since - CLOCK_STEP_MS) await rm(lock, { force: true })
}

/** File systems round times down. */
const CLOCK_STEP_MS = 2000

interface Version {
  readonly mode: string
  readonly id: string
}

interface ChangedFile {
  readonly name: string
  readonly before: Version
  readonly after: Version
}

type Found = ChangedFile & { readonly state: 'before' | 'after' | 'missing' | 'foreign' }

async function changedFiles(
  cwd: string,
  { before, commit }: { readonly before: string; readonly commit: string },
): Promise<ChangedFile[]> {
  const raw = await gitOutput(['diff-tree', '-r', '-z', '--no-renames', before, commit], { cwd })
  const parts = raw.split('\0')
  return parts.flatMap((part, nth): ChangedFile[] => {
    const [, from = '', to = '', fromId = '', toId = ''] =
      /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /.exec(part) ?? []
    if (from === '') return []
    const name = parts[nth + 1] ?? ''
    return [{ name, before: { mode: from, id: fromId }, after: { mode: to, id: toId } }]
  })
}

async function stateOf(checkout: string, { name, before, after }: ChangedFile): Promise<Found['state']> {
  // Git leaves the files of a submodule alone.
  if (before.mode === GITLINK || after.mode === GITLINK) return 'before'
  if (shown(name) !== name) return 'foreign'
  const path = join(checkout, name)
  const there = (await isReachedPlainly(checkout, path)) ? await lstat(path).catch(nullIfMissing) : null
  const id = there === null || there.isDirectory() ? null : await idOf(checkout, name, path)
  if (id === null) return before.mode === NONE ? 'before' : after.mode === NONE ? 'after' : 'missing'
  if (id === before.id) return 'before'
  if (id === after.id) return 'after'
  if (there?.isFile() !== true || !(await isBegun(checkout, { name, path, after }))) return 'foreign'
  await rm(path)
  return 'missing'
}

/** A side of the change that has no such file. */
const NONE = '000000'

/** A link on the way belongs to one of the two sides, and then the file is not there. */
const isReachedPlainly = async (checkout: string, path: string): Promise<boolean> => {
  const folder = await realpath(dirname(path)).catch(() => null)
  const root = await realpath(checkout)
  return (
    folder !== null && isWithin(folder, root) && folder === join(root, dirname(path).slice(checkout.length))
  )
}

async function idOf(cwd: string, name: string, path: string): Promise<string | null> {
  const there = await lstat(path)
  if (there.isSymbolicLink())
    return gitLine(['hash-object', '--stdin', '--no-filters'], { cwd, input: await readlink(path, 'buffer') })
  return there.isFile() ? gitLine(['hash-object', `--path=${name}`, '--', path], { cwd }) : 'no file'
}

/** A file of which git had written only the beginning. */
async function isBegun(
  cwd: string,
  { name, path, after }: Pick<ChangedFile, 'name' | 'after'> & { readonly path: string },
): Promise<boolean> {
  if (after.mode === NONE) return false
  const whole = bytesOf(await gitOutput(['cat-file', '--filters', `--path=${name}`, after.id], { cwd }))
  const begun = await readFile(path)
  return begun.length < whole.length && whole.subarray(0, begun.length).equals(begun)
}

async function withTemporaryIndex(
  ground: Ground,
  cwd: string,
  act: (here: GitOptions) => Promise<void>,
): Promise<void> {
  await mkdir(ground.scratch, { recursive: true, mode: 0o700 })
  const index = join(ground.scratch, `landing-${randomUUID()}`)
  try {
    await act({ cwd, env: { GIT_INDEX_FILE: index } })
  } finally {
    await rm(index, { force: true })
  }
}

/** An index of what lies there, from which git goes back without overwriting anything else. */
async function restore(
  here: GitOptions,
  { found, before }: { readonly found: readonly Found[]; readonly before: string },
): Promise<void> {
  const there = found.filter(({ state }) => state !== 'before')
  if (there.length === 0) return
  await gitOutput(['read-tree', before], here)
  const removed = there.map(({ name, before: { id } }) => `0 ${'0'.repeat(id.length)}\t${name}\0`)
  const written = there.flatMap(({ name, state, after: { mode, id } }) =>
    state === 'after' && mode !== NONE ? [`${mode} ${id}\t${name}\0`] : [],
  )
  const input = bytesOf([...removed, ...written].join(''))
  await gitOutput(['update-index', '-z', '--index-info'], { ...here, input })
  await git(['update-index', '-q', '--refresh'], here)
  const tree = await gitLine(['write-tree'], here)
  await gitOutput(['read-tree', '-m', '-u', tree, before], here)
}

function nullIfMissing(error: unknown): null {
  if (!isMissing(error)) throw error
  return null
}
