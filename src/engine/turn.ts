/**
 * One command being judged: the events it has led to so far, and the state they add up to. Handlers either let
 * events happen or give back a refusal; a refused turn is thrown away whole, so a refused command changes nothing.
 */
import type { RunEvent } from '../model/event.ts'
import type { Program } from '../model/program.ts'
import type { Refusal, RefusalCode } from '../model/refusal.ts'
import { evolve } from './evolve.ts'
import type { RunState, Visit } from './state.ts'

export interface Turn {
  readonly program: Program
  readonly events: RunEvent[]
  state: RunState
}

export type Judged = Refusal | null

export function happen(turn: Turn, event: RunEvent): void {
  turn.events.push(event)
  turn.state = evolve(turn.state, event)
}

export const refused = (code: RefusalCode, message: string): Refusal => ({ code, message })

/** The visit going on. Only asked for while the run is running, and then there always is one. */
export function visitOf({ state }: Turn): Visit {
  if (state.current === null) throw new Error(`run ${state.run} is nowhere`)
  return state.current
}
