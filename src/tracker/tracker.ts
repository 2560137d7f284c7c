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

export function readTracker({
  folder,
  files,
  problems = [],
}: {
  readonly folder: string
  readonly files: ReadonlyMap<string, string>
  /** What could not even be read as a text. */
  readonly problems?: readonly IssueProblem[]
}): IssueTracker {
  const read = [...files].flatMap(([name, text]) => {
    const id = issueIdOf(name)
    return id === null ? [] : [{ id, issue: parseIssue({ id, path: `${folder}/${name}`, text }) }]
  })
  const wrong = read.flatMap(({ id, issue }) => ('problem' in issue ? [{ id, ...issue }] : []))
  return trackerOf({
    folder,
    files,
    issues: read.flatMap(({ issue }) => ('problem' in issue ? [] : [issue])),
    problems: [...problems, ...wrong],
  })
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
