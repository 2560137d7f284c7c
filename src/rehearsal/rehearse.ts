/**
 * The rehearsal: the real engine, driven through everything that can happen, on a virtual clock. Each state is
 * visited once, breadth first, so the way back from any state is a shortest one. A rehearsal never says "ok" for
 * what a real run would refuse: there is no other engine here.
 */
import { decide } from '../engine/decide.ts'
import { NEW_RUN, type RunState } from '../engine/state.ts'
import type { RunEvent } from '../model/event.ts'
import type { Program } from '../model/program.ts'
import { RETRY } from '../model/route.ts'
import { type Act, actText } from './act.ts'
import { createFingerprint } from './fingerprint.ts'
import { type Move, movesOf } from './moves.ts'

/** The moves between states, in flat arrays: there are millions, and an object each would be most of the work. */
export interface Moves {
  /** State → its first move; its last is before the next state's first. */
  readonly first: number[]
  /** Move → the state it leads to, and what it adds to the run's totals. */
  readonly to: number[]
  readonly visits: number[]
  readonly dispatches: number[]
  readonly flowQuestions: number[]
  readonly agentQuestions: number[]
  /** Move → which of `entries` it enters, -1 for none. */
  readonly entered: number[]
  /** Lists of steps that are entered together: one, or a flow and the steps inside it. */
  readonly entries: (readonly string[])[]
}

export interface RehearsedState {
  /** Where the run stands: a step, or an end. */
  readonly place: string
  readonly isEnd: boolean
  readonly from: { readonly state: number; readonly act: Act } | null
}

export interface Problem {
  readonly kind: 'stuck' | 'refused'
  readonly state: number
  readonly message: string
}

export interface Rehearsal {
  readonly program: Program
  /** The run as it stood before the first move. */
  readonly start: RunState
  readonly states: readonly RehearsedState[]
  readonly moves: Moves
  readonly problems: readonly Problem[]
  /** Step → outcome → arm → the state and act that first took it. */
  readonly taken: TakenRoutes
  readonly complete: boolean
}

/** The state and act that first took a route; null: the start itself. */
export interface Taken {
  readonly state: number
  readonly act: Act | null
}

export type TakenRoutes = Map<string, Map<string, Taken[]>>

export interface Options {
  readonly mostStates: number
  /** Called now and then with how far it is. */
  readonly progress?: (states: number, waiting: number) => void
}

const PROGRESS_EVERY = 4096

export function rehearse(program: Program, { mostStates, progress }: Options): Rehearsal {
  const fingerprint = createFingerprint(program)
  // Place → visit → state.
  const ids = new Map<number, Map<number, number>>()
  const states: RehearsedState[] = []
  const lived: ({ state: RunState; now: number } | null)[] = []
  const problems: Problem[] = []
  const taken: TakenRoutes = new Map()
  const moves = createMoves()

  const idOf = (state: RunState, now: number, from: RehearsedState['from']): number => {
    const place = fingerprint.place(state)
    const visit = fingerprint.visit(state)
    let here = ids.get(place)
    if (here === undefined) {
      here = new Map()
      ids.set(place, here)
    }
    const known = here.get(visit)
    if (known !== undefined) return known
    const id = states.length
    here.set(visit, id)
    const isEnd = state.current === null
    states.push({ place: state.current?.step ?? state.end ?? '', isEnd, from })
    lived.push(isEnd ? null : { state, now })
    return id
  }

  const begun = started(program)
  idOf(begun.state, 0, null)
  note(taken, begun.events, program.start, { state: 0, act: null })
  let id = 0
  for (; id < states.length && states.length < mostStates; id++) {
    if (progress !== undefined && id % PROGRESS_EVERY === 0) progress(id, states.length - id)
    const here = lived[id]!
    // What was lived is not needed once its moves are known.
    lived[id] = null
    moves.first.push(moves.to.length)
    if (here === null) continue
    const possible = movesOf(program, here.state, here.now)
    if (possible.length === 0)
      problems.push({
        kind: 'stuck',
        state: id,
        message: 'nothing is to be done, nobody is asked, and it is no end',
      })
    for (const move of possible) {
      const result = play(program, here.state, move)
      if (typeof result === 'string') {
        problems.push({ kind: 'refused', state: id, message: `${actText(move.act)}: ${result}` })
        continue
      }
      note(taken, result.events, states[id]!.place, { state: id, act: move.act })
      const to = idOf(result.state, move.at, { state: id, act: move.act })
      record(moves, here.state, result, to)
    }
  }
  for (let rest = id; rest <= states.length; rest++) moves.first.push(moves.to.length)
  return { program, start: begun.state, states, moves, problems, taken, complete: id === states.length }
}

