/**
 * What is out of sight within folders that a sandbox shows: what is not for everybody, which root or its owner could read all the
 * same, and files of credentials. `find` looks, because it is much faster than reading folders here.
 */
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CREDENTIAL_FILES, holdsCredential, MAX_SETTINGS_BYTES, SETTINGS_FILES } from './credential-files.ts'
import { isWithin, type Mount } from './mounts.ts'
import { entryAt, realPathOf } from './real-path.ts'

/** `rights`: files and folders that others may not read. `names`: files of credentials. */
export type ConcealedBy = 'rights' | 'names'

interface Looked {
  readonly mounts: readonly Mount[]
  readonly at: number
}

const FRESH_MS = 60_000
const MAX_OUTPUT = 64 * 1024 * 1024
/** What it may not look into is out of reach in a sandbox, too. */
const QUIET: SpawnOptions = { stdio: ['ignore', 'pipe', 'ignore'] }

/** For each folder. */
const seen: Readonly<Record<ConcealedBy, Map<string, Looked>>> = { rights: new Map(), names: new Map() }
const looking = new Set<string>()

/** Waits for the first look at a folder; later ones happen beside. */
export function concealedIn(by: ConcealedBy, folders: readonly string[]): readonly Mount[] {
  const missing = folders.filter((folder) => !seen[by].has(folder))
  if (missing.length > 0) {
    const { stdout } = spawnSync('find', findArguments(by, missing), { ...QUIET, maxBuffer: MAX_OUTPUT })
    keep(by, missing, String(stdout))
  }
  void look(by, folders.filter(isStale(by)))
  return folders.flatMap((folder) => seen[by].get(folder)?.mounts ?? [])
}

/** Looks before anybody has to wait for it. False: there is no `find`. */
export const prepareConcealed = (by: ConcealedBy, folders: readonly string[]): Promise<boolean> =>
  look(
    by,
    folders.filter((folder) => !seen[by].has(folder)),
  )

const isStale =
  (by: ConcealedBy) =>
  (folder: string): boolean =>
    performance.now() - (seen[by].get(folder)?.at ?? 0) > FRESH_MS

async function look(by: ConcealedBy, folders: readonly string[]): Promise<boolean> {
  const due = folders.filter((folder) => !looking.has(`${by} ${folder}`))
  if (due.length === 0) return true
  for (const folder of due) looking.add(`${by} ${folder}`)
  const child = spawn('find', findArguments(by, due), QUIET)
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  const isDone = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', () => resolve(true))
  })
  if (isDone) keep(by, due, text)
  for (const folder of due) looking.delete(`${by} ${folder}`)
  return isDone
}

function keep(by: ConcealedBy, folders: readonly string[], text: string): void {
  const paths = text.split('\0').filter((path) => path !== '')
  for (const folder of folders) {
    const inside = paths.filter((path) => isWithin(path, folder))
    const mounts = by === 'rights' ? fewer(inside.flatMap(privateAt)) : inside.flatMap(credentialAt)
    seen[by].set(folder, { mounts, at: performance.now() })
  }
}

/** Packages are public: only at their top, where a package manager keeps settings of its own, files are looked at. */
const OF_PACKAGES = ['*/node_modules/*/*', '*/site-packages', '*/dist-packages', '*/.git']
/** What compilers and interpreters are made of: by far the most files, and nobody's settings. */
const OF_LANGUAGES = ['*/lib/python*', '*/lib/rustlib', '*/include', '*/jmods']

/** A toolchain has hundreds of thousands of files. `~/.volta/tools/image/node/20.1.0/etc/npmrc` is the deepest of settings. */
const MAX_DEPTH = '6'

function findArguments(by: ConcealedBy, folders: readonly string[]): string[] {
  // A name that begins like an option is none of ours: each is a real path.
  if (by === 'rights') {
    const isPrivate = [
      '(',
      '-type',
      'd',
      '!',
      '-perm',
      '-0005',
      '-o',
      '-type',
      'f',
      '!',
      '-perm',
      '-0004',
      ')',
    ]
    return [...folders, ...isPrivate, '-prune', '-print0']
  }
  const any = (tests: readonly (readonly string[])[]): string[] => [
    '(',
    ...tests.flatMap((test, index) => (index === 0 ? test : ['-o', ...test])),
    ')',
  ]
  const packages = any([...OF_PACKAGES, ...OF_LANGUAGES].map((pattern) => ['-path', pattern]))
  const names = any([...CREDENTIAL_FILES, ...SETTINGS_FILES].map(testFor))
  return [
    ...folders,
    '-maxdepth',
    MAX_DEPTH,
    '-type',
    'd',
    ...packages,
    '-prune',
    '-o',
    '!',
    '-type',
    'd',
    ...names,
    '-print0',
  ]
}

const testFor = (pattern: string): string[] =>
  pattern.includes('/') ? ['-path', `*/${pattern}`] : ['-name', pattern]

function privateAt(path: string): Mount[] {
  // A name that is no text cannot be spoken of: what is around it goes.
  if (path.includes('\uFFFD'))
    return [{ kind: 'empty', at: dirname(path.slice(0, path.indexOf('\uFFFD') + 1)) }]
  const entry = entryAt(path)
  if (entry === null || !mayRead(path)) return []
  if (entry.isDirectory()) return [{ kind: 'empty', at: path }]
  return entry.size > 0 ? [{ kind: 'masked', at: path }] : []
}

/** A link is followed: its target would be shown under another name. */
function credentialAt(path: string): Mount[] {
  const real = realPathOf(path)?.path
  if (real === undefined || !mayRead(real)) return []
  const entry = entryAt(real)
  if (entry === null || !entry.isFile() || entry.size === 0) return []
  const isSettings = SETTINGS_PATTERNS.some((pattern) => pattern.test(path))
  const isHarmless =
    isSettings && entry.size <= MAX_SETTINGS_BYTES && !holdsCredential(readFileSync(real, 'latin1'))
  return isHarmless ? [] : [{ kind: 'masked', at: real }]
}

/** Compiled once: a host tests them against hundreds of files before it starts. */
const SETTINGS_PATTERNS = SETTINGS_FILES.map(
  (pattern) => new RegExp(`/${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`),
)

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const MAX_MASKS = 200
const MAX_MASKS_IN_ONE = 20

/** A command line has an end. Where a folder such as /opt/app has too many of them, larger parts of it go out of sight. */
function fewer(mounts: readonly Mount[]): readonly Mount[] {
  let rest = mounts
  while (rest.length > MAX_MASKS) {
    const groups = new Map<string, Mount[]>()
    for (const mount of rest) groups.set(cut(mount.at, 2), [...(groups.get(cut(mount.at, 2)) ?? []), mount])
    const [most, group] = [...groups].sort(([, one], [, other]) => other.length - one.length)[0] ?? ['', []]
    if (group.length <= MAX_MASKS_IN_ONE) return rest
    let places = new Set(group.map(({ at }) => at))
    for (let depth = partsIn(group); places.size > MAX_MASKS_IN_ONE; depth--)
      places = new Set(group.map(({ at }) => cut(at, depth)))
    rest = [
      ...rest.filter(({ at }) => cut(at, 2) !== most),
      ...[...places].map((at): Mount => group.find((each) => each.at === at) ?? { kind: 'empty', at }),
    ]
  }
  return rest
}

const cut = (path: string, parts: number): string =>
  path
    .split('/')
    .slice(0, parts + 1)
    .join('/')
const partsIn = (mounts: readonly Mount[]): number =>
  Math.max(...mounts.map(({ at }) => at.split('/').length - 1))
