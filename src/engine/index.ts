/** The engine's front door: a run is its journal, and four pure functions know all its rules. */
export { type Decided, decide } from './decide.ts'
export { type Duty, duties } from './duties.ts'
export { evolve, replay } from './evolve.ts'
export { NEW_RUN, type RunState } from './state.ts'
