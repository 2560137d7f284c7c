/**
 * The host: one process that serves a journal. Doors (CLI, HTTP, MCP) speak to this and to nothing below it.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  createAcpDriver,
  createCommandDriver,
  createScriptedDriver,
  type Driver,
  openProcessRegistry,
} from '../drivers/index.ts'
import { type QuestionCard, questionsOf } from '../engine/index.ts'
import type { Journal, StoredEvent } from '../journal/index.ts'
import type { Actor } from '../model/answer.ts'
import type { RunCommand } from '../model/command.ts'
import type { RunEvent } from '../model/event.ts'
import type { Refusal } from '../model/refusal.ts'
import { type AgentDoor, createAgentDoor } from './agent-door.ts'
import type { AgentProgram } from './agent-program.ts'
import { forgetAnswers } from './answers.ts'
import type { Clock } from './clock.ts'
import { ledgerStep, type Tools } from './duty/duty.ts'
import { takeInLeftovers } from './duty/leftovers.ts'
import { permissionPicked } from './duty/open-session.ts'
import type { Home } from './home.ts'
import { deliver } from './ledger.ts'
import { createLog } from './log.ts'
import { type Limits, type Loop, startLoop } from './loop.ts'
import { createRuns, type LoadedRun, type Runs, runOf } from './runs.ts'
import { createSeats, type Seat } from './seat.ts'
import { type Started, type StartRequest, startRun } from './start.ts'
import type { Surroundings } from './surroundings.ts'
import { createWorkplaces } from './workplace.ts'
import { endStaleGit } from './workspace/stale-git.ts'
import { removeWorktree } from './workspace/worktree.ts'
import { worldOf } from './world.ts'

export interface HostOptions {
  readonly journal: Journal
  readonly clock: Clock
  readonly surroundings: Surroundings
  /** Which program serves a name, for runs of this repository. */
  readonly programFor: (use: string, repo: string) => AgentProgram | null
  /** The scripted agent's program file. */
  readonly scriptedAgent: string
  readonly version: string
  readonly limits: Limits
  readonly trace: Tools['trace']
  /** Told of bugs: what no event can say. */
  readonly onBug: (error: unknown) => void
}

export interface Host {
  readonly journal: Journal
  readonly runs: Runs
  /** Ends what an earlier host left running, then begins to work. */
  work(): Promise<void>
  serveMcpAt(url: string): void
  start(request: StartRequest): Promise<Started>
  command(
    run: string,
    command: RunCommand,
  ): Promise<{ readonly loaded: LoadedRun } | { readonly refusal: Refusal }>
  questions(run: string): Promise<readonly QuestionCard[]>
  discard(run: string, by: Actor): Promise<{ readonly discarded: true } | { readonly problem: string }>
  /** What an agent reports over MCP. */
  readonly agents: AgentDoor
  close(): Promise<void>
}

export function openHost(options: HostOptions): Host {
  const { journal, clock, surroundings } = options
  const { home } = surroundings
  const runs = createRuns(journal)
  const seats = createSeats()
  const registry = openProcessRegistry({ dir: home.processes })
  const log = createLog({ dir: home.logs, clock })
  let mcpUrl: string | null = null
  const tools: Tools = {
    clock,
    journal,
    runs,
    seats,
    workplaces: createWorkplaces({ journal, clock }),
    log,
    registry,
    surroundings,
    programFor: (use, repo) =>
      withOurOwn(options.programFor(use, repo), { home, scriptedAgent: options.scriptedAgent }),
    driverFor: driversOf(options, registry),
    mcpUrl: () => mcpUrl,
    trace: options.trace,
  }
  let loop: Loop | null = null
  const unfollow = journal.follow((events) => {
    tidy(tools, events).catch(options.onBug)
  })

  return {
    journal,
    runs,
    work: async () => {
      for (const { pid, name } of await registry.endLeftovers())
        log.write('host', { step: '', visit: 0, who: 'host', kind: 'note', text: `ended ${name} (${pid})` })
      await endStaleGit(home.worktrees)
      loop = startLoop(tools, { limits: options.limits, onBug: options.onBug })
    },
    serveMcpAt: (url) => {
      mcpUrl = url
    },
    start: (request) => {
      const { programFor } = options
      const searchPath = surroundings.environment['PATH'] ?? ''
      return startRun({ journal, runs, clock, home, searchPath, programFor }, request)
    },
    command: async (run, command) => {
      const told = await runs.tell(run, [command])
      if ('lost' in told) throw new Error('a command without a claim lost one')
      return told
    },
    questions: async (run) => {
      const loaded = await runs.load(run)
      return loaded === null ? [] : questionsOf(loaded.program, loaded.state, worldOf(loaded))
    },
    discard: (run, by) => discard(tools, run, by),
    agents: createAgentDoor(tools),
    close: async () => {
      await loop?.close()
      unfollow()
      await log.flush()
    },
  }
}

