/** Runs by their journal: the streams whose rules are the engine's. */
import { decide, decideInRun, duties, EMPTY_BOOK, NEW_RUN } from '../../engine/index.ts'
import type { Journal, StoredEvent, Ticket } from '../../journal/index.ts'
import type { RunCommand } from '../../model/command.ts'
import type { DecisionCommand } from '../../model/decision-command.ts'
import type { RunEvent } from '../../model/event.ts'
import type { Fact } from '../../model/fact.ts'
import type { Program } from '../../model/program.ts'
import { landingRows } from '../course/landing-rows.ts'
import { dayWaitRows } from '../spending/day-wait-rows.ts'
import { spendingRows } from '../spending/spending-rows.ts'
import {
  type Alongside,
  createStreams,
  type Executed,
  type StreamDecided,
  type StreamKind,
} from '../streams/streams.ts'
import { keptProgram } from './kept-program.ts'
import { advance, foldRun, type LoadedRun } from './loaded-run.ts'
import { rowsOf } from './projection.ts'
import { createHistory, type HistoryOf } from './run-history.ts'
import { ticketOf } from './tickets.ts'

export type ExecutedRun = Executed<LoadedRun, RunEvent>

export interface Runs {
  load(run: string): Promise<LoadedRun | null>
  /** The first events of a new run, whose program is kept already. */
  begin(begin: { readonly program: Program; readonly start: StartRun }): Promise<ExecutedRun>
  /** All commands or none. */
  execute(run: string, commands: readonly CommandToRun[], alongside?: Alongside): Promise<ExecutedRun>
  events(run: string, afterVersion?: number): Promise<StoredEvent[]>
  /** What runs on an issue left. */
  readonly history: HistoryOf
}

/** Of a decision, what people do about it is put into the run's own words first. */
type CommandToRun = RunCommand | DecisionCommand

export type StartRun = Extract<RunCommand, { type: 'run.start' }>

export const streamOf = (run: string): string => `run/${run}`
export const isRun = (stream: string): boolean => stream.startsWith('run/')
export const runOf = (stream: string): string => stream.slice('run/'.length)

export function createRuns(journal: Journal): Runs {
  const programs = new Map<string, Program>()
  const programBy = async (digest: string): Promise<Program> => {
    const known = programs.get(digest)
    if (known !== undefined) return known
    const program = await keptProgram(journal, digest)
    programs.set(digest, program)
    return program
  }
  journal.onErase(() => programs.clear())
  const runs = createStreams(journal, kindOfRun(programBy))

  return {
    load: (run) => runs.load(run),
    begin: async ({ program, start }) => {
      const begun = await runs.execute(start.run, { begin: program, commands: [start] })
      if ('loaded' in begun) programs.set(begun.loaded.digest, program)
      return begun
    },
    execute: (run, commands, alongside) => runs.execute(run, { begin: null, commands }, alongside),
    events: (run, afterVersion = 0) => journal.read(streamOf(run), afterVersion),
    history: createHistory(journal, streamOf),
  }
}

interface RunOrder {
  /** The program of a run that does not exist yet. */
  readonly begin: Program | null
  readonly commands: readonly CommandToRun[]
}

const kindOfRun = (
  programBy: (digest: string) => Promise<Program>,
): StreamKind<LoadedRun, RunOrder, RunEvent> => ({
  streamOf,
  fold: (events) => foldRun(events, programBy),
  decide: decideAll,
  ticketsOf: (_run, loaded) => runTickets(loaded),
  rowsOf: (run, loaded, before) => {
    const rows = [
      ...rowsOf(loaded, before?.book ?? EMPTY_BOOK),
      ...dayWaitRows(loaded, before),
      ...landingRows(loaded, before),
    ]
    return loaded.spent === (before?.spent ?? loaded.spent)
      ? rows
      : [...rows, ...spendingRows(run, loaded.spent)]
  },
})

/** What is to be done for it now. */
export const runTickets = (loaded: LoadedRun | null): Ticket[] =>
  loaded === null
    ? []
    : duties(loaded.program, loaded.state).map((duty) => ticketOf(streamOf(loaded.run), duty))

function decideAll(
  run: string,
  from: LoadedRun | null,
  { begin, commands }: RunOrder,
): StreamDecided<LoadedRun, RunEvent> {
  const program = from?.program ?? begin
  if (program === null) return { refusal: { code: 'not-started', message: `There is no run ${run}.` } }
  let state = from?.state ?? NEW_RUN
  const events: RunEvent[] = []
  for (const command of commands) {
    const decided = isAboutDecision(command)
      ? decideInRun({ program, state, ...(from === null ? NOTHING_ASKED : askedIn(from)) }, command)
      : decide(program, state, withoutKnown(from, command))
    if ('refusal' in decided) return decided
    events.push(...decided.events)
    state = decided.state
  }
  return { state: advance(program, from, { state, events }), events }
}

const isAboutDecision = (command: CommandToRun): command is DecisionCommand =>
  command.type.startsWith('decision.')

const NOTHING_ASKED = { records: {}, discarded: false }
const askedIn = ({ book: { records }, discarded }: LoadedRun) => ({ records, discarded })

/** Two who look at a worktree at the same moment find the same commit and the same files: they are told once. */
function withoutKnown(from: LoadedRun | null, command: RunCommand): RunCommand {
  if (from === null || command.type !== 'run.record') return command
  const isKnown = (fact: Fact): boolean =>
    (fact.type === 'work.committed' && fact.commit === from.commit) ||
    (fact.type === 'artifact.kept' && fact.digest === from.artifacts[fact.name])
  return { ...command, facts: command.facts.filter((fact) => !isKnown(fact)) }
}
