/** Commands put to the real engine, one after the other. */
import { decide } from '../engine/decide.ts'
import { NEW_RUN, type RunState } from '../engine/state.ts'
import type { RunEvent } from '../model/event.ts'
import type { Program } from '../model/program.ts'
import type { Move } from './move.ts'

export interface Begun {
  readonly state: RunState
  readonly events: readonly RunEvent[]
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
