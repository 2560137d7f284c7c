/**
 * Runs by their journal: load, decide, append, one command at a time for each run. The state that is kept in memory
 * is a cache of the journal and is thrown away whenever the two disagree.
 */
import { type Decided, decide, duties, evolve, NEW_RUN, type RunState } from '../engine/index.ts'
import type { Claim, Journal, Row, StoredEvent } from '../journal/index.ts'
import type { RunCommand } from '../model/command.ts'
import type { RunEvent } from '../model/event.ts'
import type { Program } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { type Placed, rowsOf } from './projection.ts'
import { ticketChange } from './tickets.ts'
import { createTurnstile } from './turnstile.ts'

export interface LoadedRun {
  readonly run: string
  readonly program: Program
  readonly digest: string
  readonly state: RunState
  readonly placed: Placed
  /** The last commit that Signalbox saw or made: what an attempt's changes are held against. */
  readonly commit: string
  /** The step it is in, and whether somebody faulted there. */
  readonly here: string | null
  readonly faulty: boolean
  /** The step whose agents, or command, were stopped in the middle: what they left is nobody else's. */
  readonly abandoned: string | null
  /** What was kept of each artifact last. */
  readonly artifacts: Readonly<Record<string, string>>
  readonly startedAt: number
  readonly changedAt: number
  readonly success: boolean | null
  readonly discarded: boolean
}

export type Told =
  | { readonly loaded: LoadedRun; readonly events: readonly RunEvent[] }
  | { readonly refusal: Refusal }
  /** Another worker has the duty now, or nobody: what was done about it does not count. */
  | { readonly lost: true }

export interface Runs {
  load(run: string): Promise<LoadedRun | null>
  /** The first events of a new run, whose program is kept already. */
  begin(begin: { readonly program: Program; readonly commands: readonly RunCommand[] }): Promise<Told>
  /** All commands or none; settles a claim in the same breath. */
  tell(run: string, commands: readonly RunCommand[], settle?: Claim | null): Promise<Told>
  events(run: string, afterVersion?: number): Promise<StoredEvent[]>
}

/** So many runs stay folded; the others are folded again when something happens to them. */
const MOST_CACHED = 512

export const streamOf = (run: string): string => `run/${run}`
export const runOf = (stream: string): string => stream.slice('run/'.length)

export function createRuns(journal: Journal): Runs {
  const cache = new Map<string, LoadedRun>()
  const programs = new Map<string, Program>()
  const inTurn = createTurnstile()

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
  ): Promise<Told | null> {
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
      rows: rowsOf(loaded, before),
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
    tell: (run, commands, settle = null) =>
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

function decideAll(
  program: Program,
  from: LoadedRun | null,
  commands: readonly RunCommand[],
): Accepted | { readonly refusal: Refusal } {
  let state = from?.state ?? NEW_RUN
  const events: RunEvent[] = []
  for (const command of commands) {
    const decided: Decided = decide(program, state, command)
    if ('refusal' in decided) return decided
    events.push(...decided.events)
    state = decided.state
  }
  return { loaded: advance(program, from, { state, events }), events }
}

function advance(
  program: Program,
  from: LoadedRun | null,
  { state, events }: { readonly state: RunState; readonly events: readonly RunEvent[] },
): LoadedRun {
  let {
    digest,
    placed,
    commit,
    here,
    faulty,
    abandoned,
    artifacts,
    startedAt,
    changedAt,
    success,
    discarded,
  } = from ?? BLANK
  for (const event of events) {
    changedAt = event.at
    if (event.type === 'run.started') {
      digest = event.program
      startedAt = event.at
    } else if (event.type === 'run.placed') {
      placed = event
      commit = event.placement.baseCommit
    } else if (event.type === 'work.committed') commit = event.commit
    else if (event.type === 'artifact.kept') artifacts = { ...artifacts, [event.name]: event.digest }
    else if (event.type === 'visit.entered') {
      here = event.step
      faulty = false
    } else if (event.type === 'member.faulted') faulty = true
    else if (event.type === 'visit.left') {
      abandoned = faulty || event.answer === null ? event.step : null
      here = null
    } else if (event.type === 'run.moved') abandoned = event.from
    else if (event.type === 'run.ended') {
      success = event.success
      abandoned = here ?? abandoned
    } else if (event.type === 'run.discarded') discarded = true
  }
  if (placed === null) throw new Error(`run ${state.run} has no place`)
  const facts = { digest, placed, commit, here, faulty, abandoned, artifacts }
  return { run: state.run, program, state, ...facts, startedAt, changedAt, success, discarded }
}

const BLANK: Omit<LoadedRun, 'run' | 'program' | 'state' | 'placed'> & { readonly placed: Placed | null } = {
  digest: '',
  placed: null,
  commit: '',
  here: null,
  faulty: false,
  abandoned: null,
  artifacts: {},
  startedAt: 0,
  changedAt: 0,
  success: null,
  discarded: false,
}

/** A run from its stored events; null where there are none. */
export async function foldRun(
  stored: readonly StoredEvent[],
  programBy: (digest: string) => Promise<Program>,
): Promise<LoadedRun | null> {
  const events = stored.map(({ data }) => data as RunEvent)
  const [first] = events
  if (first === undefined || first.type !== 'run.started') return null
  const program = await programBy(first.program)
  return advance(program, null, { state: events.reduce(evolve, NEW_RUN), events })
}

/** For `doctor --rebuild`: the rows of a stream, from its events alone. */
export function projectWith(programBy: (digest: string) => Promise<Program>) {
  return async (stream: string, events: readonly StoredEvent[]): Promise<readonly Row[]> => {
    if (!stream.startsWith('run/')) return []
    const loaded = await foldRun(events, programBy)
    return loaded === null ? [] : rowsOf(loaded, NEW_RUN)
  }
}