function driversOf(
  { scriptedAgent, version }: HostOptions,
  registry: Tools['registry'],
): (program: AgentProgram) => Driver {
  const acp = createAcpDriver({ registry, version })
  const scripted = createScriptedDriver({ registry, version, agentFile: scriptedAgent })
  return ({ driver, prompt }) =>
    driver === 'acp' ? acp : driver === 'scripted' ? scripted : createCommandDriver({ registry, prompt })
}

/** A scripted agent keeps its sessions with us, and is a part of Signalbox: its sandbox must let it at both. */
function withOurOwn(
  program: AgentProgram | null,
  { home, scriptedAgent }: { readonly home: Home; readonly scriptedAgent: string },
): AgentProgram | null {
  if (program?.driver !== 'scripted') return program
  // Built, it stands in dist/drivers/ of the package, whose other parts it needs.
  const reads = [dirname(dirname(dirname(scriptedAgent)))]
  if (program.argv.includes('--state')) return { ...program, reads }
  const { scripted } = home
  mkdirSync(scripted, { recursive: true })
  return {
    ...program,
    reads,
    argv: [...program.argv, '--state', scripted],
    keeps: [...program.keeps, scripted],
  }
}

/** Seats that the run has left are ended, and a person's word on a permission reaches the turn that waits for it. */
async function tidy(tools: Tools, stored: readonly StoredEvent[]): Promise<void> {
  const { seats, runs, clock } = tools
  for (const { stream, data } of stored) {
    const event = data as RunEvent
    const run = runOf(stream)
    if (event.type === 'question.answered' || event.type === 'question.closed')
      await seats.sweep(run, (seat) => {
        const answer = seat.permissions.get(event.question)
        seat.permissions.delete(event.question)
        if (answer === undefined) return true
        if (event.type === 'question.answered') {
          seat.permitted = true
          const session = seat.session?.id ?? null
          ledgerStep(tools, seat, deliver(event.question, { at: clock.now(), session, via: 'permission' }))
        }
        answer(event.type === 'question.answered' ? permissionPicked(event.pick) : null)
        return true
      })
    if (!LEAVING.has(event.type)) continue
    const current = (await runs.load(run))?.state.current
    await seats.sweep(run, (seat) => isSeated(current, seat))
  }
}

const LEAVING: ReadonlySet<RunEvent['type']> = new Set([
  'visit.left',
  'run.moved',
  'run.ended',
  'member.faulted',
])

function isSeated(current: LoadedRun['state']['current'] | undefined, seat: Seat): boolean {
  if (current?.step !== seat.step || current.number !== seat.visit) return false
  const status = current.members[seat.member]?.status
  return status === 'working' || status === 'gating' || status === 'parked'
}

async function discard(
  tools: Tools,
  run: string,
  by: Actor,
): Promise<{ readonly discarded: true } | { readonly problem: string }> {
  const { runs, clock, surroundings } = tools
  const loaded = await runs.load(run)
  if (loaded === null) return { problem: `There is no run ${run}.` }
  if (loaded.state.status !== 'ended')
    return { problem: `Run ${run} is still going on. Cancel it first: signalbox cancel ${run}` }
  await tools.seats.sweep(run, () => false)
  if (!loaded.discarded) await takeInLeftovers(tools, run)
  const { repo, branch, worktree } = loaded.placed.placement
  const removed = await removeWorktree({ repo, branch, path: worktree, force: true })
  if ('problem' in removed) return removed
  await forgetAnswers(surroundings.home, run)
  const at = clock.now()
  await runs.tell(run, [{ type: 'run.record', at, facts: [{ type: 'run.discarded', at, by }] }])
  return { discarded: true }
}
