/** Runs on a journal in memory, placed where nothing is: for what needs a run's record and not its worktree. */
import { compile } from '../../engine/given.fixture.ts'
import { createMemoryJournal, type Journal } from '../../journal/index.ts'
import type { Fact, Placement } from '../../model/fact.ts'
import type { Program } from '../../model/program.ts'
import type { LoadedRun } from './loaded-run.ts'
import type { Placed } from './projection.ts'
import { createRuns, type ExecutedRun, type Runs, type StartRun } from './runs.ts'

export const ALICE = { kind: 'person', name: 'alice' } as const

export function programOf(text: string): Program {
  const { program, diagnostics } = compile(text)
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return program
}

const PLACEMENT: Placement = {
  repo: '/nowhere/repo',
  gitDir: '/nowhere/repo/.git',
  base: 'main',
  baseCommit: 'b'.repeat(40),
  branch: 'signalbox/flow-r1',
  worktree: '/nowhere/worktrees/repo-r1',
}

export const placedFact = (over: Partial<Placed> = {}): Placed => ({
  type: 'run.placed',
  at: 0,
  placement: PLACEMENT,
  runbook: '/nowhere/repo/.signalbox/flow.yaml',
  name: 'flow',
  issue: null,
  seed: 'seed',
  by: ALICE,
  ...over,
})

export const startOf = (run: string, facts: readonly Fact[] = [placedFact()]): StartRun => ({
  type: 'run.start',
  at: 0,
  run,
  vars: {},
  facts,
})

export interface Kept {
  readonly journal: Journal
  readonly runs: Runs
  /** Begins a run of the program; it is kept first, as whoever starts a run does. */
  readonly begin: (run: string) => Promise<LoadedRun>
}

export function keepRuns(program: Program, journal: Journal = createMemoryJournal()): Kept {
  const runs = createRuns(journal)
  return {
    journal,
    runs,
    begin: async (run) => {
      await journal.keep(new TextEncoder().encode(JSON.stringify(program)))
      return loadedOf(await runs.begin({ program, start: startOf(run) }))
    },
  }
}

export function loadedOf(executed: ExecutedRun): LoadedRun {
  if ('loaded' in executed) return executed.loaded
  throw new Error('refusal' in executed ? executed.refusal.message : 'the claim was lost')
}
