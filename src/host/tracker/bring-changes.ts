/**
 * Changes of issues brought onto a branch of the user's, because a person says so: each as a commit of its own, as it was
 * made, on top of what is there. A change that the host has brought there before is not brought again.
 */
import { git, gitLine, gitOutput } from '../workspace/git.ts'
import { changeMarks, markChange } from './change-marks.ts'
import { commitOn, type IssueChange, joined, withChange } from './issue-change.ts'
import { differences, filesOfCommit, type IssueFiles, type TrackerPlace } from './issue-files.ts'
import { mergeFiles } from './merge-files.ts'

export interface WaitingChange {
  readonly commit: string
  /** The run, the step and the visit that made it. */
  readonly visit: string
}

/** Where it is known which commits are changes. */
export interface MarkedPlace extends TrackerPlace {
  /** The git directory of the user's repository. */
  readonly gitDir: string
}

/** Those of a run, or of all, that a commit has not got; earliest first. */
export async function waitingChanges(
  place: MarkedPlace,
  {
    tip,
    onto,
    run = null,
  }: { readonly tip: string | null; readonly onto: string; readonly run?: string | null },
): Promise<WaitingChange[]> {
  if (tip === null) return []
  const marks = await changeMarks(place.gitDir)
  const visits = new Map(marks.map(({ commit, visit }) => [commit, visit]))
  const args = ['rev-list', '--no-merges', '--reverse', '--topo-order', tip, `^${onto}`, '--']
  const commits = (await gitOutput(args, place.git)).split('\n')
  const first = new Map<string, WaitingChange>()
  for (const commit of commits) {
    const visit = visits.get(commit)
    if (visit === undefined || first.has(visit) || !(run === null || visit.startsWith(`${run} `))) continue
    const others = marks.filter((mark) => mark.visit === visit && mark.commit !== commit)
    const there = await Promise.all(others.map((mark) => isIn(place, { commit: mark.commit, tip: onto })))
    if (!there.includes(true)) first.set(visit, { commit, visit })
  }
  return [...first.values()]
}

/** The commit of a change that was made already; null where the branch has none. */
export async function commitOfChange(
  place: MarkedPlace,
  { tip, visit }: { readonly tip: string | null; readonly visit: string },
): Promise<string | null> {
  if (tip === null) return null
  for (const mark of await changeMarks(place.gitDir))
    if (mark.visit === visit && (await isIn(place, { commit: mark.commit, tip }))) return mark.commit
  return null
}

async function isIn(
  { git: at }: TrackerPlace,
  { commit, tip }: { readonly commit: string; readonly tip: string },
): Promise<boolean> {
  return (await git(['merge-base', '--is-ancestor', commit, tip], at)).code === 0
}

/** Gives the last of the commits that were made; files that contradict them, where they do not fit. */
export async function bringChanges(
  place: MarkedPlace,
  { onto, changes }: { readonly onto: string; readonly changes: readonly WaitingChange[] },
): Promise<{ readonly commit: string } | { readonly contradicted: readonly string[] }> {
  let tip = onto
  for (const { commit, visit } of changes) {
    const files = await filesOfCommit(place, tip)
    const made = await withChange(place, { files, conflicts: [] }, await changeOf(place, commit))
    if ('contradicted' in made) return made
    if (differences(files, made.files).length === 0) continue
    const message = await gitOutput(['log', '-1', '--format=%B', commit], place.git)
    tip = await commitOn(place, { parent: tip, files: made.files, message: `${message.trimEnd()}\n` })
    await markChange(place.gitDir, { commit: tip, visits: [visit] })
  }
  return { commit: tip }
}

/**
 * The given changes with those before them that they build on, of whichever run: what an earlier run on the same issue left
 * stands in the very lines that a later one goes on with. Lists are made anew, so they bind nothing together.
 */
export async function withFoundations(
  place: TrackerPlace,
  { all, own }: { readonly all: readonly WaitingChange[]; readonly own: readonly WaitingChange[] },
): Promise<WaitingChange[]> {
  const mine = new Set(own.map(({ visit }) => visit))
  const paths = new Set<string>()
  const needed: WaitingChange[] = []
  for (const change of all.toReversed()) {
    const touched = (await changeOf(place, change.commit)).map(({ path }) => path).filter(isIssue)
    if (!mine.has(change.visit) && !touched.some((path) => paths.has(path))) continue
    for (const path of touched) paths.add(path)
    needed.unshift(change)
  }
  return needed
}

const isIssue = (path: string): boolean => !path.endsWith('/README.md')

async function changeOf(place: TrackerPlace, commit: string): Promise<IssueChange> {
  const parent = await gitLine(['rev-parse', '--verify', `${commit}^1`], place.git)
  const [before, after] = await Promise.all([parent, commit].map((each) => filesOfCommit(place, each)))
  if (before === undefined || after === undefined) return []
  return differences(before, after).flatMap((path) => {
    const file = after.get(path)
    return file === undefined ? [] : [{ path, before: before.get(path) ?? null, after: file }]
  })
}

/**
 * What keeps the changes, told that a branch moved from one commit to another with some of them: so the next merge begins
 * there, and what people change of them then contradicts nothing. Null where that would settle what only a person can.
 */
export async function toldOfMove(
  place: TrackerPlace,
  {
    tip,
    from,
    to,
    kept,
  }: {
    readonly tip: string
    readonly from: string
    readonly to: string
    /** The issues as they were for `from`. */
    readonly kept: { readonly files: IssueFiles; readonly conflicts: readonly string[] }
  },
): Promise<string | null> {
  if (kept.conflicts.length > 0) return null
  const { files, conflicts } = await mergeFiles(place, {
    base: await filesOfCommit(place, from),
    ours: await filesOfCommit(place, to),
    theirs: kept.files,
  })
  return conflicts.length > 0 ? null : joined(place, { base: to, files, tip })
}
