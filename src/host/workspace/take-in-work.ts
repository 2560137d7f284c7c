/** What an agent left: its artifacts kept, its files collected, and both told as facts. */
import type { Journal } from '../../journal/index.ts'
import type { Boundary } from '../../model/boundary.ts'
import type { Fact } from '../../model/fact.ts'
import type { Clock } from '../machine/clock.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { diffstat } from './changes.ts'
import {
  type BegunWork,
  type Collected,
  collectWork,
  type Judges,
  NOTHING_BEGUN,
  type TakenOut,
  together,
  undoneBefore,
} from './collect-work.ts'
import type { Confined } from './confined.ts'
import { problemOf } from './git.ts'
import type { Ground } from './ground.ts'
import { artifactsIn, keepArtifacts, leavePatch } from './kept-artifacts.ts'
import type { Problem } from './problem.ts'
import { isAncestor, tipOf } from './store.ts'

export interface WorkToCollect {
  readonly loaded: LoadedRun
  readonly step: string
  readonly visit: number
  readonly member: number
  readonly boundary: Boundary
  /** Nobody by default. */
  readonly judges?: Judges | null
  readonly message: string
  /** By tries that were broken off; nothing by default. */
  readonly begun?: BegunCollecting
}

export interface BegunCollecting {
  work: BegunWork
  /** By tries that nobody can go on from. */
  earlier?: TakenOut
  artifacts?: readonly Fact[]
  collected?: Collected
}

export interface CollectedWork {
  readonly facts: readonly Fact[]
  /** What lay outside the boundary and was undone. */
  readonly outside: readonly string[]
  /** Why judges had it undone. */
  readonly words: string | null
  readonly commit: string
  readonly diffstat: string
}

export interface TakeInNeeds {
  readonly journal: Journal
  readonly clock: Clock
  readonly ground: Ground
  readonly confined: Confined
  /** What the user's branch is known to stand at, for each worktree. */
  readonly published: Map<string, string | null>
}

export async function takeInWork(
  { journal, clock, ground, confined, published }: TakeInNeeds,
  work: WorkToCollect,
): Promise<CollectedWork | Problem> {
  const { loaded, step, visit, member, boundary, judges = null, message } = work
  const { begun = { work: NOTHING_BEGUN() } } = work
  const at = clock.now()
  const overtaken = await afterOthers(ground, work, begun).catch(problemOf)
  if (overtaken !== null) return overtaken
  // Before the files are held to their boundary: artifacts are read by the name they have now.
  begun.artifacts ??= await keepArtifacts({ journal, clock }, await artifactsIn(ground.worktree), {
    loaded,
    step,
    visit,
  })
  const collected =
    begun.collected ??
    (await collectWork({
      ground,
      branch: loaded.placed.placement.branch,
      lastCommit: loaded.commit,
      lastBase: loaded.base,
      boundary,
      judges,
      message,
      run: loaded.run,
      confined,
      published: published.get(ground.worktree) ?? null,
      begun: begun.work,
    }))
  if ('problem' in collected) return collected
  begun.collected = collected
  published.set(ground.worktree, collected.published)
  const { commit, notes } = collected
  const { outside, words: against, patch: undone } = together(begun.earlier ?? NOTHING_OUT, collected)
  const facts = notes.map((note): Fact => ({ type: 'host.noted', at, text: `${step}: ${note}` }))
  if (outside.length > 0) {
    const patch = await journal.keep(new TextEncoder().encode(undone))
    facts.push({ type: 'boundary.held', at, step, visit, member, files: outside, patch })
  }
  const words = against && (await leavePatch({ ground, confined }, against, undone))
  facts.push(...begun.artifacts)
  const changed = await diffstat(ground, loaded.base, commit)
  if (commit !== loaded.commit)
    facts.push({ type: 'work.committed', at, step, visit, commit, diffstat: changed })
  return { facts, outside, words, commit, diffstat: changed }
}

const NOTHING_OUT: TakenOut = { outside: [], patch: '', words: null }

/**
 * Somebody else of a panel may have committed since a try was broken off: what it found before that is not what is there now. What
 * it took out of the files stays out, and is told; what it had finished stands, and so does what came after it.
 */
async function afterOthers(
  ground: Ground,
  { loaded, boundary }: WorkToCollect,
  begun: BegunCollecting,
): Promise<null> {
  const { collected, work } = begun
  if (work.handed === undefined) return null
  const tip = await tipOf(ground, loaded.placed.placement.branch)
  if (collected !== undefined && (await isAncestor(ground, collected.commit, tip)))
    begun.collected = { ...collected, commit: tip }
  else if (tip !== work.handed.stands && tip !== work.commit) {
    begun.earlier = together(begun.earlier ?? NOTHING_OUT, await undoneBefore({ ground, boundary }, work))
    begun.work = NOTHING_BEGUN()
    delete begun.collected
  }
  return null
}
