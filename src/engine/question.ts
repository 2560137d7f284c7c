/**
 * Questions that lie with a person. The flow's own question is always the step's contract, so an answer in an
 * agent's stead goes through the same validation and takes the same routes; beside it stand retry (while
 * interventions last) and stop.
 */
import type { Actor } from '../model/answer.ts'
import type { RunCommand } from '../model/command.ts'
import type { RunEvent } from '../model/event.ts'
import { INTERVENTIONS, type Program, type Step, stepOf } from '../model/program.ts'
import { asks, RETRY, STOP } from '../model/route.ts'
import { outcomesOf } from '../model/contract.ts'
import { validateAnswer } from './answer.ts'
import { type Decided, happened, refused } from './decision.ts'
import { evolve } from './evolve.ts'
import { ask, leave, type Outcome, questionId } from './routing.ts'
import type { OpenQuestion, RunState } from './state.ts'

type Answering = Extract<RunCommand, { type: 'question.answer' }>

export function answerQuestion(program: Program, state: RunState, command: Answering): Decided {
  if (command.by.kind === 'agent')
    return refused('agents-do-not-answer', 'An agent can raise questions and never answer one.')
  const earlier = state.answered[command.question]
  if (earlier !== undefined)
    return refused('already-answered', `${nameOf(earlier.by)} already answered this with ${earlier.pick}.`)
  const visit = state.current
  const member = visit?.members.findIndex(({ question }) => question?.id === command.question) ?? -1
  if (member >= 0) return answerAgent(command)
  if (visit === null || visit.question?.id !== command.question)
    return refused('unknown-question', `No question ${command.question} is open in this run.`)
  return answerStep(program, state, visit.question, command)
}

const nameOf = (actor: Actor): string => (actor.kind === 'signalbox' ? 'Signalbox' : actor.name)

/** An agent's own question: its answer is told to it in its next prompt. */
function answerAgent(command: Answering): Decided {
  const pick = command.given.kind === 'value' ? JSON.stringify(command.given.value) : ''
  const { at, question, by, note } = command
  return happened({ type: 'question.answered', at, question, by, pick, note })
}

function answerStep(program: Program, state: RunState, question: OpenQuestion, command: Answering): Decided {
  const { at, by, note, extra } = command
  const step = stepOf(program, state.current!.step)
  const answered = (pick: string): RunEvent => ({ type: 'question.answered', at, question: question.id, by, pick, note })
  const follow = (pick: string, outcome: Outcome): Decided => {
    const event = answered(pick)
    return happened(event, ...leave(program, evolve(state, event), at, outcome))
  }

  if (extra !== null) {
    if (!offeredExtras(state, step, question).includes(extra))
      return refused('not-offered', extra === RETRY ? NO_RETRY : `${extra} is not offered here.`)
    return follow(extra, { outcome: extra, answer: null, detail: note, by })
  }
  const expected = { contract: step.contract, known: [], settleOn: null, looping: [], lenient: true }
  const result = validateAnswer(expected, command.given)
  if ('message' in result) return refused('invalid-answer', result.message)
  const { answer } = result
  if (!offeredOutcomes(step, question).includes(answer.outcome))
    return refused('not-offered', `"${answer.outcome}" leads to this very question, so it is not offered here.`)
  const withNote = note === '' ? answer : { ...answer, notes: [answer.notes, note].filter((text) => text !== '').join('\n\n') }
  return follow(answer.outcome, { outcome: answer.outcome, answer: withNote, detail: '', by })
}

const NO_RETRY = 'There are no interventions left, so retry is no longer offered. Extend the budget first, or choose another way.'

/** The outcomes a person may choose: those that do not lead back to a person. */
export function offeredOutcomes(step: Step, question: OpenQuestion): string[] {
  const all = outcomesOf(step.contract)
  return question.cause === 'step' ? all : all.filter((outcome) => !asks(step.routes[outcome]!))
}

export function offeredExtras(state: RunState, step: Step, question: OpenQuestion): (typeof RETRY | typeof STOP)[] {
  if (question.cause === 'step' || step.routes[STOP] === undefined) return []
  return (state.budgets[INTERVENTIONS] ?? 0) > 0 ? [RETRY, STOP] : [STOP]
}

/** What the commands of a decide step found: now the person can be asked. */
export function reportContext(
  program: Program,
  state: RunState,
  command: Extract<RunCommand, { type: 'context.report' }>,
): Decided {
  const { current } = state
  if (current === null || current.step !== command.step || current.number !== command.visit)
    return refused('stale', `This speaks of visit ${command.visit} of "${command.step}", and the run has moved on since.`)
  if (current.phase !== 'gathering' || stepOf(program, current.step).kind !== 'decide')
    return refused('not-waiting', `"${command.step}" waits for no context.`)
  return happened(
    { type: 'context.gathered', at: command.at, items: command.items },
    ask(questionId(current.step, current.number, current.asked + 1), command.at),
  )
}
