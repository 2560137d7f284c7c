/** What differs between two trees of the host's own store. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstCharacters } from '../../model/characters.ts'
import { bytesOfAll, namesOf } from './file-name.ts'
import { GitFailure, type GitOptions, type GitResult, git, gitLine, gitOutput, sentenceOf } from './git.ts'
import type { Ground } from './ground.ts'
import { inStore, TEMPORARY } from './store.ts'

const LONGEST_PATCH = 1024 * 1024
const LONGEST_STAT = 4000

/** What a name stands for in a tree. */
export interface GitEntry {
  readonly mode: string
  readonly id: string
}

export const GITLINK = '160000'

export interface FileChange {
  readonly name: string
  readonly before: GitEntry | null
  readonly after: GitEntry | null
}

/** Files, modes, links and submodules, without any guess at renames. */
export async function changesBetween(ground: Ground, from: string, to: string): Promise<FileChange[]> {
  const how = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none']
  const raw = namesOf(await gitOutput(['diff-tree', ...how, from, to], inStore(ground)))
  const changes: FileChange[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [was = '', is = '', wasId = '', isId = ''] = (raw[at] ?? '').slice(1).split(' ')
    changes.push({ name: raw[at + 1] ?? '', before: entryOf(was, wasId), after: entryOf(is, isId) })
  }
  return changes
}

const entryOf = (mode: string, id: string): GitEntry | null => (mode === '000000' ? null : { mode, id })

export interface PatchRequest {
  readonly ground: Ground
  readonly from: string
  readonly to: string
  /** Only these; null for all. */
  readonly files: readonly string[] | null
}

const LONGEST_WHOLE_PATCH = 64 * 1024 * 1024

/** All of it, byte for byte as far as text can be; null where it is too long to be held. */
export async function wholePatch({ ground, from, to }: Omit<PatchRequest, 'files'>): Promise<string | null> {
  const { stdout, truncated } = await diff(ground, from, to, { most: LONGEST_WHOLE_PATCH })
  return truncated ? null : stdout
}

/** What `git apply` takes. Always well-formed text, however odd the files; cut off after 1 MiB, and then says so. */
export async function patchBetween({ ground, from, to, files }: PatchRequest): Promise<string> {
  const target = files === null ? to : await withOnly({ ground, from, to, files })
  const plain = await diff(ground, from, target)
  if (!/\p{Surrogate}/u.test(plain.stdout)) return marked(plain)
  // Text in another encoding: as binary it survives.
  const attributes = join(ground.store, `${TEMPORARY}${randomUUID()}`)
  await writeFile(attributes, '* -diff\n')
  try {
    const settings = ['-c', `core.attributesFile=${attributes}`, '-c', 'core.quotepath=on']
    const ascii = await diff(ground, from, target, { settings })
    return marked({ ...ascii, stdout: ascii.stdout.replace(/\p{Surrogate}/gu, '\ufffd') })
  } finally {
    await rm(attributes, { force: true })
  }
}

const HOW = ['--no-renames', '--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=none']

interface DiffOptions {
  readonly settings?: readonly string[]
  readonly most?: number
}

/** Cut off where it is too long; half of one that git did not come to the end of is none. */
async function diff(
  ground: Ground,
  from: string,
  to: string,
  { settings = [], most = LONGEST_PATCH }: DiffOptions = {},
): Promise<GitResult> {
  const what = ['diff-tree', '-r', '-p', '--binary', '--full-index', ...HOW]
  const args = [...what, '--src-prefix=a/', '--dst-prefix=b/', from, to]
  const result = await git([...settings, ...args], { ...inStore(ground), maxBytes: most })
  if (result.code !== 0) throw new GitFailure(sentenceOf(args, result))
  return result
}

const marked = ({ stdout, truncated }: { stdout: string; truncated: boolean }): string =>
  truncated ? `${stdout}# The rest is left out: the patch is longer than ${LONGEST_PATCH} bytes.\n` : stdout

/** The first tree, with only these files as in the second. Names never become arguments: they may be too many or too odd. */
async function withOnly({
  ground,
  from,
  to,
  files,
}: PatchRequest & { files: readonly string[] }): Promise<string> {
  const wanted = new Set(files)
  const changes = (await changesBetween(ground, from, to)).filter((change) => wanted.has(change.name))
  const index = join(ground.store, `${TEMPORARY}${randomUUID()}`)
  const options = { ...inStore(ground), env: { ...inStore(ground).env, GIT_INDEX_FILE: index } }
  try {
    await gitOutput(['read-tree', from], options)
    await putEntries(options, changes)
    return await gitLine(['write-tree', '--missing-ok'], options)
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

/** Out before in, so that a file can take the place of a folder. */
async function putEntries(options: GitOptions, changes: readonly FileChange[]): Promise<void> {
  const ordered = [...changes].sort((a, b) => Number(a.after !== null) - Number(b.after !== null))
  const lines = ordered.map(({ name, before, after }) => {
    const { mode, id } = after ?? { mode: '0', id: '0'.repeat(before?.id.length ?? 40) }
    return `${mode} ${id}\t${name}\0`
  })
  await gitOutput(['update-index', '-z', '--index-info'], { ...options, input: bytesOfAll(lines) })
}

/** Which files differ, and how much of each. */
export async function statBetween({ ground, from, to }: Omit<PatchRequest, 'files'>): Promise<string> {
  const args = ['diff-tree', '-r', '--stat=100', ...HOW, from, to]
  const { stdout, truncated } = await git(args, { ...inStore(ground), maxBytes: LONGEST_PATCH })
  return marked({ stdout: stdout.replace(/\p{Surrogate}/gu, '\ufffd'), truncated })
}

export async function diffstat(ground: Ground, from: string, to: string): Promise<string> {
  const { stdout } = await git(['diff-tree', '-r', '--stat', ...HOW, from, to], {
    ...inStore(ground),
    maxBytes: LONGEST_STAT * 64,
  })
  if (stdout.length <= LONGEST_STAT) return stdout
  const summary = stdout.trimEnd().split('\n').at(-1) ?? ''
  return `${firstCharacters(stdout, LONGEST_STAT - summary.length - 8)}\n…\n${summary}\n`
}
