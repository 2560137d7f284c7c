/** The engine's front door: a run is its journal, and four pure functions know all its rules. */

export { whyNotTaken } from './attempt.ts'
export { checkOutcome } from './check.ts'
export { exampleAnswer } from './contract-text.ts'
export { decide } from './decide.ts'
export { decideStandalone } from './decide-standalone.ts'
export { envelopeText, readDecision } from './decision.ts'
export { type DecisionBook, decisionId, EMPTY_BOOK, evolveBook } from './decision-book.ts'
export { decideInRun } from './decision-in-run.ts'
export { closedAt, decisionRow } from './decision-row.ts'
export { changedRefusal, whyNotAnswered, whyNotSuperseded } from './decision-rules.ts'
export { dictatedTexts } from './dictated.ts'
export { type Duty, duties } from './duties.ts'
export { evolve, replay } from './evolve.ts'
export { type HandoffForm, handoffForm, judgeHandoff } from './handoff.ts'
export { nextQuestion, seatName, visitNumber } from './names.ts'
export { failedDelivery } from './redelivery.ts'
export {
  evolveStandalone,
  type StandaloneCommand,
  type StandaloneDuty,
  type StandaloneEvent,
  type StandaloneState,
  standaloneDuties,
  standaloneEnvelope,
} from './standalone.ts'
export { NEW_RUN, type OpenQuestion, type RunState } from './state.ts'
export { answerInstead } from './take-over.ts'
export { untoldTo } from './untold.ts'
export { type AnswerSchema, answerSchema } from './views/answer-schema.ts'
export { boundaryText, writesOf } from './views/boundary.ts'
export { type Brief, briefOf } from './views/brief.ts'
export { leftByRun } from './views/history.ts'
export { lookupIn } from './views/lookup.ts'
export { givenFor } from './views/pick.ts'
export { questionsOf } from './views/question.ts'
export { type RunView, runView } from './views/run.ts'
export { openedIn } from './views/shown.ts'
export { type StoryTone, storyEntry } from './views/story.ts'
