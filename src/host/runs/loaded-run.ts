/**
 * A run as its events make it: the engine's state, and the facts beside it that the host needs to do its duties.
 */
import {
  type DecisionBook,
  EMPTY_BOOK,
  evolve,
  evolveBook,
  NEW_RUN,
  openedIn,
  type RunState,
  replay,
  seatName,
} from '../../engine/index.ts'
import type { StoredEvent } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { Boundary } from '../../model/boundary.ts'
import type { EventOf, RunEvent } from '../../model/event.ts'
import { EVENT_TRAITS } from '../../model/event-traits.ts'
import type { Program } from '../../model/program.ts'
import { isSummedUp, type SpentQuarter, withSpent } from '../../model/spending.ts'
import { usable } from '../streams/usable.ts'
import type { Placed } from './projection.ts'
import { recordedWorld } from './recorded-world.ts'
import { type ReportsBySeat, withoutAnswer, withReport } from './reported.ts'

export interface Counted {
  readonly costUsd: number
  readonly tokens: number
}

export const NOTHING_COUNTED: Counted = { costUsd: 0, tokens: 0 }

export interface Abandoned {
  readonly step: string
  /** See `boundary` of the run. */
  readonly boundary: Boundary | undefined
}

export interface LoadedRun {
  readonly run: string
  readonly program: Program
  readonly digest: string
  readonly state: RunState
  readonly placed: Placed
  /** The last commit that Signalbox saw or made: what an attempt's changes are held against. */
  readonly commit: string
  /** What its changes are told against: where it began, or what was brought in from there last. */
  readonly base: string
  /** The step it is in, and whether somebody faulted there. */
  readonly here: string | null
  readonly faulty: boolean
  /** The step whose agents, or command, were stopped in the middle: what they left is nobody else's. */
  readonly abandoned: Abandoned | null
  /** What may be written in this visit, as it was when its first agent began; undefined: none did, or nobody kept it. */
  readonly boundary: Boundary | undefined
  /** Steps whose gate passed beside files that agents can change, with those files. */
  readonly beside: Readonly<Record<string, readonly string[]>>
  /** Steps whose gate passed after the run had changed files that say what it runs, with those files. */
  readonly redefined: Readonly<Record<string, readonly string[]>>
  /** What was kept of each artifact last. */
  readonly artifacts: Readonly<Record<string, string>>
  /** The content of the worktree in which the open question's context was found. */
  readonly seen: string | null
  /** Every question it has put to a person. */
  readonly book: DecisionBook
  /** What each member has used since its session began, in this visit. */
  readonly counted: Readonly<Record<number, Counted>>
  /** What each member's session was told, in this visit, by the prompts' digests. */
  readonly prompted: Readonly<Record<number, readonly string[]>>
  /** What agents reported over MCP in this visit and is not taken in yet, by seat. */
  readonly reported: ReportsBySeat
  /** What its agents used, by quarters of an hour. */
  readonly spent: readonly SpentQuarter[]
  /** When the limit of a day parked one of them last; null: never. */
  readonly dayParkedAt: number | null
  /** When each member last showed that it was at work, in this visit. */
  readonly active: Readonly<Record<number, number>>
  /** Who wants what the base got since, and must wait for it; null where nobody does. */
  readonly updateBy: Actor | null
  /** What whoever took it over began with; null while nobody did, or its files are not ready yet. */
  readonly handed: string | null
  /** A landing that was begun and has no recorded end; null: there is none. */
  readonly landing: EventOf<'landing.begun'> | null
  readonly startedAt: number
  readonly changedAt: number
  readonly success: boolean | null
  readonly discarded: boolean
}

