/**
 * Every state a run can come to, breadth first, by the real engine and without any reduction. What a step of the way
 * counts is read off the events, and not off the totals that the engine keeps.
 */
import { decide } from '../../src/engine/decide.ts'
import { NEW_RUN, type RunState } from '../../src/engine/state.ts'
import type { RunEvent } from '../../src/model/event.ts'
import { isFault } from '../../src/model/fault.ts'
import type { Program } from '../../src/model/program.ts'
import { type Followed, follow, type History, NO_HISTORY } from './history.ts'
import { identityOf } from './identity.ts'
import { followsRules } from './ledger.ts'
import { type Action, actionsAt } from './world.ts'

export interface Way {
  readonly from: number
  readonly to: number
  readonly what: string
  /** Steps that are entered by it, a flow and its first step both. */
  readonly entered: readonly string[]
  readonly dispatches: number
  readonly flowQuestions: number
  readonly agentQuestions: number
  /** Some step ends with a fault by it. */
  readonly faults: boolean
}

export interface Place {
  readonly step: string
  readonly end: string | null
  readonly ways: Way[]
}

export interface Exploration {
  readonly program: Program
  readonly places: readonly Place[]
  /** What the start itself counts. */
  readonly start: Way
  /** `step: outcome` and `step: outcome (then 1)`, as reports name routes. */
  readonly taken: ReadonlySet<string>
  readonly problems: readonly string[]
  readonly complete: boolean
}

/** Told of everything that is tried, for whoever counts. */
export interface Witness {
  happened(action: Action, events: readonly RunEvent[], before: RunState, history: History): void
  refused(action: Action, code: string): void
}

const NOBODY: Witness = { happened: () => {}, refused: () => {} }

export function exploreAll(program: Program, mostPlaces: number, witness: Witness = NOBODY): Exploration {
  const ids = new Map<string, number>()
  const places: Place[] = []
  const waiting: { state: RunState; now: number; history: History }[] = []
  const taken = new Set<string>()
  const problems: string[] = []

  const placeOf = (state: RunState, now: number, history: History): number => {
    const identity = identityOf(program, state, now, history)
    const known = ids.get(identity)
    if (known !== undefined) return known
    ids.set(identity, places.length)
    places.push({ step: state.current?.step ?? '', end: state.end, ways: [] })
    waiting.push({ state, now, history })
    return places.length - 1
  }

  const begun = play(program, NEW_RUN, [{ type: 'run.start', at: 0, run: 'r', vars: {}, facts: [] }])
  if (typeof begun === 'string') throw new Error(`it cannot start: ${begun}`)
  witness.happened({ what: 'start', at: 0, commands: [] }, begun.events, NEW_RUN, NO_HISTORY)
  note(taken, begun)
  const first = follow(NO_HISTORY, begun.events)
  const start = wayOf({ from: -1, to: placeOf(begun.state, 0, first), what: 'start' }, first, begun)

  let at = 0
  for (; at < places.length && places.length <= mostPlaces; at++) {
    const { state, now, history } = waiting[at]!
    waiting[at] = waiting[0]!
    const { step, end, ways } = places[at]!
    for (const action of actionsAt(program, state, now, history)) {
      const result = play(program, state, action.commands)
      if (typeof result === 'string') {
        witness.refused(action, result)
        continue
      }
      witness.happened(action, result.events, state, history)
      note(taken, result)
      const next = follow(history, result.events)
      const to = placeOf(result.state, action.at, next)
      const way = wayOf({ from: at, to, what: action.what }, next, result)
      if (!ways.some((known) => isSame(known, way))) ways.push(way)
      if (!agrees(way, state, result.state)) problems.push(`${step}: ${action.what} is counted wrongly`)
      problems.push(...followsRules(program, state, result.events, result.state))
    }
    if (ways.length === 0 && end === null) problems.push(`${step}: nothing can happen any more`)
  }
  return { program, places, start, taken, problems: [...new Set(problems)], complete: at === places.length }
}

interface Played {
  readonly state: RunState
  readonly events: readonly RunEvent[]
}

/** The state afterwards, or why it was refused. */
function play(program: Program, before: RunState, commands: Action['commands']): Played | string {
  let state = before
  const events: RunEvent[] = []
  for (const command of commands) {
    const decided = decide(program, state, command)
    if ('refusal' in decided) return decided.refusal.code
    events.push(...decided.events)
    state = decided.state
  }
  return { state, events }
}

function wayOf(
  { from, to, what }: Pick<Way, 'from' | 'to' | 'what'>,
  { dispatches }: Followed,
  { events }: Played,
): Way {
  let entered: readonly string[] = NOWHERE
  let flowQuestions = 0
  let agentQuestions = 0
  let faults = false
  for (const event of events)
    if (event.type === 'visit.entered') entered = [...entered, event.step]
    else if (event.type === 'visit.left') faults ||= isMishap(event.outcome)
    else if (event.type === 'question.opened') {
      if (event.member === null) flowQuestions++
      else agentQuestions++
      faults ||= isMishap(event.route?.outcome ?? '')
    }
  return { from, to, what, entered, dispatches, flowQuestions, agentQuestions, faults }
}

/** A trial that does not go as expected is no fault by name, and is counted with them. */
const isMishap = (outcome: string): boolean => isFault(outcome) || outcome === 'unexpected'

const NOWHERE: readonly string[] = []

/** By another action to the same place, at the same cost. */
const isSame = (a: Way, b: Way): boolean =>
  a.to === b.to &&
  a.faults === b.faults &&
  (a.entered === b.entered || a.entered.join() === b.entered.join()) &&
  a.dispatches === b.dispatches &&
  a.flowQuestions === b.flowQuestions &&
  a.agentQuestions === b.agentQuestions

/** The engine counts for itself, and shows it to people. */
function agrees(way: Way, { totals: before }: RunState, { totals: after }: RunState): boolean {
  return (
    after.visits - before.visits === way.entered.length &&
    after.dispatches - before.dispatches === way.dispatches &&
    after.flowQuestions - before.flowQuestions === way.flowQuestions &&
    after.agentQuestions - before.agentQuestions === way.agentQuestions
  )
}

export const routeName = (step: string, outcome: string, arm: number): string =>
  `${step}: ${outcome}${arm === 0 ? '' : ` (then ${arm})`}`

function note(taken: Set<string>, { state, events }: Played): void {
  for (const event of events)
    if (event.type === 'visit.left') taken.add(routeName(event.step, event.outcome, event.arm))
    else if (event.type === 'question.opened' && event.route !== null)
      taken.add(routeName(state.current!.step, event.route.outcome, event.route.arm))
}
