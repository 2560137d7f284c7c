/** A journal that has seen many runs end: what a step, a list and a start cost among them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/host/machine/clock.ts'
import { type Home, homeAt } from '../src/host/machine/home.ts'
import { createOperations } from '../src/host/operations.ts'
import { openQuietHost } from '../src/host/quiet-host.fixture.ts'
import { createRuns, type Runs } from '../src/host/runs/runs.ts'
import { type Journal, openSqliteJournal } from '../src/journal/index.ts'
import type { Program } from '../src/model/program.ts'
import { cpuTimeMs } from './cpu-time.ts'
import { begin, stepsOf } from './durable.ts'
import { spreadOf } from './spread.ts'

/** A run that asks once and ends with the answer, and the one whose steps are measured. */
export interface Programs {
  readonly asking: Program
  readonly stepping: Program
}

export interface AmongFinished {
  readonly finished: number
  /** Microseconds of CPU time. */
  readonly step: number
  /** Milliseconds. */
  readonly runs: number
  readonly decisions: number
  readonly ready: number
}

const AT_ONCE = 500
const WRITERS = 50
const LOOKS = 200
const STEPS = 4_000
const PAGE = 50
const BY = { kind: 'person', name: 'bench' } as const

/** One journal that grows, looked at at each of these sizes. */
export async function amongFinished(
  programs: Programs,
  sizes: readonly number[],
): Promise<readonly AmongFinished[]> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  const home = homeAt(dir)
  mkdirSync(home.dir, { recursive: true })
  try {
    const seen: AmongFinished[] = []
    for (const finished of sizes) {
      const journal = await openSqliteJournal({ file: home.database })
      await finish(journal, programs.asking, { from: seen.at(-1)?.finished ?? 0, to: finished })
      const step = await stepCost(journal, programs.stepping, finished)
      const pages = await pageTimes(journal, home)
      await journal.close()
      seen.push({ finished, step, ...pages, ready: startTime(dir) })
    }
    return seen
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function finish(
  journal: Journal,
  program: Program,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const runs = createRuns(journal)
  await journal.keep(new TextEncoder().encode(JSON.stringify(program)))
  for (let nth = from; nth < to; nth += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, to - nth) }, (_, each) => live(runs, program, `f${nth + each}`)),
    )
}

async function live(runs: Runs, program: Program, run: string): Promise<void> {
  await begin(runs, program, run)
  const question = (await runs.load(run))!.state.current!.question!.id
  const about = { at: Date.now(), question, by: BY, note: '', fields: {} }
  const rest = { edited: null, digest: null, batch: null } as const
  const ended = await runs.execute(run, [{ type: 'decision.answer', ...about, ...rest, pick: 'yes' }])
  if (!('loaded' in ended) || ended.loaded.state.status !== 'ended') throw new Error(JSON.stringify(ended))
}

async function stepCost(journal: Journal, program: Program, round: number): Promise<number> {
  const { ids, step, runs } = await stepsOf(journal, program, { runs: WRITERS, round })
  const some = async (count: number): Promise<number> => {
    const began = cpuTimeMs()
    let left = count
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (left-- > 0) await step()
      }),
    )
    return ((cpuTimeMs() - began) * 1000) / count
  }
  await some(STEPS)
  const least = Math.min(await some(STEPS), await some(STEPS), await some(STEPS))
  const cancel = { type: 'run.cancel', at: Date.now(), by: BY, reason: 'measured' } as const
  await Promise.all(ids.map((run) => runs.execute(run, [cancel])))
  return least
}

async function pageTimes(journal: Journal, home: Home): Promise<Pick<AmongFinished, 'runs' | 'decisions'>> {
  const host = openQuietHost({ journal, home, clock: systemClock, onBug: console.error })
  const compile = () => Promise.resolve({ problems: ['not here'] })
  const ask = createOperations({ host, now: () => systemClock.now(), by: BY, compile })
  const runs = await lookTime(async () => (await ask.runs({ all: true, limit: PAGE })).length)
  const decisions = await lookTime(async () => {
    const page = await ask.decisions.list({ status: 'all', cursor: null, limit: PAGE })
    return 'rows' in page ? page.rows.length : 0
  })
  await host.close()
  return { runs, decisions }
}

async function lookTime(look: () => Promise<number>): Promise<number> {
  const took: number[] = []
  for (let nth = 0; nth < LOOKS; nth++) {
    const began = performance.now()
    if ((await look()) !== PAGE) throw new Error('the page is not there')
    took.push(performance.now() - began)
  }
  return spreadOf(took).p50
}

/** The best of a few: what the host itself needs. */
function startTime(dir: string): number {
  const recover = fileURLToPath(new URL('./recover.js', import.meta.url))
  const once = (): number =>
    (
      JSON.parse(execFileSync(process.execPath, [recover, dir, '0'], { encoding: 'utf8' })) as {
        readyMs: number
      }
    ).readyMs
  return Math.min(once(), once(), once())
}
