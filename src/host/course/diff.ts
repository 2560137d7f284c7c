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
}

export interface DiffedRun {
  readonly loaded: LoadedRun
  readonly ground: Ground
  readonly events: readonly StoredEvent[]
}

export async function diffRun(
  { loaded, ground, events }: DiffedRun,
  { step, steps, stat }: DiffQuery,
): Promise<RunDiff | Rejection> {
  const { run, commit, base } = loaded
  if (loaded.discarded)
    return { code: 'gone', problem: `Run ${run} is discarded: its commits are not kept any more.` }
  const known = Object.keys(loaded.program.steps)
  if (step !== null && !known.includes(step))
    return { code: 'unknown-step', problem: `There is no step "${step}"${orNear(step, known)}` }
  const all = { step: null, visit: null, from: base, to: commit }
  const shares = sharesOf(events.map(({ data }) => data as RunEvent))
  const wanted = step !== null ? shares.filter((share) => share.step === step) : steps ? shares : [all]
  // Before its first step a run has no store, and has changed nothing.
  if (!hasStore(ground)) return { run, from: base, to: commit, parts: [] }
  const text = stat ? statBetween : patchBetween
  const parts = await Promise.all(
    wanted
      .filter(({ from, to }) => from !== to)
      .map(async (share) => ({
        ...share,
        text: await text({ ground, from: share.from, to: share.to, files: null }),
      })),
  )
  return { run, from: base, to: commit, parts }
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
