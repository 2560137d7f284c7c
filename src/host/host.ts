/**
 * The host: one process that serves a journal. Doors (CLI, HTTP, MCP) speak to this and to nothing below it.
 */
import { mkdirSync } from 'node:fs'
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
import { stepOf } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { type AgentDoor, createAgentDoor } from './agent-door.ts'
import type { AgentProgram } from './agent-program.ts'
import { forgetAnswers } from './answers.ts'
import type { Clock } from './clock.ts'
import { boundsIn } from './confinement/hold.ts'
import type { Surroundings } from './confinement/surroundings.ts'
import type { Tools } from './duty/duty.ts'
import { takeInLeftovers } from './duty/leftovers.ts'
import type { Decisions } from './inbox/decisions.ts'
import { createDesk, recoverSuperseded } from './inbox/desk.ts'
import { changedSince } from './inbox/in-run.ts'
import { createPolicies, type PoliciesRead } from './inbox/policies.ts'
import { followed } from './ledger.ts'
import type { LoadedRun } from './loaded-run.ts'
import { createLog } from './log.ts'
import { type Limits, type Loop, startLoop } from './loop.ts'
import { createRuns, isRun, type Runs, runOf } from './runs.ts'
import { createSeats, type Picked, type Seat, seatName } from './seat.ts'
import { createStandalones } from './standalones.ts'
import { type Started, type StartRequest, startRun } from './start.ts'
import type { Trouble } from './trouble.ts'
import { createWorkplaces } from './workplace.ts'
import { endStaleGit } from './workspace/stale-git.ts'
import { worldOf } from './world.ts'

export interface HostOptions {
  readonly journal: Journal
  readonly clock: Clock
  readonly surroundings: Surroundings
  /** Which program serves a name, for runs of this repository. */
  readonly programFor: (use: string, repo: string) => AgentProgram | null
  /** The scripted agent's program file. */
  readonly scriptedAgent: string
  /** The program file that serves MCP to agents which cannot do HTTP. */
  readonly mcpBridge: string
  readonly version: string
  /** What answers in the user's stead, as it stands now. */
  readonly policies: () => Promise<PoliciesRead>
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
  /** Whether a question still shows what there is; where it does not, it is looked at again. */
  changedSince(run: string, question: string): Promise<Trouble | null>
  discard(run: string, by: Actor): Promise<{ readonly discarded: true } | { readonly problem: string }>
  /** Every decision, for somebody. */
  decisions(by: Actor): Decisions
  /** What an agent reports over MCP. */
  readonly agents: AgentDoor
  /** Whose token it is, for traces; null: of no session that is at work. */
  holderOf(token: string): { readonly run: string; readonly who: string } | null
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
  const closing = new AbortController()
  const tools: Tools = {
    clock,
    upSince: clock.now(),
    closing: closing.signal,
    journal,
    runs,
    standalones: createStandalones(journal),
    seats,
    workplaces: createWorkplaces({ journal, clock, surroundings, registry }),
    log,
    registry,
    surroundings,
    programFor: (use, repo) => withOurOwn(options.programFor(use, repo), options),
    driverFor: driversOf(options, registry),
    mcpUrl: () => mcpUrl,
    mcpBridge: [process.execPath, options.mcpBridge],
    trace: options.trace,
  }
  let loop: Loop | null = null
  const policies = createPolicies({
    journal,
    decisionsAs: (by) => createDesk({ tools, by }),
    read: options.policies,
    now: () => clock.now(),
    tell: (text) => log.write('host', { step: '', visit: 0, who: 'host', kind: 'note', text }),
    onBug: options.onBug,
  })
  const tidying = new Set<Promise<void>>()
  const unfollow = journal.follow((events) => {
    const one = tidy(tools, events).catch(options.onBug)
    tidying.add(one)
    void one.then(() => tidying.delete(one))
  })