interface Begun {
  readonly state: RunState
  readonly events: readonly RunEvent[]
}

/** Every variable gets a value, as a run would be given one. */
function started(program: Program): Begun {
  const vars = Object.fromEntries(
    Object.entries(program.vars).map(([name, { default: value }]) => [name, value ?? name]),
  )
  const begun = startWith(program, vars)
  if (typeof begun === 'string') throw new Error(begun)
  return begun
}

/** A run with these variables, or why it cannot start. */
export function startWith(program: Program, vars: Readonly<Record<string, string>>): Begun | string {
  const decided = decide(program, NEW_RUN, { type: 'run.start', at: 0, run: 'rehearsal', vars, facts: [] })
  return 'refusal' in decided ? decided.refusal.message : decided
}

/** The state after the move, or why the engine refused it. */
export function play(
  program: Program,
  state: RunState,
  { commands }: Pick<Move, 'commands'>,
): Begun | string {
  let now = state
  let all: readonly RunEvent[] = []
  for (const command of commands) {
    const decided = decide(program, now, command)
    if ('refusal' in decided) return `${decided.refusal.code}: ${decided.refusal.message}`
    all = all.length === 0 ? decided.events : [...all, ...decided.events]
    now = decided.state
  }
  return { state: now, events: all }
}

function createMoves(): Moves {
  return {
    first: [],
    to: [],
    visits: [],
    dispatches: [],
    flowQuestions: [],
    agentQuestions: [],
    entered: [],
    entries: [],
  }
}

function record(moves: Moves, before: RunState, { state, events }: Begun, to: number): void {
  const [now, then] = [state.totals, before.totals]
  moves.to.push(to)
  moves.visits.push(now.visits - then.visits)
  moves.dispatches.push(now.dispatches - then.dispatches)
  moves.flowQuestions.push(now.flowQuestions - then.flowQuestions)
  moves.agentQuestions.push(now.agentQuestions - then.agentQuestions)
  moves.entered.push(now.visits === then.visits ? -1 : entryOf(moves, events))
}

function entryOf({ entries }: Moves, events: readonly RunEvent[]): number {
  const steps: string[] = []
  for (const event of events) if (event.type === 'visit.entered') steps.push(event.step)
  const known = entries.findIndex(
    (entry) => entry.length === steps.length && entry.every((step, at) => step === steps[at]),
  )
  return known >= 0 ? known : entries.push(steps) - 1
}

/** `place`: the step whose question a person is asked, if one is. */
function note(taken: TakenRoutes, events: readonly RunEvent[], place: string, by: Taken): void {
  for (const event of events)
    if (event.type === 'visit.left') noteRoute(taken, event.step, event.outcome, event.arm, by)
    else if (event.type === 'question.opened' && event.route !== null)
      noteRoute(taken, place, event.route.outcome, event.route.arm, by)
}

function noteRoute(taken: TakenRoutes, step: string, outcome: string, arm: number, by: Taken): void {
  let outcomes = taken.get(step)
  if (outcomes === undefined) {
    outcomes = new Map()
    taken.set(step, outcomes)
  }
  const arms = outcomes.get(outcome)
  if (arms === undefined) {
    const first: Taken[] = []
    first[arm] = by
    outcomes.set(outcome, first)
  } else arms[arm] ??= by
}

/** Every arm a run could take. That a retry finds no intervention left is not one: it is not offered then. */
export function armsOf(program: Program): { step: string; outcome: string; arm: number }[] {
  return Object.values(program.steps).flatMap((step) =>
    Object.entries(step.routes).flatMap(([outcome, { arms }]) =>
      arms.flatMap((_, arm) => (outcome === RETRY && arm > 0 ? [] : [{ step: step.name, outcome, arm }])),
    ),
  )
}
