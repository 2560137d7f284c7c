/**
 * The host: one process that serves a journal. Doors (CLI, HTTP, MCP) speak to this and to nothing below it.
 */
import { openProcessRegistry } from '../drivers/index.ts'
import type { Journal } from '../journal/index.ts'
import type { Actor } from '../model/answer.ts'
import type { EraseOrder, EraseReport, PruneOrder, PruneReport } from '../model/api/record.ts'
import type { RunWork } from '../model/api/runs.ts'
import type { RunCommand } from '../model/command.ts'
import type { Refusal, Rejection } from '../model/refusal.ts'
import { type DayLimits, type DaySpending, NO_DAY_LIMITS } from '../model/spending.ts'
import { boundsIn } from './confinement/hold.ts'
import type { ProcessEnvironment } from './confinement/process-environment.ts'
import { type Course, createCourse } from './course/course.ts'
import { createLongActs } from './course/long-acts.ts'
import { workOf } from './course/work.ts'
import { type DiscardOrder, discard } from './discard.ts'
import { type Limits, type Loop, startLoop } from './duty/loop.ts'
import { patientJournal, patientRuns, patientStandalones, patientWorkplaces } from './duty/patience.ts'
import type { Decisions } from './inbox/decisions.ts'
import { createDesk } from './inbox/desk.ts'
import { createPolicies, type PoliciesRead } from './inbox/policies.ts'
import { createStandalones } from './inbox/standalones.ts'
import type { Clock } from './machine/clock.ts'
import { createLog } from './machine/log.ts'
import { createStorage, type Storage } from './machine/storage.ts'
import type { SaidCommands } from './project/commands-of-run.ts'
import { erase } from './record/erase.ts'
import { prune } from './record/prune.ts'
import { recoverFromEarlierHost } from './recover-from-earlier-host.ts'
import { createRepositories, type Repositories, type RepositoryNeeds } from './repository/repositories.ts'
import type { LoadedRun } from './runs/loaded-run.ts'
import { createRuns, type Runs } from './runs/runs.ts'
import {
  orderProblem,
  prepareStart,
  type Started,
  type Starting,
  type StartRequest,
  startRun,
} from './runs/start.ts'
import { type AgentDoor, createAgentDoor } from './session/agent-door.ts'
import type { AgentProgram } from './session/agent-program.ts'
import { createDriverFor } from './session/driver-for.ts'
import type { Edges } from './session/edges.ts'
import { withOwnFolder } from './session/own-folder.ts'
import { wireName } from './session/seat.ts'
import { createSessions } from './session/sessions.ts'
import { createDayLimit } from './spending/day-limit.ts'
import { tellAlteredOnce } from './streams/apart.ts'
import { followTidying } from './tidy.ts'
import { createWorkplaces } from './workspace/workplaces.ts'

export interface HostOptions {
  readonly journal: Journal
  readonly clock: Clock
  readonly processEnvironment: ProcessEnvironment
  /** Which program serves a name, for runs of this repository. */
  readonly programFor: (use: string, repo: string) => AgentProgram | null
  /** The folder of issues that the config of this repository names; left out: none is named. */
  readonly issueFolderFor?: (repo: string) => string | null
  /** What the config says of the commands of this repository; left out: nothing. */
  readonly commandsFor?: (repo: string) => SaidCommands
  /** The scripted agent's program file. */
  readonly scriptedAgent: string
  /** The program file that serves MCP to agents which cannot do HTTP. */
  readonly mcpBridge: string
  readonly version: string
  /** What answers in the user's stead, as it stands now. */
  readonly policies: () => Promise<PoliciesRead>
  readonly limits: Limits
  /** What all runs of a day may use together; left out: as much as they like. */
  readonly dayLimits?: DayLimits
  readonly trace: Edges['trace']
  /** Told of bugs: what no event can say. */
  readonly onBug: (error: unknown) => void
  /** Told in a sentence when the disk fails, and when it works again. */
  readonly onStorage?: (sentence: string) => void
  /** Told once, when the home was taken away: then there is nothing to go on with. */
  readonly onGone?: (sentence: string) => void
}

export interface Host {
  readonly journal: Journal
  readonly runs: Runs
  /** What it writes on. */
  readonly storage: Storage
  /** Ends what an earlier host left running, then begins to work. */
  work(): Promise<void>
  serveMcpAt(url: string): void
  start(request: StartRequest): Promise<Started>
  preflight(request: StartRequest): ReturnType<typeof prepareStart>
  /** Why nothing is compiled or started by this order; null where it may be. */
  orderProblem(order: Pick<StartRequest, 'dir' | 'runbook'>): Promise<string | null>
  /** The user's, on the word of whoever may start runs in them. */
  repositories(needs: Pick<RepositoryNeeds, 'runbooksIn' | 'startedIn'>): Repositories
  command(
    run: string,
    command: RunCommand,
  ): Promise<{ readonly loaded: LoadedRun } | { readonly refusal: Refusal }>
  discard(run: string, order: DiscardOrder): Promise<{ readonly discarded: true } | Rejection>
  /** How its work stands to the branch it came from; null where that cannot be told. */
  workOf(loaded: LoadedRun): Promise<RunWork | null>
  /** Takes ended runs out of the record and off the disk. */
  prune(order: PruneOrder, by: Actor): Promise<PruneReport>
  erase(order: EraseOrder, by: Actor): Promise<EraseReport | Rejection>
  /** Every decision, for somebody. */
  decisions(by: Actor): Decisions
  /** What becomes of runs' work, for somebody. */
  course(by: Actor): Course
  /** What all runs have used today, and may. */
  spending(): Promise<DaySpending>
  /** What an agent reports over MCP. */
  readonly agents: AgentDoor
  /** Whose token it is, for traces; null: of no session that is at work. */
  holderOf(token: string): { readonly run: string; readonly who: string } | null
  close(): Promise<void>
}

