/** How soon a person's answer is on the wire to the agent that asked and sleeps: a real process, a real repository. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { decisionId } from '../src/engine/index.ts'
import { NO_KEEPS } from '../src/host/confinement/keeps/keeps.ts'
import { createProcessEnvironment } from '../src/host/confinement/process-environment.ts'
import { type Host, openHost } from '../src/host/host.ts'
import { systemClock } from '../src/host/machine/clock.ts'
import { homeAt } from '../src/host/machine/home.ts'
import { createOperations } from '../src/host/operations.ts'
import { keysAt } from '../src/http/keys.fixture.ts'
import { startServer } from '../src/http/server.ts'
import { openSqliteJournal } from '../src/journal/index.ts'
import { createMcpDoor } from '../src/mcp/door.ts'
import { EXAMPLE_DECISION } from '../src/model/decision.ts'
import type { Program } from '../src/model/program.ts'
import { type Spread, spreadOf } from './spread.ts'

/** An agent that asks, and asks again as soon as it is answered. */
export const ASKING = `runbook: 1
name: asking
agents: { dev: { use: default, questions: 50 } }
steps: { work: { agent: dev, prompt: Ask., next: done } }
`
const RUNS = 3
const ROUNDS_A_RUN = 40
const BY = { kind: 'person', name: 'bench' } as const
const ANSWER = { pick: 'sqlite', note: '', fields: {}, edited: null, digest: null, together: false } as const

export interface AnswerTimes extends Spread {
  readonly rounds: number
}

/** Milliseconds from the call that answers until the session is prompted. */
export async function answerToPrompt(program: Program): Promise<AnswerTimes> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-bench-')))
  const wire = createWire()
  const host = await openHostIn(dir, wire)
  const took: number[] = []
  try {
    for (let run = 0; run < RUNS; run++) took.push(...(await roundsOf(host, program, { dir, wire })))
  } finally {
    await host.close()
    rmSync(dir, { recursive: true, force: true })
  }
  // The first few meet code that was never run.
  const warm = took.slice(5)
  return { ...spreadOf(warm), rounds: warm.length }
}

async function roundsOf(
  { host }: OpenHost,
  program: Program,
  { dir, wire }: { readonly dir: string; readonly wire: Wire },
): Promise<number[]> {
  const order = { program, runbook: 'asking.yaml', dir: join(dir, 'repo'), base: null, issue: null, vars: {} }
  let asleep = wire.turnEnded()
  const started = await host.start({ ...order, by: BY })
  if ('problems' in started) throw new Error(started.problems.join('\n'))
  const { run } = started.loaded
  const took: number[] = []
  for (let round = 1; round <= ROUNDS_A_RUN; round++) {
    await asleep
    // Whoever else heard of the end of the turn has done with it.
    await nextTurn()
    const prompted = wire.prompted()
    asleep = wire.turnEnded()
    const began = performance.now()
    const answered = await host.decisions(BY).answer(decisionId(`run/${run}`, `work#1.0?${round}`), ANSWER)
    if ('problem' in answered) throw new Error(answered.problem)
    took.push((await prompted) - began)
  }
  await asleep
  await host.command(run, { type: 'run.cancel', at: systemClock.now(), by: BY, reason: 'measured' })
  return took
}

/** What passes between host and agent, at the moment it does. */
interface Wire {
  hear(direction: 'in' | 'out', message: unknown): void
  prompted(): Promise<number>
  turnEnded(): Promise<void>
}

function createWire(): Wire {
  let onPrompt = (_at: number): void => {}
  let onEnd = (): void => {}
  return {
    hear: (direction, message) => {
      const { method, result } = message as { method?: string; result?: { stopReason?: string } }
      if (direction === 'out' && method === 'session/prompt') onPrompt(performance.now())
      if (direction === 'in' && result?.stopReason !== undefined) onEnd()
    },
    prompted: () =>
      new Promise((resolve) => {
        onPrompt = resolve
      }),
    turnEnded: () =>
      new Promise((resolve) => {
        onEnd = resolve
      }),
  }
}

interface OpenHost {
  readonly host: Host
  close(): Promise<void>
}

async function openHostIn(dir: string, wire: Wire): Promise<OpenHost> {
  const home = homeAt(join(dir, 'home'))
  mkdirSync(home.dir)
  createRepository(join(dir, 'repo'))
  const ask = { tool: { name: 'create_decision', arguments: EXAMPLE_DECISION } }
  const script = join(dir, 'script.json')
  writeFileSync(script, JSON.stringify({ sessions: [{ when: {}, turns: [[{ run: 'true' }, ask]] }] }))
  const journal = await openSqliteJournal({ file: home.database })
  const { PATH = '' } = process.env
  const host = openHost({
    journal,
    clock: systemClock,
    processEnvironment: createProcessEnvironment({ home, environment: { PATH }, engine: null }),
    programFor: () => ({
      name: 'scripted',
      driver: 'scripted',
      argv: ['--script', script],
      prompt: 'stdin',
      env: {},
      keeps: NO_KEEPS,
      permissions: 'ask',
      install: '',
    }),
    policies: async () => ({ policies: [], problem: null }),
    scriptedAgent: built('scripted-agent.js'),
    mcpBridge: built('mcp-bridge.js'),
    version: '0',
    limits: { agents: 4, commands: 2 },
    trace: (_run, _who, direction, message) => wire.hear(direction, message),
    onBug: console.error,
  })
  const closeDoors = await openDoors(host)
  await host.work()
  return {
    host,
    close: async () => {
      await host.close()
      await closeDoors()
      await journal.close()
    },
  }
}

/** This page is built into dist/bench/. */
const built = (file: string): string => fileURLToPath(new URL(`../drivers/${file}`, import.meta.url))

async function openDoors(host: Host): Promise<() => Promise<void>> {
  const mcp = createMcpDoor({ agents: host.agents, version: '0' })
  const compile = () => Promise.resolve({ problems: ['not here'] })
  const server = await startServer({
    operationsFor: (by) => createOperations({ host, now: () => systemClock.now(), by, compile }),
    keys: keysAt(homeAt(mkdtempSync(join(tmpdir(), 'signalbox-bench-'))), {
      owner: BY.name,
      agents: host.agents,
    }),
    version: '0',
    port: 0,
    mcp,
  })
  if ('problem' in server) throw new Error(server.problem)
  host.serveMcpAt(`${server.url}/mcp`)
  return async () => {
    await mcp.close()
    await server.close()
  }
}

function createRepository(dir: string): void {
  mkdirSync(dir)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: dir })
  git('init', '--quiet', '--initial-branch=main')
  writeFileSync(join(dir, 'README.md'), 'Mind the gap.\n')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'the beginning')
}
