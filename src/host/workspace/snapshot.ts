/**
 * What a worktree holds at one instant, as a tree: tracked files and untracked ones that are not ignored. A folder
 * that is a repository of its own stands in it as a link to its commit.
 */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOfAll, namesOf } from './file-name.ts'
import { type GitOptions, git, gitLine, gitOutput } from './git.ts'
import { gitDirOf } from './git-dir.ts'
import { PRIVATE_INDEX, seedFromReal, stageAll, withPrivateIndex } from './private-index.ts'
import { keepIgnored } from './run-folder.ts'

const LONGEST_PATCH = 1024 * 1024

export async function takeSnapshot(path: string): Promise<string> {
  await keepIgnored(path)
  return withPrivateIndex(path, async (index) => {
    await seedFromReal(index)
    const withoutCommit = await stageAll(index)
    await putEntries(
      index,
      withoutCommit.map((name) => ({ name, entry: NO_COMMIT })),
    )
    return gitLine(['write-tree'], index)
  })
}

/** Names what a person can see in a worktree: the commit it stands at, and everything in it. */
export async function contentOf(path: string): Promise<string> {
  const [commit, tree] = [await gitLine(['rev-parse', 'HEAD'], { cwd: path }), await takeSnapshot(path)]
  return `${commit}:${tree}`
}

/** What a name stands for in a tree. */
export interface Entry {
  readonly mode: string
  readonly id: string
}

export const GITLINK = '160000'
/** Stands for a repository that has no commit to name. */
const NO_COMMIT: Entry = { mode: GITLINK, id: '1' }
const NOTHING: Entry = { mode: '0', id: '0' }

/** Null takes the name out. */
export async function putEntries(
  index: GitOptions,
  entries: readonly { readonly name: string; readonly entry: Entry | null }[],
): Promise<void> {
  if (entries.length === 0) return
  const format = await git(['rev-parse', '--show-object-format'], index)
  const length = format.stdout.trim() === 'sha256' ? 64 : 40
  // Out before in, so that a file can take the place of a folder.
  const ordered = [...entries].sort((a, b) => Number(a.entry !== null) - Number(b.entry !== null))
  const lines = ordered.map(({ name, entry }) => {
    const { mode, id } = entry ?? NOTHING
    return `${mode} ${id.padEnd(length, id)}\t${name}\0`
  })
  await gitOutput(['update-index', '-z', '--index-info'], { ...index, input: bytesOfAll(lines) })
}

interface Change {
  readonly name: string
  readonly after: Entry | null
}

/** Names, without any guess at renames. */
export const changedBetween = async (path: string, treeA: string, treeB: string): Promise<string[]> =>
  treeA === treeB ? [] : (await changesBetween(path, treeA, treeB)).map((change) => change.name)

async function changesBetween(path: string, from: string, to: string): Promise<Change[]> {
  // Without the last flag a repository's settings could hide changed submodules.
  const how = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none']
  const raw = namesOf(await gitOutput(['diff-tree', ...how, from, to], { cwd: path }))
  const changes: Change[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [, mode = '', , id = ''] = (raw[at] ?? '').slice(1).split(' ')
    changes.push({ name: raw[at + 1] ?? '', after: mode === '000000' ? null : { mode, id } })
  }
  return changes
}

export interface PatchRequest {
  readonly path: string
  readonly from: string
  readonly to: string
  /** Only these; null for all. */
  readonly files: readonly string[] | null
}

/** What `git apply` takes. Always well-formed text, however odd the files; cut off after 1 MiB, and then says so. */
export async function patchBetween({ path, from, to, files }: PatchRequest): Promise<string> {
  const target = files === null ? to : await withOnly({ path, from, to, files })
  const plain = await diff(path, from, target)
  if (!/\p{Surrogate}/u.test(plain.stdout)) return marked(plain)
  // Text in another encoding: as binary it survives.
  const attributes = join(await gitDirOf(path), `${PRIVATE_INDEX}-attributes-${target}`)
  await writeFile(attributes, '* -diff\n')
  try {
    const settings = ['-c', `core.attributesFile=${attributes}`, '-c', 'core.quotepath=on']
    const ascii = await diff(path, from, target, settings)
    return marked({ ...ascii, stdout: ascii.stdout.replace(/\p{Surrogate}/gu, '\ufffd') })
  } finally {
    await rm(attributes, { force: true })
  }
}

const diff = (path: string, from: string, to: string, settings: readonly string[] = []) =>
  git(
    [...settings, 'diff-tree', '-r', '-p', '--binary', '--full-index', '--no-renames', '--no-color']
      .concat(
        '--no-ext-diff',
        '--no-textconv',
        '--ignore-submodules=none',
        '--src-prefix=a/',
        '--dst-prefix=b/',
      )
      .concat(from, to),
    { cwd: path, maxBytes: LONGEST_PATCH },
  )

const marked = ({ stdout, truncated }: { stdout: string; truncated: boolean }): string =>
  truncated ? `${stdout}# The rest is left out: the patch is longer than ${LONGEST_PATCH} bytes.\n` : stdout

/** The first tree, with only these files as in the second. Names never become arguments: they may be too many or too odd. */
async function withOnly({
  path,
  from,
  to,
  files,
}: PatchRequest & { files: readonly string[] }): Promise<string> {
  const wanted = new Set(files)
  const changes = (await changesBetween(path, from, to)).filter((change) => wanted.has(change.name))
  return withPrivateIndex(path, async (index) => {
    await gitOutput(['read-tree', from], index)
    await putEntries(
      index,
      changes.map(({ name, after }) => ({ name, entry: after })),
    )
    return gitLine(['write-tree', '--missing-ok'], index)
  })
}
