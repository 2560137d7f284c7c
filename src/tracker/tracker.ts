/**
 * The tracker: a folder of Markdown files, as a map from their names to their texts. What is read of it, and what a change
 * makes of it, are values; whoever has the folder reads and writes.
 */
import { byIssueId, type Issue, isIssueId, parseIssue } from './issue.ts'

export interface IssueTracker {
  /** Relative to the repository. */
  readonly folder: string
  /** By the name of the file in the folder. */
  readonly files: ReadonlyMap<string, string>
  /** In the order of their ids. */
  readonly issues: readonly Issue[]
  readonly byId: ReadonlyMap<string, Issue>
  /** Files that are there and cannot be read as issues. */
  readonly problems: readonly IssueProblem[]
}

export interface IssueProblem {
  readonly id: string
  readonly problem: string
}

export const INDEX = 'README.md'

/** A line takes about 2 µs to be read as Markdown; whole folders are read whenever somebody looks at issues. */
export const MAX_ISSUE_LINES = 50_000
export const MAX_TRACKER_CHARACTERS = 16 * 1024 * 1024

export interface TrackerFiles {
  readonly folder: string
  readonly files: ReadonlyMap<string, string>
  /** What could not even be read as a text. */
  readonly problems?: readonly IssueProblem[]
}

export const readTracker = (files: TrackerFiles): IssueTracker => wholeOf(readingTracker(files))

/** Without a pause. */
export function wholeOf<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Stops after each issue, so that whoever has other work can do it. The smallest are read where they are too many. */
export function* readingTracker({
  folder,
  files,
  problems = [],
}: TrackerFiles): Generator<void, IssueTracker, void> {
  const issues: Issue[] = []
  const wrong: IssueProblem[] = [...problems]
  let characters = 0
  for (const [name, text] of [...files].toSorted(([, one], [, other]) => one.length - other.length)) {
    const id = issueIdOf(name)
    if (id === null) continue
    const path = `${folder}/${name}`
    characters += text.length
    const limit = limitPassed({ text, characters })
    const issue = limit === null ? parseIssue({ id, path, text }) : { problem: `${path} ${limit}` }
    if ('problem' in issue) wrong.push({ id, ...issue })
    else issues.push(issue)
    yield
  }
  return trackerOf({ folder, files, issues, problems: wrong })
}

function limitPassed({
  text,
  characters,
}: {
  readonly text: string
  readonly characters: number
}): string | null {
  if (characters > MAX_TRACKER_CHARACTERS)
    return `is left out: the issues here have more than ${MAX_TRACKER_CHARACTERS / 1024 / 1024} MiB in all. Shorten the largest.`
  if (hasMoreLines(text, MAX_ISSUE_LINES))
    return `is left out: it has more than ${MAX_ISSUE_LINES} lines. Shorten it.`
  return null
}

export function hasMoreLines(text: string, most: number): boolean {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (++lines > most) return true
  return false
}

/** With files that say something else now. Only they are read anew. */
export function withFiles(tracker: IssueTracker, changed: ReadonlyMap<string, string>): IssueTracker {
  const { folder } = tracker
  const fresh = readTracker({ folder, files: changed })
  const isOld = ({ id }: { readonly id: string }): boolean => !changed.has(`${id}.md`)
  return trackerOf({
    folder,
    files: new Map([...tracker.files, ...changed]),
    issues: [...tracker.issues.filter(isOld), ...fresh.issues],
    problems: [...tracker.problems.filter(isOld), ...fresh.problems],
  })
}

/** The issue that a file of the folder is; null for one that is none. */
export function issueIdOf(name: string): string | null {
  const id = name.slice(0, -3)
  return name.endsWith('.md') && name.toLowerCase() !== INDEX.toLowerCase() && isIssueId(id) ? id : null
}

const trackerOf = ({ issues, problems, ...rest }: Omit<IssueTracker, 'byId'>): IssueTracker => ({
  ...rest,
  issues: issues.toSorted(byIssueId),
  byId: new Map(issues.map((issue) => [issue.id, issue])),
  problems: problems.toSorted(byIssueId),
})