/** What these events make of the run; `state` is the engine's own fold of them. */
export function advance(
  program: Program,
  from: LoadedRun | null,
  { state, events }: { readonly state: RunState; readonly events: readonly RunEvent[] },
): LoadedRun {
  let {
    digest,
    placed,
    commit,
    base,
    here,
    faulty,
    abandoned,
    boundary,
    beside,
    redefined,
    artifacts,
    counted,
    prompted,
    reported,
    active,
    spent,
    dayParkedAt,
    seen,
    handed,
    updateBy,
    landing,
    startedAt,
    changedAt,
    success,
    discarded,
  } = from ?? BLANK
  const held = heldQuestions(from)
  for (const event of events) {
    changedAt = event.at
    if (EVENT_TRAITS[event.type].showsWork && 'member' in event && event.member !== null)
      active = { ...active, [event.member]: event.at }
    if (event.type === 'run.started') {
      digest = event.program
      startedAt = event.at
    } else if (event.type === 'run.placed') {
      placed = event
      commit = event.placement.baseCommit
      base = commit
    } else if (event.type === 'work.committed') commit = event.commit
    else if (event.type === 'base.merged') {
      base = event.base
      commit = event.commit
      updateBy = null
    } else if (event.type === 'artifact.kept') artifacts = { ...artifacts, [event.name]: event.digest }
    else if (event.type === 'visit.entered') {
      here = event.step
      faulty = false
      boundary = undefined
      counted = {}
      prompted = {}
      reported = {}
      active = {}
      seen = null
    } else if (event.type === 'session.opened' && !event.resumed) {
      counted = { ...counted, [event.member]: NOTHING_COUNTED }
      prompted = { ...prompted, [event.member]: [] }
    } else if (event.type === 'agent.prompted') {
      prompted = { ...prompted, [event.member]: [...(prompted[event.member] ?? []), event.digest] }
      reported = withoutAnswer(reported, event)
      if (boundary === undefined) boundary = event.boundary
    } else if (event.type === 'usage.recorded') {
      counted = { ...counted, [event.member]: plus(counted, event) }
      if (isSummedUp(event)) spent = withSpent(spent, event)
    } else if (event.type === 'answer.reported')
      reported = withReport(reported, event, { answer: event.digest })
    else if (event.type === 'handoff.reported')
      reported = withReport(reported, event, { handoff: event.digest })
    else if (event.type === 'answer.received') reported = withoutAnswer(reported, event)
    else if (event.type === 'gate.passed' && here !== null) {
      beside = { ...beside, [here]: event.evidence.beside ?? [] }
      redefined = { ...redefined, [here]: event.evidence.redefined ?? [] }
    } else if (event.type === 'attempt.parked' && event.reason === 'day-limit') dayParkedAt = event.at
    else if (event.type === 'member.faulted') faulty = true
    else if (event.type === 'visit.left') {
      abandoned = faulty || event.answer === null ? { step: event.step, boundary } : null
      here = null
    } else if (event.type === 'run.moved') abandoned = { step: event.from, boundary }
    else if (event.type === 'run.ended') {
      success = event.success
      if (here !== null) abandoned = { step: here, boundary }
    } else if (event.type === 'context.gathered') seen = event.seen ?? null
    else if (event.type === 'answer.held') held.add(event.question)
    else if (event.type === 'question.answered') held.delete(event.question)
    // What did not count yet has changed nothing.
    else if (event.type === 'question.undone' && !held.delete(event.question)) {
      here = state.current?.step ?? null
      success = null
      abandoned = null
      boundary = undefined
    } else if (event.type === 'update.asked') updateBy = event.by
    else if (event.type === 'update.dropped') updateBy = null
    else if (event.type === 'run.handed') handed = event.commit
    else if (event.type === 'run.resumed' || event.type === 'run.taken') handed = null
    else if (event.type === 'run.discarded') discarded = true
    else if (event.type === 'landing.begun') landing = event
    else if (event.type === 'landing.dropped' || event.type === 'run.landed') landing = null
  }
  if (placed === null) throw new Error(`run ${state.run} has no place`)
  const book = bookAfter(program, from, { events, placed, base })
  const seats = { counted, prompted, reported, active }
  const facts = {
    digest,
    placed,
    commit,
    base,
    here,
    faulty,
    abandoned,
    boundary,
    beside,
    redefined,
    artifacts,
    ...seats,
    handed,
    updateBy,
    landing,
    spent,
    dayParkedAt,
    seen,
    book,
  }
  return { run: state.run, program, state, ...facts, startedAt, changedAt, success, discarded }
}

const heldQuestions = (from: LoadedRun | null): Set<string> =>
  new Set(
    Object.values(from?.book.records ?? {}).flatMap(({ question, undoableUntil }) =>
      undoableUntil === undefined ? [] : [question],
    ),
  )

const BLANK: Omit<LoadedRun, 'run' | 'program' | 'state' | 'placed'> & { readonly placed: Placed | null } = {
  digest: '',
  placed: null,
  commit: '',
  base: '',
  here: null,
  faulty: false,
  abandoned: null,
  boundary: undefined,
  beside: {},
  redefined: {},
  artifacts: {},
  counted: {},
  prompted: {},
  reported: {},
  active: {},
  spent: [],
  dayParkedAt: null,
  seen: null,
  handed: null,
  updateBy: null,
  landing: null,
  book: EMPTY_BOOK,
  startedAt: 0,
  changedAt: 0,
  success: null,
  discarded: false,
}

/** What is shown is fixed when a question opens, so the state of that moment is what counts. */
function bookAfter(
  program: Program,
  from: LoadedRun | null,
  {
    events,
    placed,
    base,
  }: { readonly events: readonly RunEvent[]; readonly placed: Placed; readonly base: string },
): DecisionBook {
  let book = from?.book ?? EMPTY_BOOK
  const isStuck = Object.values(book.records).some(({ status }) => status === 'undeliverable')
  if (!isStuck && !events.some(concernsDecisions)) return book
  let state = from?.state ?? NEW_RUN
  for (const event of events) {
    state = evolve(state, event)
    // With its visit over, an answer that an agent could not be given has nobody left to go to.
    if (!concernsDecisions(event) && EVENT_TRAITS[event.type].ends !== 'visit') continue
    book = evolveBook(book, event, (question) => {
      const { current, run } = state
      const { askers } = book
      const askerAt = (member: number) =>
        current === null ? null : (askers[seatName(current.step, current.number, member)] ?? null)
      const world = recordedWorld({ run, program, placed, base })
      const around = { stream: `run/${run}`, repo: placed.placement.repo, world, askerAt }
      return openedIn(program, state, { question, around })
    })
  }
  return book
}

const concernsDecisions = ({ type }: RunEvent): boolean => EVENT_TRAITS[type].concernsDecisions

function plus(
  counted: LoadedRun['counted'],
  { member, costUsd, tokens, doubted = NOTHING_COUNTED }: EventOf<'usage.recorded'>,
): Counted {
  const before = counted[member] ?? NOTHING_COUNTED
  // What is not believed has been told all the same, and is in the totals of its agent.
  return {
    costUsd: before.costUsd + (costUsd ?? 0) + doubted.costUsd,
    tokens: before.tokens + tokens + doubted.tokens,
  }
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
  return usable(stored[0]!.stream, () => advance(program, null, { state: replay(events), events }))
}
