/** Durable steps beside the raw commit rate of the same file and driver, in one run: what Signalbox adds to an fsync. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Duty } from '../src/engine/index.ts'
import { createRuns, type Runs } from '../src/host/runs/runs.ts'
import { type Journal, openSqliteJournal } from '../src/journal/index.ts'
import type { Program } from '../src/model/program.ts'
import { rawCommits } from './raw-commits.ts'
import { spreadOf } from './spread.ts'

const SECONDS = 1
const ROUNDS = 6
const AT_ONCE = 50

export interface Rates {
  readonly raw: number
  readonly sequential: number
  readonly atOnce: number
}

export async function durableRates(program: Program): Promise<Rates> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    // The median of a few rounds, each measured in turn: the disk has other users too, and they come and go.
    const rounds: Rates[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const raw = rawCommits(join(dir, `raw-${round}.db`), SECONDS)
      const journal = await openSqliteJournal({ file: join(dir, `signalbox-${round}.db`) })
      const sequential = await stepsPerSecond(journal, program, { runs: 1, round })
      const atOnce = await stepsPerSecond(journal, program, { runs: AT_ONCE, round })
      await journal.close()
      rounds.push({ raw, sequential, atOnce })
    }
    const median = (of: (rates: Rates) => number): number => spreadOf(rounds.map(of)).p50
    return {
      raw: median((r) => r.raw),
      sequential: median((r) => r.sequential),
      atOnce: median((r) => r.atOnce),
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function stepsPerSecond(
  journal: Journal,
  program: Program,
  { runs: count, round }: { readonly runs: number; readonly round: number },
): Promise<number> {
  const { ids, step } = await stepsOf(journal, program, { runs: count, round })
  let done = 0
  const until = performance.now() + SECONDS * 1000
  await Promise.all(
    ids.map(async () => {
      while (performance.now() < until) {
        await step()
        done++
      }
    }),
  )
  return done / SECONDS
}

/** Fresh runs, and a step of whichever is next. */
export async function stepsOf(
  journal: Journal,
  program: Program,
  { runs: count, round }: { readonly runs: number; readonly round: number },
): Promise<Steps> {
  const runs = createRuns(journal)
  await journal.keep(new TextEncoder().encode(JSON.stringify(program)))
  const ids = Array.from({ length: count }, (_, index) => `bench-${round}-${count}-${index}`)
  await Promise.all(ids.map((run) => begin(runs, program, run)))
  return { runs, ids, step: () => takeStep(journal, runs) }
}

interface Steps {
  readonly runs: Runs
  readonly ids: readonly string[]
  readonly step: () => Promise<void>
}

/** As the loop does it: claim, do nothing, report and settle. */
async function takeStep(journal: Journal, runs: Runs): Promise<void> {
  const [claim] = await journal.claim({ limit: 1, now: 1, leaseMs: 60_000, kinds: ['run-check'] })
  if (claim === undefined) throw new Error('nothing to do')
  const { run, duty } = { run: claim.ticket.stream.slice('run/'.length), duty: claim.ticket.data as Duty }
  if (duty.kind !== 'run-check') throw new Error(duty.kind)
  const { step: name, visit } = duty
  const report = {
    type: 'check.report',
    at: 1,
    step: name,
    visit,
    exitCode: 0,
    output: 'ok',
    timedOut: false,
  } as const
  const executed = await runs.execute(run, [report], { settle: claim })
  if (!('loaded' in executed)) throw new Error(JSON.stringify(executed))
}

export async function begin(runs: Runs, program: Program, run: string): Promise<void> {
  const at = Date.now()
  const placement = {
    repo: '/work/repo',
    gitDir: '/work/repo/.git',
    base: 'main',
    baseCommit: '0'.repeat(40),
    branch: `signalbox/${run}`,
    worktree: `/work/trees/${run}`,
  }
  const by = { kind: 'person', name: 'bench' } as const
  const placed = { type: 'run.placed', at, placement, runbook: 'bench.yaml', name: program.name } as const
  const begun = await runs.begin({
    program,
    start: { type: 'run.start', at, run, vars: {}, facts: [{ ...placed, issue: null, seed: 'seed', by }] },
  })
  if (!('loaded' in begun)) throw new Error(JSON.stringify(begun))
}
