/**
 * A run's place in git: made when it is needed, held to its branch and its boundary, committed after every piece of
 * work. One at a time for each worktree, because git locks and panels share one.
 */
import { join } from 'node:path'
import type { Journal } from '../journal/index.ts'
import type { Fact } from '../model/fact.ts'
import { isAnswerFile } from './answers.ts'
import type { Clock } from './clock.ts'
import type { LoadedRun } from './loaded-run.ts'
import { createTurnstile } from './turnstile.ts'
import { collectArtifacts } from './workspace/artifacts.ts'
import { holdBoundary, holdBranch } from './workspace/boundary.ts'
import { commitAll, diffstat } from './workspace/commit.ts'
import { ensureWorktree } from './workspace/worktree.ts'
import { RUN_DIR } from './world.ts'

export interface Workplaces {
  ensure(loaded: LoadedRun): Promise<{ readonly path: string } | Problem>
  /** Does something the first time it is asked for under this name; whoever asks again waits for the first. */
  once(name: string, act: () => Promise<void>): Promise<void>
  /** What was done since the last commit: held to branch and boundary, kept, committed. */
  takeIn(work: Work): Promise<TakenIn | Problem>
}

export interface Problem {
  readonly problem: string
}

export interface Work {
  readonly loaded: LoadedRun
  readonly step: string
  readonly visit: number
  readonly member: number
  /** Null: anywhere. */
  readonly writes: readonly string[] | null
  readonly message: string
}

export interface TakenIn {
  readonly facts: readonly Fact[]
  /** What lay outside the boundary and was undone. */
  readonly outside: readonly string[]
  readonly commit: string
  readonly diffstat: string
}

const LARGEST_ARTIFACT = 8 * 1024 * 1024
const MOST_ARTIFACTS = 200

export function createWorkplaces({
  journal,
  clock,
}: {
  readonly journal: Journal
  readonly clock: Clock
}): Workplaces {
  const inTurn = createTurnstile()
  // The first time this process meets a worktree, a lock in it can only be a dead process's.
  const met = new Set<string>()
  const begun = new Map<string, Promise<void>>()

  async function takeIn({ loaded, step, visit, member, writes, message }: Work): Promise<TakenIn | Problem> {
    const { placement } = loaded.placed
    const path = placement.worktree
    const at = clock.now()
    const facts: Fact[] = []
    const held = await holdBranch({ path, branch: placement.branch, lastCommit: loaded.commit })
    if ('problem' in held) return held
    if (held.found !== null)
      facts.push({ type: 'host.noted', at, text: `${step}: ${held.found}; the branch was put back.` })
    const outside: string[] = []
    if (writes !== null) {
      const bounded = await holdBoundary({ path, before: loaded.commit, writes })
      if ('problem' in bounded) return bounded
      outside.push(...bounded.outside)
      if (outside.length > 0) {
        const patch = await journal.keep(new TextEncoder().encode(bounded.patch))
        facts.push({ type: 'boundary.held', at, step, visit, member, files: outside, patch })
      }
    }
    facts.push(...(await keepArtifacts(loaded, { step, visit })))
    const committed = await commitAll({ path, message, run: loaded.run })
    if ('problem' in committed) return committed
    const { commit } = committed
    const changed = await diffstat({ path, from: placement.baseCommit, to: commit })
    if (commit !== loaded.commit)
      facts.push({ type: 'work.committed', at, step, visit, commit, diffstat: changed })
    return { facts, outside, commit, diffstat: changed }
  }

  async function keepArtifacts(
    { placed, artifacts }: LoadedRun,
    { step, visit }: { readonly step: string; readonly visit: number },
  ): Promise<Fact[]> {
    const at = clock.now()
    const { kept, refused } = await collectArtifacts({
      dir: join(placed.placement.worktree, RUN_DIR),
      maxBytes: LARGEST_ARTIFACT,
      maxFiles: MOST_ARTIFACTS,
    })
    const facts: Fact[] = []
    for (const { name, bytes } of kept) {
      if (isAnswerFile(name)) continue
      const digest = await journal.keep(bytes)
      if (artifacts[name] === digest) continue
      facts.push({ type: 'artifact.kept', at, step, visit, name, digest, bytes: bytes.length })
    }
    for (const { name, why } of refused)
      if (!isAnswerFile(name))
        facts.push({ type: 'host.noted', at, text: `artifact ${name} was not kept: ${why}` })
    return facts
  }

  return {
    ensure: ({ placed }) => {
      const { repo, branch, baseCommit, worktree: path } = placed.placement
      return inTurn(path, async () => {
        const ensured = await ensureWorktree({ repo, branch, baseCommit, path, afterCrash: !met.has(path) })
        if ('path' in ensured) met.add(path)
        return ensured
      })
    },
    once: (name, act) => {
      const doing = begun.get(name) ?? act()
      begun.set(name, doing)
      // What failed is tried again with the duty.
      doing.catch(() => begun.delete(name))
      return doing
    },
    takeIn: (work) => inTurn(work.loaded.placed.placement.worktree, () => takeIn(work)),
  }
}
