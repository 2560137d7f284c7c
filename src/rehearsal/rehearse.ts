/**
 * The rehearsal: the real engine, driven through everything that can happen, on a virtual clock. Each state is
 * visited once, breadth first, so the way back from any state is a shortest one. A rehearsal never says "ok" for
 * what a real run would refuse: there is no other engine here.
 */
import type { RunState } from '../engine/state.ts'
import type { Program } from '../model/program.ts'
import { actText } from './act.ts'
import { createFingerprint } from './fingerprint.ts'
import type { FaultWalks } from './move.ts'
import { createMoveLog, type MoveLog } from './move-log.ts'
import { movesOf } from './moves.ts'
import { type Begun, play, startWith } from './play.ts'
import { createRoutesTaken, type RoutesTaken } from './routes-taken.ts'
import { createStateLog, type StateLog } from './state-log.ts'

export interface RehearsalProblem {
  readonly kind: 'stuck' | 'refused'
  readonly state: number
  readonly message: string
}

export interface Rehearsal {
  readonly program: Program
  /** The run as it stood before the first move. */
  readonly start: RunState
  readonly states: StateLog
  readonly moves: MoveLog
  readonly problems: readonly RehearsalProblem[]
  readonly taken: RoutesTaken
  /** How many states were met and not gone on from; and why. */
  readonly waiting: number
  readonly stopped: Stopped | null
}

export type Stopped = 'states' | 'memory'

export interface Options {
  readonly mostStates: number
  /** By route by default: one fault for all that lead the same way. */
  readonly faults?: FaultWalks
  /** Called now and then with how far it is. */
  readonly progress?: (states: number, waiting: number) => void
  /** Asked now and then whether there is room for more. */
  readonly hasRoom?: () => boolean
}

const LOOK_UP_EVERY = 4096

export function rehearse(program: Program, options: Options): Rehearsal {
  const { mostStates, faults = 'by-route', progress, hasRoom } = options
  const fingerprint = createFingerprint(program)
  const states = createStateLog(fingerprint)
  const moves = createMoveLog()
  const problems: RehearsalProblem[] = []
  const taken = createRoutesTaken(program, faults)

  const begun = started(program)
  states.meet(begun.state, 0, null)
  taken.note(begun, { state: 0, act: null })
  let id = 0
  let stopped: Stopped | null = null
  for (; id < states.length; id++) {
    if (states.length > mostStates) stopped = 'states'
    if (id % LOOK_UP_EVERY === 0) {
      progress?.(id, states.length - id)
      if (hasRoom?.() === false) stopped = 'memory'
    }
    if (stopped !== null) break
    moves.nextState()
    const here = states.lived(id)
    if (here === null) continue
    const possible = movesOf(program, here.state, here.now, faults)
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
      taken.note(result, { state: id, act: move.act })
      moves.push(states.meet(result.state, move.at, { state: id, act: move.act }), here.state, result)
    }
  }
  const waiting = states.length - id
  for (let rest = id; rest < states.length; rest++) moves.nextState()
  return { program, start: begun.state, states, moves, problems, taken, waiting, stopped }
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
