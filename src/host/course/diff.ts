/** What a run changed, as the host's own store has it: all of it, or step by step. No git looks at a worktree for this. */
import type { StoredEvent } from '../../journal/index.ts'
import type { RunDiff } from '../../model/api/course.ts'
import type { RunEvent } from '../../model/event.ts'
import { orNear } from '../../model/nearest.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { patchBetween, statBetween } from '../workspace/changes.ts'
import type { Ground } from '../workspace/ground.ts'
import { hasStore } from '../workspace/store.ts'

export interface DiffQuery {
  /** Only what this step did; null for everything at once. */
  readonly step: string | null
  /** Each step's share by itself. */
  readonly steps: boolean
  /** Only which files, and how much of them. */
  readonly stat: boolean
  /** Commits of the run, by how they begin. Left out: what it began with, and its last. */
  readonly from?: string
  readonly to?: string
}

export interface DiffedRun {
  readonly loaded: LoadedRun
  readonly ground: Ground
  readonly events: readonly StoredEvent[]
}

export async function diffRun(
  { loaded, ground, events }: DiffedRun,
  { step, steps, stat, ...between }: DiffQuery,
): Promise<RunDiff | Rejection> {
  const { run } = loaded
  if (loaded.discarded)
    return { code: 'gone', problem: `Run ${run} is discarded: its commits are not kept any more.` }
  const known = Object.keys(loaded.program.steps)
  if (step !== null && !known.includes(step))
    return { code: 'unknown-step', problem: `There is no step "${step}"${orNear(step, known)}` }
  const told = events.map(({ data }) => data as RunEvent)
  const asked = commitsBetween(loaded, told, between)
  if (asked === null) return NO_COMMIT
  const all = { step: null, visit: null, ...asked }
  const shares = sharesOf(told)
  const wanted = step !== null ? shares.filter((share) => share.step === step) : steps ? shares : [all]
  // Before its first step a run has no store, and has changed nothing.
  if (!hasStore(ground)) return { run, ...asked, parts: [] }
  const text = stat ? statBetween : patchBetween
  const parts = await Promise.all(
    wanted
      .filter(({ from, to }) => from !== to)
      .map(async (share) => ({
        ...share,
        text: await text({ ground, from: share.from, to: share.to, files: null }),
      })),
  )
  return { run, ...asked, parts }
}

type Between = Pick<DiffQuery, 'from' | 'to'>

/** Only what the run made and what it began with: a store borrows everything else of the user's repository. Null for any other. */
function commitsBetween(
  { base, commit, placed }: LoadedRun,
  events: readonly RunEvent[],
  { from = base, to = commit }: Between,
): { readonly from: string; readonly to: string } | null {
  const known = [base, placed.placement.baseCommit, ...events.flatMap(committedIn), commit]
  const [first, last] = [from, to].map((start) => known.find((each) => each.startsWith(start)))
  return first === undefined || last === undefined ? null : { from: first, to: last }
}

const committedIn = (event: RunEvent): string[] =>
  event.type === 'work.committed' || event.type === 'base.merged' ? [event.commit] : []

const NO_COMMIT: Rejection = {
  code: 'not-found',
  problem: 'The run has no such commit: name what it began with, or one that it made.',
}

interface Share {
  readonly step: string
  readonly visit: number
  readonly from: string
  readonly to: string
}

/** Which commits are whose, by the record: what was brought in from the base is nobody's. */
function sharesOf(events: readonly RunEvent[]): Share[] {
  let at = ''
  const shares: Share[] = []
  for (const event of events) {
    if (event.type === 'run.placed') at = event.placement.baseCommit
    else if (event.type === 'work.committed') {
      const { step, visit, commit } = event
      shares.push({ step, visit, from: at, to: commit })
      at = commit
    } else if (event.type === 'base.merged') at = event.commit
  }
  return shares
}
