/**
 * The issue files of a commit, as git has them: names and blobs, byte for byte. Nothing of the format of an issue is known
 * here, and no file is checked out to learn it.
 */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPlainPath } from '../inside/place.ts'
import { bytesOf, bytesOfAll, namesOf, someNames } from '../workspace/file-name.ts'
import { GitFailure, type GitOptions, gitLine, gitOutput } from '../workspace/git.ts'

export interface ListedFile {
  readonly mode: string
  /** Of its blob. */
  readonly id: string
}

/** By path from the top of the repository. */
export type IssueFiles = ReadonlyMap<string, ListedFile>

export const ISSUES_BRANCH = 'signalbox/issues'

export const NO_FILES: IssueFiles = new Map()

/** Where git is asked, and which folders issues lie in. */
export interface TrackerPlace {
  readonly git: GitOptions
  readonly folders: readonly string[]
}

export async function filesOfCommit({ git, folders }: TrackerPlace, commit: string): Promise<IssueFiles> {
  const text = await gitOutput(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...folders], git)
  return new Map(namesOf(text).flatMap(entryOf))
}

function entryOf(line: string): [string, ListedFile][] {
  const [, mode, id, name] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? []
  if (mode === undefined || id === undefined || name === undefined) return []
  // Git makes no such tree itself, and would check none out.
  if (!isPlainPath(name))
    throw new GitFailure(
      `${someNames([name])} in a commit of issues leads out of its folder, so none of that commit is read. It was made to do harm: see who pushed it, and remove the branch that has it (git branch -D ${ISSUES_BRANCH}).`,
    )
  return [[name, { mode, id }]]
}

/** A link, or a repository of its own, is no file to be read or written. */
export const isRegular = ({ mode }: ListedFile): boolean => mode === '100644' || mode === '100755'

/** The tree of a commit with these files in place of those it has. */
export async function treeWith(
  { git }: TrackerPlace,
  { commit, has, wanted }: { readonly commit: string; readonly has: IssueFiles; readonly wanted: IssueFiles },
): Promise<string> {
  const gone = [...has.keys()].filter((name) => !wanted.has(name))
  const news = [...wanted].filter(([name, { mode, id }]) => {
    const before = has.get(name)
    return before?.id !== id || before.mode !== mode
  })
  if (gone.length + news.length === 0) return gitLine(['rev-parse', '--verify', `${commit}^{tree}`], git)
  const lines = [
    ...gone.map((name) => `0 ${'0'.repeat(commit.length)}\t${name}\0`),
    ...news.map(([name, { mode, id }]) => `${mode} ${id}\t${name}\0`),
  ]
  const index = join(tmpdir(), `signalbox-index-${randomUUID()}`)
  const { env = {}, ...where } = git
  const here: GitOptions = { ...where, env: { ...env, GIT_INDEX_FILE: index } }
  try {
    await gitOutput(['read-tree', commit], here)
    await gitOutput(['update-index', '-z', '--index-info'], { ...here, input: bytesOfAll(lines) })
    return await gitLine(['write-tree', '--missing-ok'], here)
  } finally {
    await rm(index, { force: true })
  }
}

/** Paths whose file is another one, or is in one of them only. */
export const differences = (one: IssueFiles, other: IssueFiles): string[] =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => one.get(name)?.id !== other.get(name)?.id)
    .sort()

/** All at once: a process for each would take longer than all the rest. */
export async function readBlobs(
  git: GitOptions,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = [...new Set(ids)]
  const blobs = new Map<string, Uint8Array>()
  if (wanted.length === 0) return blobs
  const text = await gitOutput(['cat-file', '--batch', '--buffer'], {
    ...git,
    input: `${wanted.join('\n')}\n`,
  })
  const bytes = bytesOf(text)
  let at = 0
  for (const id of wanted) {
    const end = bytes.indexOf(0x0a, at)
    const size = Number(/ blob (\d+)$/.exec(bytes.subarray(at, end).toString('latin1'))?.[1] ?? Number.NaN)
    if (Number.isNaN(size)) throw new GitFailure(`The issue file ${id} is not in the repository.`)
    blobs.set(id, bytes.subarray(end + 1, end + 1 + size))
    at = end + 1 + size + 1
  }
  return blobs
}