/** An agent waits so long to be told that its word is kept; some are cut off after a minute. */
const AGENTS_WAIT_MS = 20_000

export function openHost(options: HostOptions): Host {
  const { journal, clock, processEnvironment } = options
  const { home } = processEnvironment
  const runs = createRuns(journal)
  const standalones = createStandalones(journal)
  const registry = openProcessRegistry({ dir: home.processes })
  const log = createLog({ dir: home.logs, clock })
  let mcpUrl: string | null = null
  const closing = new AbortController()
  const note = (text: string): void =>
    log.write('host', { step: '', visit: 0, who: 'host', kind: 'note', text })
  const storage = createStorage({
    clock,
    closing: closing.signal,
    whyGone: () => journal.whyGone(),
    say: (sentence) => {
      options.onStorage?.(sentence)
      // A log would bring back a home that was taken away.
      if (journal.whyGone() === null) note(sentence)
    },
    onGone: (sentence) => options.onGone?.(sentence),
  })
  const patiently: Storage['patiently'] = (act) => storage.patiently(act)
  const briefly: Storage['patiently'] = (act) => storage.patiently(act, AGENTS_WAIT_MS)
  const onBug = tellAlteredOnce((error) => {
    if (!storage.isToBlame(error)) options.onBug(error)
  })
  const { issueFolderFor = () => null } = options
  const workplaces = createWorkplaces({ journal, clock, processEnvironment, registry, issueFolderFor })
  const { dayLimits = NO_DAY_LIMITS } = options
  const dutiful = {
    runs: patientRuns(runs, patiently),
    standalones: patientStandalones(standalones, patiently),
  }
  const dayLimit = createDayLimit({ journal, ...dutiful, clock, limits: dayLimits, onBug })
  const edges: Edges = {
    clock,
    closedUntil: dayLimit.closedUntil,
    upSince: clock.now(),
    closing: closing.signal,
    storage,
    journal: patientJournal(journal, patiently),
    runs: dutiful.runs,
    workplaces: patientWorkplaces(workplaces, { patiently, home, closing: closing.signal }),
    log,
    registry,
    processEnvironment,
    programFor: (use, repo) => withOwnFolder(options.programFor(use, repo), home),
    driverFor: createDriverFor({ ...options, registry }),
    mcpUrl: () => mcpUrl,
    mcpBridge: [process.execPath, options.mcpBridge],
    trace: options.trace,
  }
  const sessions = createSessions(edges)
  const tools = { ...edges, journal, standalones: dutiful.standalones, sessions, others: sessions }
  const atDoors = { ...tools, runs, standalones, workplaces }
  let loop: Loop | null = null
  const policies = createPolicies({
    journal,
    decisionsAs: (by) => createDesk({ tools, by }),
    read: options.policies,
    now: () => clock.now(),
    note,
    onBug,
  })
  const taking = { ...atDoors, onBug, quiet: async (run: string) => loop?.quiet(run) }
  const longActs = createLongActs(clock)
  const starting: Starting = {
    ...{ journal, runs, clock, home, programFor: options.programFor, issueFolderFor },
    searchPath: processEnvironment.environment['PATH'] ?? '',
    commandsFor: options.commandsFor ?? (() => ({})),
    whyNot: (repo) => problemIn(boundsIn(processEnvironment, repo)),
  }
  const tidying = followTidying({ ...tools, onBug })

  return {
    journal,
    runs,
    storage,
    work: async () => {
      await recoverFromEarlierHost({ retrying: { ...tools, home, onBug }, direct: taking, note })
      loop = startLoop(tools, { limits: options.limits, onBug })
      await policies.start()
      await dayLimit.start()
    },
    serveMcpAt: (url) => {
      mcpUrl = url
    },
    start: (request) => startRun(starting, request),
    preflight: (request) => prepareStart(starting, request),
    orderProblem: (order) => orderProblem(order, home),
    repositories: (asked) => createRepositories({ journal, home, issueFolderFor, ...asked }),
    command: async (run, command) => {
      const executed = await runs.execute(run, [command])
      if ('lost' in executed) throw new Error('a command without a claim lost one')
      return executed
    },
    discard: (run, order) => discard(atDoors, run, order),
    workOf: (loaded) => workOf(home, loaded),
    prune: (order, by) => prune(atDoors, order, by),
    erase: (order, by) => erase(atDoors, order, by),
    decisions: (by) => createDesk({ tools: atDoors, by }),
    course: (by) => createCourse({ needs: taking, longActs, by }),
    spending: dayLimit.look,
    agents: createAgentDoor({ ...edges, runs: patientRuns(runs, briefly) }, sessions),
    holderOf: (token) => {
      const seat = sessions.byToken(token)?.seat
      return seat === undefined ? null : { run: seat.run, who: wireName(seat) }
    },
    close: async () => {
      closing.abort()
      await policies.close()
      await dayLimit.close()
      await loop?.close()
      await tidying.close()
      await log.flush()
    },
  }
}

const problemIn = (found: object): string | null => ('problem' in found ? String(found.problem) : null)
