/** A question that an agent at work puts to a person. */
import type { RunCommand } from '../model/command.ts'
import { notWorking, seatOf, stale } from './attempt.ts'
import { readDecision } from './decision.ts'
import { nextQuestion, seatName } from './names.ts'
import { happen, type Judged, refused, type Turn } from './turn.ts'

export function ask(turn: Turn, command: Extract<RunCommand, { type: 'attempt.ask' }>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  const { question: open } = seat.state
  if (open !== null && supersededBy(command.payload) !== open.id)
    return refused(
      'not-waiting',
      `"${seat.member.agent}" already waits for an answer to ${open.id}. End your turn; or, if that question no longer stands, give its id as \`supersedes\`.`,
    )
  const { questions } = seat.member
  if (seat.state.raised >= questions)
    return refused(
      'too-many-questions',
      `This agent may ask ${questions} ${questions === 1 ? 'question' : 'questions'} in a visit and has. Take your own recommendation, or finish with what you have.`,
    )
  const raised = readDecision(turn.program, command.payload)
  if ('message' in raised) return refused('invalid-decision', raised.message)
  const { at } = command
  const { step, visit, member } = command
  const question = nextQuestion(seatName(step, visit, member), seat.state.raised)
  // Only now: what stands in its place is known to be valid.
  if (open !== null) happen(turn, { type: 'question.closed', at, question: open.id, reason: 'superseded' })
  happen(turn, {
    type: 'question.opened',
    at,
    question,
    cause: 'agent',
    member,
    fault: null,
    detail: '',
    proposal: null,
    decision: command.form === undefined ? raised.decision : { ...raised.decision, form: command.form },
    route: null,
    paid: null,
  })
  if (open !== null) happen(turn, { type: 'decision.superseded', at, question: open.id, by: question })
  return null
}

function supersededBy(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && 'supersedes' in payload
    ? payload.supersedes
    : null
}
