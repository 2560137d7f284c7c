/** What a run changed between two of its commits, as a patch: for people who look at its work. */
import type { Journal } from '../../journal/index.ts'
import type { RunPatch } from '../../model/api/runs.ts'
import type { RunEvent } from '../../model/event.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { Workplaces } from '../workspace/workplaces.ts'
import { type Runs, streamOf } from './runs.ts'

export interface PatchWish {
  readonly run: string
  /** The beginning of a commit; left out: the run's base, or what was last brought in from it. */
  readonly from?: string
  /** Left out: the run's last commit. */
  readonly to?: string
}

/** Only commits that the run made, and its base: a store borrows everything else of the user's repository. */
export async function patchOf(
  tools: { readonly journal: Pick<Journal, 'read'>; readonly runs: Runs; readonly workplaces: Workplaces },
  { run, from = '', to }: PatchWish,
): Promise<RunPatch | Rejection> {
  const loaded = await tools.runs.load(run)
  if (loaded === null)
    return { code: 'unknown-run', problem: `There is no run "${run}". signalbox ps --all lists them.` }
  const { baseCommit } = loaded.placed.placement
  const stored = await tools.journal.read(streamOf(run), 0)
  const known = [
    loaded.base,
    baseCommit,
    ...stored.flatMap(({ data }) => committedIn(data as RunEvent)),
    loaded.commit,
  ]
  const [first, last] = [from, to ?? loaded.commit].map((start) =>
    known.find((commit) => commit.startsWith(start)),
  )
  if (first === undefined || last === undefined) return NO_COMMIT
  const made = await tools.workplaces.patch(loaded, { from: first, to: last })
  return 'problem' in made
    ? { code: 'not-found', problem: made.problem }
    : { from: first, to: last, patch: made.patch }
}

const committedIn = (event: RunEvent): string[] =>
  event.type === 'work.committed' || event.type === 'base.merged' ? [event.commit] : []

const NO_COMMIT: Rejection = {
  code: 'not-found',
  problem: 'The run has no such commit: name its base, or one that it made.',
}
