/** Ten thousand runs that wait for a person, and a host that starts among them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { homeAt } from '../src/host/machine/home.ts'
import { createRuns } from '../src/host/runs/runs.ts'
import { openSqliteJournal } from '../src/journal/index.ts'
import type { Program } from '../src/model/program.ts'
import { begin } from './durable.ts'

export interface Waiting {
  readonly readyMs: number
  readonly rssMb: number
  readonly cpuMs: number
}

export async function waitingRuns(program: Program, count: number): Promise<Waiting> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const home = homeAt(dir)
    mkdirSync(home.dir, { recursive: true })
    const journal = await openSqliteJournal({ file: home.database })
    const runs = createRuns(journal)
    await journal.keep(new TextEncoder().encode(JSON.stringify(program)))
    const ids = Array.from({ length: count }, (_, index) => `w${index}`)
    await Promise.all(ids.map((run) => begin(runs, program, run)))
    await journal.close()
    const recover = fileURLToPath(new URL('./recover.js', import.meta.url))
    return JSON.parse(execFileSync(process.execPath, [recover, dir], { encoding: 'utf8' })) as Waiting
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Starts Node and little else. */
export const BARE = ['--version']

/** The best of a few starts: what the command itself needs. */
export function startUpMs(args: readonly string[]): number {
  const command = fileURLToPath(new URL('../../bin/signalbox', import.meta.url))
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 10; round++) {
    const began = performance.now()
    execFileSync(command, args, { stdio: 'ignore' })
    least = Math.min(least, performance.now() - began)
  }
  return least
}
