/** Issue files of two sides from where they parted, file by file. What both changed is merged by lines. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFrontMatter } from '../../tracker/front-matter.ts'
import { withoutLists } from '../../tracker/lists.ts'
import { linesOf } from '../../tracker/text-lines.ts'
import { hasMoreLines, MAX_ISSUE_LINES } from '../../tracker/tracker.ts'
import { bytesOf } from '../workspace/file-name.ts'
import { type GitOptions, git, gitLine, gitOutput } from '../workspace/git.ts'
import { isIndex, withFreshLists } from './fresh-lists.ts'
import { type IssueFiles, isRegular, type ListedFile, type TrackerPlace } from './issue-files.ts'
import { markSize, resolvedText } from './merge-lines.ts'

export interface ThreeSides {
  readonly base: IssueFiles
  readonly ours: IssueFiles
  readonly theirs: IssueFiles
}

export interface MergedFiles {
  /** Ours, where both sides contradict each other. */
  readonly files: IssueFiles
  readonly conflicts: readonly string[]
}

export async function mergeFiles(place: TrackerPlace, sides: ThreeSides): Promise<MergedFiles> {
  const files = new Map<string, ListedFile>()
  const conflicts: string[] = []
  let isMerged = false
  const names = new Set([...sides.base.keys(), ...sides.ours.keys(), ...sides.theirs.keys()])
  for (const name of [...names].sort()) {
    const [base, ours, theirs] = [sides.base.get(name), sides.ours.get(name), sides.theirs.get(name)]
    const same = (one?: ListedFile, other?: ListedFile) => one?.id === other?.id && one?.mode === other?.mode
    const keep = (file: ListedFile | undefined) => file !== undefined && files.set(name, file)
    if (same(ours, theirs) || same(base, theirs)) keep(ours)
    else if (same(base, ours)) keep(theirs)
    else {
      const merged =
        base === undefined || ours === undefined || theirs === undefined
          ? null
          : await mergedFile(place.git, { base, ours, theirs })
      // Of the index only its list can be a run's, and that is made anew.
      if (merged === null && !isIndex(name)) conflicts.push(name)
      keep(merged ?? ours ?? (isIndex(name) ? theirs : undefined))
      isMerged = true
    }
  }
  return { files: isMerged ? await withFreshLists(place, files) : files, conflicts }
}

interface ThreeFiles {
  readonly base: ListedFile
  readonly ours: ListedFile
  readonly theirs: ListedFile
}

async function mergedFile(at: GitOptions, { base, ours, theirs }: ThreeFiles): Promise<ListedFile | null> {
  if (![base, ours, theirs].every(isRegular)) return null
  const whole = await Promise.all(
    [ours, base, theirs].map(({ id }) => gitOutput(['cat-file', 'blob', id], at)),
  )
  // One that is too long to be read as an issue is too long to be merged.
  if (whole.some((text) => hasMoreLines(text, MAX_ISSUE_LINES))) return null
  const texts = whole.map(withoutLists)
  const size = markSize(texts)
  if (size === null) return null
  const merged = await byLines(texts, size)
  if (merged === null) return null
  // Two who each give a key a value contradict each other, though their lines stand side by side.
  if (isBroken(merged) && !texts.some(isBroken)) return null
  const id = await gitLine(['hash-object', '-w', '--stdin'], { ...at, input: bytesOf(merged) })
  return { mode: ours.mode === base.mode ? theirs.mode : ours.mode, id }
}

const isBroken = (text: string): boolean => 'problem' in parseFrontMatter(linesOf(text))

async function byLines(texts: readonly string[], size: number): Promise<string | null> {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-merge-'))
  try {
    const files = ['ours', 'base', 'theirs'].map((name) => join(dir, name))
    for (const [n, file] of files.entries()) await writeFile(file, bytesOf(texts[n] ?? ''), { mode: 0o600 })
    const args = ['merge-file', '-p', '--zdiff3', `--marker-size=${size}`, ...files]
    const { code, stdout, truncated, cutShort } = await git(args, { cwd: dir })
    // From 128 on it says that it could not, as with what is no text.
    if (code > 127 || truncated || cutShort !== null) return null
    return code === 0 ? stdout : resolvedText(stdout, size)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
