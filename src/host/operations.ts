/**
 * What can be asked of Signalbox about runs, as data in and out: the host answers it directly, and a door can carry it
 * to another process and back. Every door (CLI, HTTP, later the browser) has these words and no others.
 */
import { questionsOf } from '../engine/index.ts'
import type { JournalReader, StoredEvent } from '../journal/index.ts'
import type { Actor } from '../model/answer.ts'
import type { HistoryQuery, RunHistory } from '../model/api/history.ts'
import type {
  EraseOrder,
  EraseReport,
  PruneOrder,
  PruneReport,
  RecordHeads,
  Tombstone,
} from '../model/api/record.ts'
import type { RunbookText, StartPlan } from '../model/api/repositories.ts'
import type { Action, RunDetail, StartOrder } from '../model/api/runs.ts'
import type { RunCommand } from '../model/command.ts'
import type { Program } from '../model/program.ts'
import type { Rejection } from '../model/refusal.ts'
import type { DaySpending } from '../model/spending.ts'
import type { StorageFailure } from '../model/storage-failure.ts'
import type { Course } from './course/course.ts'
import type { Host } from './host.ts'
import type { Decisions } from './inbox/decisions.ts'
import { storageFailureOf } from './machine/storage.ts'
import { listTombstones } from './record/tombstones.ts'
import type { Repositories, RepositoryNeeds } from './repository/repositories.ts'
import { runbookTextOf } from './repository/runbook-text.ts'
import { findRun } from './runs/find-run.ts'
import { noRun } from './runs/no-run.ts'
import { RUNS, type RunRow } from './runs/projection.ts'
import { listRuns, type RunQuery } from './runs/run-list.ts'
import { streamOf } from './runs/runs.ts'
import { worldOf } from './runs/world.ts'

export type { Action, Rejection, RunDetail, StartOrder, StoredEvent }

export interface Operations {
  runs(query: RunQuery): Promise<readonly RunRow[]>
  /** The one run whose id begins so. */
  find(prefix: string): Promise<{ readonly run: string } | Rejection>
  show(run: string): Promise<RunDetail | Rejection>
  events(run: string, afterVersion: number): Promise<readonly StoredEvent[]>
  /** What runs on an issue left, latest first. */
  history(query: HistoryQuery): Promise<readonly RunHistory[]>
  /** Of everything, in the journal's order. */
  eventsAfter(position: number, limit: number): Promise<readonly StoredEvent[]>
  /** Everything from now on, once it is durable. Null: something may have been missed; read again. */
  follow(listener: (event: StoredEvent | null) => void): () => void
  /**
   * The program is handed in by whoever has compiled it in this very process. Another process compiles it itself: a host
   * believes nobody's program but its own.
   */
  start(order: StartOrder, compiled?: Program): Promise<{ readonly run: string } | Unstarted>
  /** What starting it would come to, or be refused with. */
  preflight(order: StartOrder): Promise<StartPlan>
  /** The text of the runbook that it was started with, as its file is now. */
  runbook(run: string): Promise<RunbookText | Rejection>
  /** Where a run can be started, and on what. */
  readonly repositories: Repositories
  act(run: string, action: Action): Promise<{ readonly done: true } | Rejection>
  /** Every question that was put to people, in runs and outside. */
  readonly decisions: Decisions
  /** What becomes of a run's work. */
  readonly course: Course
  /** What all runs have used today, and may. */
  spending(): Promise<DaySpending>
  kept(digest: string): Promise<Uint8Array | null>
  /** Where every stream ends. */
  heads(): Promise<RecordHeads>
  /** What was taken out of the record. */
  tombstones(): Promise<readonly Tombstone[]>
  prune(order: PruneOrder): Promise<PruneReport>
  erase(order: EraseOrder): Promise<EraseReport | Rejection>
}

export interface Unstarted {
  readonly problems: readonly string[]
  /** Where it is not the order that is wrong, or only its issue or its base. */
  readonly code?: StorageFailure['code'] | 'issue-not-ready' | 'unknown-base'
}

export interface OperationsOptions {
  readonly host: Host
  readonly now: () => number
  /** Who is at the door. */
  readonly by: Actor
  /** Reads the runbook of an order from its file: hosts know programs, and no files of them. */
  readonly compile: (runbook: string) => Promise<{ readonly program: Program } | Unstarted>
  /** What else speaks against starting a run in this folder, such as a config that is wrong. */
  readonly objections?: (dir: string) => Promise<readonly string[]>
  /** The runbooks that stand in a repository; none where nobody says. */
  readonly runbooksIn?: RepositoryNeeds['runbooksIn']
  /** Where the host was started, which may be a repository. */
  readonly startedIn?: string
}