  return {
    journal,
    runs,
    work: async () => {
      for (const { pid, name } of await registry.endLeftovers())
        log.write('host', { step: '', visit: 0, who: 'host', kind: 'note', text: `ended ${name} (${pid})` })
      await endStaleGit([home.worktrees, home.grounds])
      // First: what stands in another's place must not end before the other has gone.
      await recoverSuperseded(tools)
      loop = startLoop(tools, { limits: options.limits, onBug: options.onBug })
      await policies.start()
    },
    serveMcpAt: (url) => {
      mcpUrl = url
    },
    start: (request) => {
      const { programFor } = options
      const searchPath = surroundings.environment['PATH'] ?? ''
      const whyNot = (repo: string): string | null => {
        const bounds = boundsIn(surroundings, repo)
        return 'problem' in bounds ? bounds.problem : null
      }
      return startRun({ journal, runs, clock, home, searchPath, programFor, whyNot }, request)
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
    changedSince: async (run, question) => {
      const loaded = await runs.load(run)
      const record = loaded?.book.records[question]
      return loaded === null || record?.status !== 'open'
        ? null
        : changedSince({ tools, record, run }, loaded)
    },
    discard: (run, by) => discard(tools, run, by),
    decisions: (by) => createDesk({ tools, by }),
    agents: createAgentDoor(tools),
    holderOf: (token) => {
      const seat = seats.byToken(token)
      return seat === undefined ? null : { run: seat.run, who: seatName(seat) }
    },
    close: async () => {
      closing.abort()
      await policies.close()
      await loop?.close()
      unfollow()
      await Promise.all(tidying)
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

/** A scripted agent keeps its sessions with us: its sandbox must let it at them. */
function withOurOwn(program: AgentProgram | null, { surroundings }: HostOptions): AgentProgram | null {
  if (program === null || program.driver !== 'scripted' || program.argv.includes('--state')) return program
  const { scripted } = surroundings.home
  mkdirSync(scripted, { recursive: true })
  return { ...program, argv: [...program.argv, '--state', scripted], writes: [scripted] }
}

/** Seats that the run has left are ended, and a person's word on a permission reaches the turn that waits for it. */
async function tidy(tools: Tools, stored: readonly StoredEvent[]): Promise<void> {
  const { seats, runs } = tools
  for (const { stream, data } of stored) {
    const event = data as RunEvent
    if (!isRun(stream)) continue
    const run = runOf(stream)
    if (event.type === 'question.answered' || event.type === 'question.closed')
      await seats.sweep(run, (seat) => {
        const answer = seat.permissions.get(event.question)
        seat.permissions.delete(event.question)
        if (answer === undefined) return true
        if (event.type === 'question.closed') {
          // The request that was open for it is closed with it: that is how its agent hears of it.
          seat.heard.add(event.question)
          answer(null)
        } else permit(tools, seat, { event, answer })
        return true
      })
    if (!LEAVING.has(event.type)) continue
    const current = (await runs.load(run))?.state.current
    await seats.sweep(run, (seat) => isSeated(current, seat))
    // What was broken off before, with nobody at work any more who would take it in.
    if (event.type === 'run.ended') await takeInLeftovers(tools, run)
    const loaded = await runs.load(run)
    if (loaded !== null && isWithPeople(loaded)) await tools.workplaces.leaveToPeople(loaded)
  }
}

/** Nobody but people will look at its files next. */
const isWithPeople = ({ program, state: { status, current } }: LoadedRun): boolean =>
  status === 'ended' || (current !== null && stepOf(program, current.step).kind === 'decide')

/** Not before it is recorded as given: one that was taken back a moment ago is still to be decided. */
function permit(
  { runs, clock }: Tools,
  seat: Seat,
  {
    event,
    answer,
  }: {
    readonly event: Extract<RunEvent, { type: 'question.answered' }>
    readonly answer: (picked: Picked | null) => void
  },
): void {
  const { question } = event
  const session = seat.session?.id ?? null
  const telling = runs
    .tell(seat.run, [{ type: 'question.deliver', at: clock.now(), question, session, via: 'permission' }])
    .then((told) => {
      if (!('loaded' in told)) {
        seat.permissions.set(question, answer)
        return
      }
      const record = told.loaded.book.records[question]
      seat.heard.add(question)
      seat.following = followed(record)
      // By the record: it may have been taken back and answered anew since it was heard of.
      answer(record === undefined ? null : { pick: record.pick, note: record.note })
    })
  seat.telling.add(telling)
  const over = (): boolean => seat.telling.delete(telling)
  telling.then(over, over)
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
  const removed = await tools.workplaces.remove(loaded)
  if ('problem' in removed) return removed
  await forgetAnswers(surroundings.home, run)
  const at = clock.now()
  await runs.tell(run, [{ type: 'run.record', at, facts: [{ type: 'run.discarded', at, by }] }])
  return { discarded: true }
}
