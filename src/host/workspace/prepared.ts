/**
 * What setup makes of a commit's files, made once and kept under the digest of all that decides it: its command, the
 * files it is given (those that `needs` names; without it, all), how git writes these down, and the world it runs in.
 * What was made of the base's own files serves every run; what an agent had a say in serves its run alone.
 *
 * It is made in a folder that holds those files and nothing else. Where the result names that folder (a virtual
 * environment does), it serves that place only.
 */
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShellResult } from '../../drivers/index.ts'
import { globOf } from '../../model/glob.ts'
import type { Confined } from './confined.ts'
import { codeOf, isMissing, textIn } from './file-error.ts'
import { filterSettings } from './filters.ts'
import type { Ground } from './ground.ts'
import { filesOf, giveFiles, keepOnlyMade, mentions, type TreeFile } from './prepared-files.ts'
import { removeFolder } from './remove-folder.ts'

export interface PrepareRequest {
  readonly ground: Ground
  readonly commit: string
  /** The run's base: what is made of its files is made of the user's. */
  readonly baseCommit: string
  readonly command: string
  /** Globs; empty: every file. */
  readonly needs: readonly string[]
  /** What else decides the result: the variables and the network that the command has. */
  readonly world: string
  /** Where results serve all runs. */
  readonly shared: string
  readonly confined: Confined
  /** Runs the command in this folder, with another to be at home in; tells where the folder seemed to be. */
  readonly run: (place: {
    readonly files: string
    readonly home: string
  }) => Promise<{ readonly result: ShellResult; readonly at: string }>
  readonly now: number
}

export type Prepared =
  /** A folder with what was made; `output` is what the command said, where it ran just now. */
  | { readonly kind: 'ready'; readonly files: string; readonly output: string | null }
  /** It names the folder it was made in, and none can be shown in another's place: it must be made where it is used. */
  | { readonly kind: 'in place' }
  | { readonly kind: 'failed'; readonly result: ShellResult }

export async function prepare(request: PrepareRequest): Promise<Prepared> {
  const { ground, commit, baseCommit, needs, shared } = request
  const all = await filesOf(ground, commit)
  const given = needed(all, needs)
  const settings = await checkoutSettings(ground)
  const key = keyOf(request, settings, given)
  const isUsers =
    commit === baseCommit ||
    key === keyOf(request, settings, needed(await filesOf(ground, baseCommit), needs))
  const home = isUsers ? shared : ground.prepared
  if (existsSync(join(home, `${key}${IN_PLACE}`))) return { kind: 'in place' }
  for (const name of [key, placed(key, ground.worktree)]) {
    const files = join(home, name, FILES)
    if (!existsSync(files)) continue
    await utimes(join(home, name), request.now / 1000, request.now / 1000)
    return { kind: 'ready', files, output: null }
  }
  return make(request, { all, given, key, home })
}

const FILES = 'files'
const IN_PLACE = '.in-place'

function needed(files: readonly TreeFile[], needs: readonly string[]): readonly TreeFile[] {
  if (needs.length === 0) return files
  const globs = needs.map(globOf)
  return files.filter(({ name }) => ATTRIBUTES.test(name) || globs.some((matches) => matches(name)))
}

/** They decide what git makes of the other files when it writes them down. */
const ATTRIBUTES = /(?:^|\/)\.gitattributes$/

/** The user's own say in that: line ends, filters. */
const checkoutSettings = (ground: Ground): Promise<string[]> =>
  Promise.all([
    ...['config', 'info/attributes'].map((name) => textIn(join(ground.store, name))),
    filterSettings(ground),
  ])

function keyOf(
  { command, world }: PrepareRequest,
  settings: readonly string[],
  given: readonly TreeFile[],
): string {
  const { platform, arch, version } = process
  const about = [command, world, platform, arch, version, ...settings]
  const hash = createHash('sha256').update(JSON.stringify(about))
  for (const { mode, id, name } of given) hash.update(`\0${mode} ${id} ${name}`)
  return hash.digest('hex').slice(0, 40)
}

const placed = (key: string, place: string): string =>
  `${key}-${createHash('sha256').update(place).digest('hex').slice(0, 16)}`

async function make(
  request: PrepareRequest,
  {
    all,
    given,
    key,
    home,
  }: {
    readonly all: readonly TreeFile[]
    readonly given: readonly TreeFile[]
    readonly key: string
    readonly home: string
  },
): Promise<Prepared> {
  const { ground, commit, confined, run, now } = request
  await mkdir(home, { recursive: true, mode: 0o700 })
  await forgetUnused(home, now)
  // Of its own: another repository of the user's may be making the same just now.
  const draft = join(home, `${OUR_DRAFTS}${randomUUID()}`)
  const to = join(draft, FILES)
  await mkdir(to, { recursive: true, mode: 0o700 })
  const ownHome = join(draft, 'home')
  await mkdir(ownHome)
  try {
    await giveFiles({ ground, commit, files: given, to, confined })
    const { result, at } = await run({ files: to, home: ownHome })
    if (result.exitCode !== 0 || result.aborted || result.timedOut) return { kind: 'failed', result }
    await removeFolder(ownHome)
    await keepOnlyMade({ files: all, to })
    const isBound = await mentions({ ground, to, confined }, at)
    if (isBound && at !== ground.worktree) {
      await writeFile(join(home, `${key}${IN_PLACE}`), '')
      return { kind: 'in place' }
    }
    const place = join(home, isBound ? placed(key, at) : key)
    await writtenDown(to)
    await rename(draft, place).catch(unlessMade)
    return { kind: 'ready', files: join(place, FILES), output: result.output }
  } finally {
    await removeFolder(draft)
  }
}

/** Whoever was first may have given it to somebody already. */
function unlessMade(error: unknown): void {
  if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error
}

const DRAFTS = 'making-'
/** This host's: there is one at a time, so all others are what a killed one left. */
const OUR_DRAFTS = `${DRAFTS}${randomUUID()}-`

const UNUSED_MS = 30 * 24 * 60 * 60_000

async function forgetUnused(home: string, now: number): Promise<void> {
  for (const name of await readdir(home)) {
    const found = await stat(join(home, name)).catch(unlessGone)
    if (found === null) continue
    const isDead = name.startsWith(DRAFTS) && !name.startsWith(OUR_DRAFTS)
    if (isDead || now - found.mtimeMs > UNUSED_MS) await removeFolder(join(home, name))
  }
}

/** Somebody else's draft was finished meanwhile. */
function unlessGone(error: unknown): null {
  if (!isMissing(error)) throw error
  return null
}

/** Kept for weeks, so it must be whole after a loss of power, too. Where there is no such program, as whole as the system keeps it. */
const writtenDown = (folder: string): Promise<void> =>
  new Promise((resolve) => {
    execFile('sync', ['-f', folder], () => resolve())
  })
