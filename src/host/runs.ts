/**
 * Runs by their journal: load, decide, append, one command at a time for each run. The state that is kept in memory
 * is a cache of the journal and is thrown away whenever the two disagree.
 */
import { type Decided, decide, duties, EMPTY_BOOK, NEW_RUN } from '../engine/index.ts'
import type { Claim, Journal, StoredEvent } from '../journal/index.ts'
import type { RunCommand } from '../model/command.ts'
import type { RunEvent } from '../model/event.ts'
import type { Fact } from '../model/fact.ts'
import type { Program } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { advance, foldRun, type LoadedRun } from './loaded-run.ts'
import { rowsOf } from './projection.ts'
import { ticketChange } from './tickets.ts'

export type Executed =
  | { readonly loaded: LoadedRun; readonly events: readonly RunEvent[] }
  | { readonly refusal: Refusal }
  /** Another worker has the duty now, or nobody: what was done about it does not count. */
  | { readonly lost: true }

export interface Runs {
  load(run: string): Promise<LoadedRun | null>
  /** The first events of a new run, whose program is kept already. */
  begin(begin: { readonly program: Program; readonly commands: readonly RunCommand[] }): Promise<Executed>
  /** All commands or none; settles a claim in the same breath. */
  execute(run: string, commands: readonly RunCommand[], settle?: Claim | null): Promise<Executed>
  events(run: string, afterVersion?: number): Promise<StoredEvent[]>
}

/** So many runs stay folded; the others are folded again when something happens to them. */
const MOST_CACHED = 512

export const streamOf = (run: string): string => `run/${run}`
export const isRun = (stream: string): boolean => stream.startsWith('run/')
export const runOf = (stream: string): string => stream.slice('run/'.length)

export function createRuns(journal: Journal): Runs {
  const cache = new Map<string, LoadedRun>()
  const programs = new Map<string, Program>()
  const inTurn = createKeyedMutex()

  const remember = (loaded: LoadedRun): void => {
    cache.delete(loaded.run)
    cache.set(loaded.run, loaded)
    if (cache.size > MOST_CACHED) cache.delete(cache.keys().next().value!)
  }

  async function programBy(digest: string): Promise<Program> {
    const known = programs.get(digest)
    if (known !== undefined) return known
    const bytes = await journal.fetch(digest)
    if (bytes === null) throw new Error(`the program ${digest} is not in the journal's store`)
    const program = JSON.parse(new TextDecoder().decode(bytes)) as Program
    programs.set(digest, program)
    return program
  }

  async function fold(run: string): Promise<LoadedRun | null> {
    const cached = cache.get(run)
    if (cached !== undefined) return cached
    const events = await journal.read(streamOf(run), 0)
    const loaded = await foldRun(events, programBy)
    if (loaded !== null) remember(loaded)
    return loaded
  }

  async function append(
    from: LoadedRun | null,
    decided: Accepted,
    settle: Claim | null,
  ): Promise<Executed | null> {
    const { loaded, events } = decided
    const stream = streamOf(loaded.run)
    const before = from?.state ?? NEW_RUN
    const change = ticketChange(
      stream,
      from === null ? [] : duties(loaded.program, before),
      duties(loaded.program, loaded.state),
    )
    const settled = settle === null ? change.retire : change.retire.filter((id) => id !== settle.ticket.id)
    const appended = await journal.append({
      stream,
      expected: before.version,
      events: events.map((event) => ({ type: event.type, at: event.at, data: event })),
      tickets: change.tickets,
      retire: settled,
      settle,
      rows: rowsOf(loaded, from?.book ?? EMPTY_BOOK),
    })
    if (appended.done) {
      remember(loaded)
      return { loaded, events }
    }
    cache.delete(loaded.run)
    return appended.reason === 'claim-lost' ? { lost: true } : null
  }

  const isBehind = async ({ run, state }: LoadedRun): Promise<boolean> =>
    (await journal.read(streamOf(run), state.version)).length > 0

  return {
    // In turn: the journal tells of an append before the append's own caller has seen it.
    load: (run) => inTurn(run, () => fold(run)),
    begin: async ({ program, commands }) => {
      const decided = decideAll(program, null, commands)
      if ('refusal' in decided) return decided
      const { run } = decided.loaded
      programs.set(decided.loaded.digest, program)
      return inTurn(run, async () => {
        const told = await append(null, decided, null)
        if (told === null) throw new Error(`a run ${run} exists already`)
        return told
      })
    },
    execute: (run, commands, settle = null) =>
      inTurn(run, async () => {
        for (;;) {
          const loaded = cache.get(run) ?? (await fold(run))
          if (loaded === null)
            return { refusal: { code: 'not-started', message: `There is no run ${run}.` } } as const
          const decided = decideAll(loaded.program, loaded, commands)
          if ('refusal' in decided) {
            // What does not fit the state we remember may fit the one there is.
            if (!(await isBehind(loaded))) return decided
            cache.delete(run)
            continue
          }
          const told = await append(loaded, decided, settle)
          // Somebody else wrote in between: what they wrote is read, and the command is judged again.
          if (told !== null) return told
        }
      }),
    events: (run, afterVersion = 0) => journal.read(streamOf(run), afterVersion),
  }
}

interface Accepted {
  readonly loaded: LoadedRun
  readonly events: readonly RunEvent[]
}

/** Two who look at a worktree at the same moment find the same commit and the same files: they are told once. */
function withoutKnown(from: LoadedRun | null, command: RunCommand): RunCommand {
  if (from === null || command.type !== 'run.record') return command
  const isKnown = (fact: Fact): boolean =>
    (fact.type === 'work.committed' && fact.commit === from.commit) ||
    (fact.type === 'artifact.kept' && fact.digest === from.artifacts[fact.name])
  return { ...command, facts: command.facts.filter((fact) => !isKnown(fact)) }
}

function decideAll(
  program: Program,
  from: LoadedRun | null,
  commands: readonly RunCommand[],
): Accepted | { readonly refusal: Refusal } {
  let state = from?.state ?? NEW_RUN
  const events: RunEvent[] = []
  for (const command of commands) {
    const decided: Decided = decide(program, state, withoutKnown(from, command))
    if ('refusal' in decided) return decided
    events.push(...decided.events)
    state = decided.state
  }
  return { loaded: advance(program, from, { state, events }), events }
}
