/** What one check changed of the issues, and the commit that this becomes. */
import { issueIdOf } from '../../tracker/tracker.ts'
import { type GitOptions, gitLine } from '../workspace/git.ts'
import type { TrackerNow } from './effective-tracker.ts'
import {
  differences,
  filesOfCommit,
  type IssueFiles,
  type ListedFile,
  type TrackerPlace,
  treeWith,
} from './issue-files.ts'
import { mergeFiles } from './merge-files.ts'

/** Of a file that the check found, or of one that it made. */
export interface FileChanged {
  readonly path: string
  readonly before: ListedFile | null
  readonly after: ListedFile
}

export type IssueChange = readonly FileChanged[]

/** Who changed it. */
export interface ChangedBy {
  readonly run: string
  readonly step: string
  readonly visit: number
}

/** The tracker with a change that was made of an earlier one; the files that contradict it where it does not fit any more. */
export async function withChange(
  place: TrackerPlace,
  tracker: Pick<TrackerNow, 'files' | 'conflicts'>,
  change: IssueChange,
): Promise<{ readonly files: IssueFiles } | { readonly contradicted: readonly string[] }> {
  const disputed = change.map(({ path }) => path).filter((path) => tracker.conflicts.includes(path))
  if (disputed.length > 0) return { contradicted: disputed }
  const before = new Map(tracker.files)
  const after = new Map(tracker.files)
  for (const { path, before: had, after: has } of change) {
    if (had === null) before.delete(path)
    else before.set(path, had)
    after.set(path, has)
  }
  const { files, conflicts } = await mergeFiles(place, { base: before, ours: tracker.files, theirs: after })
  return conflicts.length === 0 ? { files } : { contradicted: conflicts }
}

/** Gives the new tip. Where base and changes have parted they are joined first, so that the next merge begins here. */
export async function commitChange(
  place: TrackerPlace,
  {
    tracker,
    files,
    message,
  }: { readonly tracker: TrackerNow; readonly files: IssueFiles; readonly message: string },
): Promise<string> {
  const { base, tip, parted, conflicts } = tracker
  if (parted === 'no, at the base' || tip === null) return commitOn(place, { parent: base, files, message })
  if (parted === 'no, at the tip') return commitOn(place, { parent: tip, files, message })
  if (conflicts.length === 0) {
    const parent = await joined(place, { base, files: tracker.files, tip })
    return commitOn(place, { parent, files, message })
  }
  // What is disputed stays so until a person settles it: neither side may pass for having seen the other.
  const wanted = new Map(await filesOfCommit(place, tip))
  for (const path of differences(tracker.files, files)) {
    const file = files.get(path)
    if (file !== undefined) wanted.set(path, file)
  }
  return commitOn(place, { parent: tip, files: wanted, message })
}

/** A commit that has both: the files of the base, and these issues. */
export async function joined(
  place: TrackerPlace,
  { base, files, tip }: { readonly base: string; readonly files: IssueFiles; readonly tip: string },
): Promise<string> {
  const tree = await treeWith(place, { commit: base, has: await filesOfCommit(place, base), wanted: files })
  return commitTree(place.git, {
    tree,
    parents: [tip, base],
    message: 'chore(todo): what the base got since\n',
  })
}

export async function commitOn(
  place: TrackerPlace,
  {
    parent,
    files,
    message,
  }: { readonly parent: string; readonly files: IssueFiles; readonly message: string },
): Promise<string> {
  const tree = await treeWith(place, {
    commit: parent,
    has: await filesOfCommit(place, parent),
    wanted: files,
  })
  return commitTree(place.git, { tree, parents: [parent], message })
}

const commitTree = (
  at: GitOptions,
  {
    tree,
    parents,
    message,
  }: { readonly tree: string; readonly parents: readonly string[]; readonly message: string },
): Promise<string> =>
  gitLine(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], { ...at, input: message })

export function changeMessage(change: IssueChange, by: ChangedBy): string {
  const ids = (of: IssueChange): string => idsOf(of).join(', ')
  const news = ids(change.filter(({ before }) => before === null))
  const changed = ids(change.filter(({ before }) => before !== null))
  const what = [news === '' ? [] : `file ${news}`, changed === '' ? [] : `change ${changed}`]
    .flat()
    .join('; ')
  const subject = `chore(todo): ${what || 'the index'}`
  const short = subject.length > 100 ? `${subject.slice(0, 99)}…` : subject
  return `${short}\n\nSignalbox-Run: ${by.run}\nSignalbox-Visit: ${visitText(by)}\n`
}

/** Of the issues that it speaks of. */
export const idsOf = (change: IssueChange): string[] => change.flatMap(({ path }) => idOfPath(path) ?? [])

/** Null for what is no issue. */
export const idOfPath = (path: string): string | null => issueIdOf(path.slice(path.lastIndexOf('/') + 1))

export const visitText = ({ run, step, visit }: ChangedBy): string => `${run} ${step} ${visit}`
