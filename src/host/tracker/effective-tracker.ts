/**
 * The issues as they are now: those of the branch that a run came from, with what all runs changed of them since. A
 * three-way merge of that branch and the branch that keeps the changes, from where the two parted.
 */
import { type GitOptions, git } from '../workspace/git.ts'
import { filesOfCommit, type IssueFiles, NO_FILES, type TrackerPlace } from './issue-files.ts'
import { mergeFiles } from './merge-files.ts'

export interface TrackerTips {
  /** A commit of the branch that people work on. */
  readonly base: string
  /** The last change of a run; null where no run has changed an issue yet. */
  readonly tip: string | null
}

export interface TrackerNow extends TrackerTips {
  readonly files: IssueFiles
  /** Files that a person and a run changed in ways that contradict each other: they stand as the person has them. */
  readonly conflicts: readonly string[]
  /** Whether the changes of runs have all of the base, or the base all of them; else they have parted. */
  readonly parted: 'no, at the tip' | 'no, at the base' | 'yes'
}

export async function effectiveTracker(place: TrackerPlace, { base, tip }: TrackerTips): Promise<TrackerNow> {
  if (tip === null || (await comesBefore(place.git, tip, base)))
    return { base, tip, files: await filesOfCommit(place, base), conflicts: [], parted: 'no, at the base' }
  if (await comesBefore(place.git, base, tip))
    return { base, tip, files: await filesOfCommit(place, tip), conflicts: [], parted: 'no, at the tip' }
  const merged = await mergeFiles(place, {
    base: await filesWhereTheyParted(place, base, tip),
    ours: await filesOfCommit(place, base),
    theirs: await filesOfCommit(place, tip),
  })
  return { base, tip, ...merged, parted: 'yes' }
}

const comesBefore = async (at: GitOptions, earlier: string, later: string): Promise<boolean> =>
  earlier === later || (await git(['merge-base', '--is-ancestor', earlier, later], at)).code === 0

async function filesWhereTheyParted(place: TrackerPlace, one: string, other: string): Promise<IssueFiles> {
  const { code, stdout } = await git(['merge-base', one, other], place.git)
  return code === 0 ? filesOfCommit(place, stdout.trim()) : NO_FILES
}
