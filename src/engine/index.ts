/** The engine's front door: a run is its journal, and four pure functions know all its rules. */
export { type Decided, decide } from './decide.ts'
export { type Duty, duties } from './duties.ts'
export { evolve, replay } from './evolve.ts'
export { NEW_RUN, type RunState } from './state.ts'
export { type Brief, briefOf } from './views/brief.ts'
export { lookupIn } from './views/lookup.ts'
export { type QuestionCard, questionsOf } from './views/question.ts'
export { type RunView, runView, turnsOf } from './views/run.ts'