export function createOperations(options: OperationsOptions): Operations {
  const { host, now, by } = options
  const { journal } = host
  return {
    runs: (query) => listRuns(journal, query),
    find: (prefix) => findRun(journal, prefix),
    show: async (run) => {
      const loaded = await host.runs.load(run)
      const row = await journal.row(RUNS, run)
      if (loaded === null || row === null) return noRun(run)
      return {
        work: await host.workOf(loaded),
        row: row.data as RunRow,
        placement: loaded.placed.placement,
        vars: loaded.state.vars,
        limits: loaded.state.limits,
        questions: questionsOf(loaded.program, loaded.state, worldOf(loaded)),
        artifacts: loaded.artifacts,
      }
    },
    events: (run, afterVersion) => journal.read(streamOf(run), afterVersion),
    history: (query) => host.runs.history(query),
    eventsAfter: (position, limit) => journal.readAll(position, limit),
    follow: (listener) =>
      journal.follow((events) => {
        for (const event of events) listener(event)
      }),
    start: (order, compiled) =>
      startRun(options, order, compiled).catch((error: unknown) => {
        const { code, problem } = storageRejection(error)
        return { problems: [problem], code }
      }),
    preflight: (order) => preflightRun(options, order),
    runbook: async (run) => {
      const loaded = await host.runs.load(run)
      return loaded === null ? noRun(run) : runbookTextOf(loaded)
    },
    repositories: host.repositories({
      runbooksIn: options.runbooksIn ?? (() => []),
      startedIn: options.startedIn ?? null,
    }),
    act: (run, action) => act(run, action).catch(storageRejection),
    decisions: told(host.decisions(by)),
    course: told(host.course(by)),
    spending: () => host.spending(),
    kept: (digest) => journal.fetch(digest),
    heads: () => recordHeads(journal, now()),
    tombstones: () => listTombstones(journal),
    prune: (order) => host.prune(order, by),
    erase: (order) => host.erase(order, by).catch(storageRejection),
  }

  async function act(run: string, action: Action): Promise<{ readonly done: true } | Rejection> {
    if ((await host.runs.load(run)) === null) return noRun(run)
    if (action.kind === 'discard') {
      const result = await host.discard(run, { by, unmerged: action.unmerged })
      return 'problem' in result ? result : { done: true }
    }
    const executed = await host.command(run, commandOf(action, now(), by))
    return 'refusal' in executed
      ? { code: executed.refusal.code, problem: executed.refusal.message }
      : { done: true }
  }
}

async function recordHeads(
  journal: Pick<JournalReader, 'heads' | 'anchorNote'>,
  at: number,
): Promise<RecordHeads> {
  const note = await journal.anchorNote()
  const heads = await journal.heads(0)
  return {
    at,
    anchor: note === null ? null : { lines: note.lines, chain: note.chain },
    heads: heads.map(({ stream, version, hash }) => ({ stream, version, hash })),
  }
}

/** A disk that fails is told as a rejection; anything else that is thrown stays a bug. */
function storageRejection(error: unknown): StorageRejection {
  const failure = storageFailureOf(error)
  if (failure === null) throw error
  return { code: failure.code, problem: failure.message }
}

type StorageRejection = { readonly code: StorageFailure['code']; readonly problem: string }

/** Each of them may be rejected, so each can say this as well. */
function told<T extends Decisions | Course>(words: T): T {
  const each = Object.entries(words).map(([name, ask]) => [
    name,
    (...args: unknown[]) =>
      (ask as (...args: unknown[]) => Promise<unknown>)(...args).catch(storageRejection),
  ])
  return Object.fromEntries(each) as T
}

async function startRun(
  { host, by, compile, objections }: OperationsOptions,
  order: StartOrder,
  compiled: Program | undefined,
): ReturnType<Operations['start']> {
  const taken = await host.orderProblem(order)
  if (taken !== null) return { problems: [taken] }
  const read = compiled === undefined ? await compile(order.runbook) : { program: compiled }
  if ('problems' in read) return read
  const problems = (await objections?.(order.dir)) ?? []
  if (problems.length > 0) return { problems }
  const started = await host.start({ ...order, program: read.program, by })
  return 'problems' in started ? started : { run: started.loaded.run }
}

async function preflightRun(
  { host, by, compile, objections }: OperationsOptions,
  order: StartOrder,
): Promise<StartPlan> {
  const nothing = { program: null, ground: null, issue: null, agents: {} }
  const taken = await host.orderProblem(order)
  if (taken !== null) return { ...nothing, problems: [taken] }
  const read = await compile(order.runbook)
  if ('problems' in read) return { ...nothing, problems: read.problems }
  const { program } = read
  const problems = (await objections?.(order.dir)) ?? []
  if (problems.length > 0) return { ...nothing, program, problems }
  const prepared = await host.preflight({ ...order, program, by })
  if ('problems' in prepared) return { ...nothing, program, problems: prepared.problems }
  const { repo, base, baseCommit } = prepared.ground
  const { issue, agents } = prepared
  return { problems: [], program, ground: { repo, base, baseCommit }, issue, agents }
}

function commandOf(action: Exclude<Action, { kind: 'discard' }>, at: number, by: Actor): RunCommand {
  switch (action.kind) {
    case 'cancel':
      return { type: 'run.cancel', at, by, reason: action.reason }
    case 'retry':
      return { type: 'run.retry', at, by, reason: action.reason }
    case 'move':
      return { type: 'run.move', at, by, to: action.to, reason: action.reason }
    case 'extend': {
      const { budget, amount, reason } = action
      return { type: 'run.extend', at, by, budget, amount, reason }
    }
  }
}
