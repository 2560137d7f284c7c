/**
 * Where a case is tried: a real host with its doors on a home of its own, a small repository for each case, and whatever
 * agent was named. The first question of its own that the agent raises decides, or the end of its run.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { SandboxEngine } from '../../src/drivers/index.ts'
import { createProcessEnvironment } from '../../src/host/confinement/process-environment.ts'
import { type Host, openHost } from '../../src/host/host.ts'
import { systemClock } from '../../src/host/machine/clock.ts'
import { homeAt } from '../../src/host/machine/home.ts'
import { createOperations } from '../../src/host/operations.ts'
import type { AgentProgram } from '../../src/host/session/agent-program.ts'
import { keysAt } from '../../src/http/keys.fixture.ts'
import { startServer } from '../../src/http/server.ts'
import { openSqliteJournal } from '../../src/journal/index.ts'
import { createMcpDoor } from '../../src/mcp/door.ts'
import { PERMISSION_KIND } from '../../src/model/decision.ts'
import type { RunEvent } from '../../src/model/event.ts'
import type { Program } from '../../src/model/program.ts'
import { compileSource } from '../../src/runbook/compile.ts'
import type { TriggerCase } from './cases.ts'
import type { Tried } from './report.ts'

export interface StageOptions {
  readonly program: AgentProgram
  readonly scriptedAgent: string
  readonly mcpBridge: string
  readonly engine: SandboxEngine | null
  readonly environment: Readonly<Record<string, string>>
  readonly timeLimitMs: number
}

export interface Stage {
  try(one: TriggerCase): Promise<Tried>
  close(): Promise<void>
}

const BENCH = { kind: 'person', name: 'bench' } as const

export async function openStage(options: StageOptions): Promise<Stage> {
  const ground = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-trigger-')))
  const home = homeAt(join(ground, 'home'))
  mkdirSync(home.dir)
  const journal = await openSqliteJournal({ file: home.database })
  const { engine, environment, scriptedAgent, mcpBridge } = options
  const host = openHost({
    journal,
    clock: systemClock,
    processEnvironment: createProcessEnvironment({
      home,
      environment,
      engine,
      programs: [scriptedAgent, mcpBridge],
    }),
    programFor: () => options.program,
    scriptedAgent,
    mcpBridge,
    version: '0',
    policies: async () => ({ policies: [], problem: null }),
    limits: { agents: 2, commands: 2 },
    trace: null,
    onBug: (error) => console.error(error),
  })
  const doors = await openDoors(host)
  await host.work()
  const runbook = compiled(options.timeLimitMs)
  return {
    try: async (one) => {
      const dir = createRepository(join(ground, one.id), one.files)
      const request = { program: runbook, runbook: 'trigger', dir, base: null, issue: null, by: BENCH }
      const started = await host.start({ ...request, vars: { task: one.task } })
      if ('problems' in started) return { kind: 'broken', why: started.problems.join(' ') }
      const { run } = started.loaded
      const tried = await outcome(host, run)
      await host.command(run, { type: 'run.cancel', at: systemClock.now(), by: BENCH, reason: 'seen enough' })
      return tried
    },
    close: async () => {
      await host.close()
      await doors.close()
      await journal.close()
      rmSync(ground, { recursive: true, force: true })
    },
  }
}

/** The agent's own question, or the end. */
async function outcome(host: Host, run: string): Promise<Tried> {
  let wake = (): void => {}
  const stop = host.journal.follow((events) => {
    if (events.some(({ stream }) => stream === `run/${run}`)) wake()
  })
  const seen = new Set<string>()
  for (;;) {
    const next = new Promise<void>((resolve) => {
      wake = resolve
    })
    const events = (await host.runs.events(run)).map(({ data }) => data as RunEvent)
    const tried = triedIn(events)
    if (tried !== null) {
      stop()
      return tried
    }
    await refusePermissions(host, run, seen)
    await next
  }
}

function triedIn(events: readonly RunEvent[]): Tried | null {
  for (const event of events) {
    if (
      event.type === 'question.opened' &&
      event.cause === 'agent' &&
      event.decision?.kind !== PERMISSION_KIND
    ) {
      const proven = events.find(
        (each) => each.type === 'decision.proven' && each.question === event.question,
      )
      const dictated = proven?.type === 'decision.proven' ? proven.proof.dictated : []
      return { kind: 'asked', headline: event.decision?.headline ?? '', dictated }
    }
    if (event.type === 'run.ended') return endOf(events, event.end)
  }
  return null
}

function endOf(events: readonly RunEvent[], end: string): Tried {
  if (end === 'done') return { kind: 'quiet' }
  const fault = events.findLast((event) => event.type === 'member.faulted')
  const why =
    fault?.type === 'member.faulted' ? `${fault.fault}: ${fault.detail.slice(0, 200)}` : 'it gave up'
  return { kind: 'broken', why }
}

/** What an agent wants to do outside a sandbox is not what is measured here. */
async function refusePermissions(host: Host, run: string, seen: Set<string>): Promise<void> {
  const decisions = host.decisions(BENCH)
  const page = await decisions.list({ status: 'open', run, kind: PERMISSION_KIND, cursor: null, limit: 100 })
  for (const { id, digest } of 'problem' in page ? [] : page.rows) {
    if (seen.has(id)) continue
    seen.add(id)
    const plain = { note: '', fields: {}, edited: null, together: false }
    await decisions.answer(id, { pick: 'reject_once', digest, ...plain })
  }
}

async function openDoors(host: Host): Promise<{ close(): Promise<void> }> {
  const mcp = createMcpDoor({ agents: host.agents, version: '0' })
  const compile = () => Promise.resolve({ problems: ['not here'] })
  const server = await startServer({
    operationsFor: (by) => createOperations({ host, now: () => systemClock.now(), by, compile }),
    keys: keysAt(homeAt(mkdtempSync(join(tmpdir(), 'signalbox-bench-'))), {
      owner: BENCH.name,
      agents: host.agents,
    }),
    version: '0',
    port: 0,
    mcp,
  })
  if ('problem' in server) throw new Error(server.problem)
  host.serveMcpAt(`${server.url}/mcp`)
  return {
    close: async () => {
      await mcp.close()
      await server.close()
    },
  }
}

function createRepository(dir: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(dir)
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', dir, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      stdio: 'ignore',
    })
  }
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@example.com')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  return dir
}

function compiled(timeLimitMs: number): Program {
  const text = `runbook: 1
name: trigger
vars: { task: { required: true } }
agents: { solver: { use: default } }
steps:
  solve:
    agent: solver
    prompt: "\${var.task}"
    time: ${Math.ceil(timeLimitMs / 1000)}s
    asks: result
    options:
      finished: { say: The task is done, to: done, recommended: true }
      gave_up: { say: The task cannot be done, to: abandoned }
    on: { failed: abandoned, stalled: abandoned, timed_out: abandoned, invalid: abandoned }
`
  const { program, diagnostics } = compileSource({ file: 'trigger.yaml', text }, () => ({
    kind: 'unreadable',
    why: 'is not there',
  }))
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return program
}
