/** Program, state and command in; events and the state they lead to out, or a refusal. The only place where rules live. */
import type { RunCommand } from '../model/command.ts'
import type { RunEvent } from '../model/event.ts'
import type { Program } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { ask } from './ask.ts'
import { answer, begin, fault, park, resume, wake } from './attempt.ts'
import { reportCheck } from './check.ts'
import { passTime } from './clock.ts'
import { reportGate } from './gate.ts'
import { alreadyAnswered, answerQuestion, deliverAnswer, reportContext } from './question.ts'
import { cancel, extend, move, record, retry, start } from './run.ts'
import type { RunState } from './state.ts'
import { resumeRun, take, whileTaken } from './take-over.ts'
import { trespass } from './trespass.ts'
import { type Judged, refused, type Turn } from './turn.ts'
import { undoAnswer } from './undo.ts'
import { stopUnaffordable, use } from './usage.ts'
import { say, tell } from './word.ts'

export type Decided =
  | { readonly events: readonly RunEvent[]; readonly state: RunState }
  | { readonly refusal: Refusal }

export function decide(program: Program, state: RunState, command: RunCommand): Decided {
  const turn: Turn = { program, events: [], state }
  const refusal = judge(turn, command)
  if (refusal !== null) return { refusal }
  stopUnaffordable(turn, command.at)
  return turn
}

function judge(turn: Turn, command: RunCommand): Judged {
  const { state } = turn
  if (command.type === 'run.start') return start(turn, command)
  if (state.status === 'new') return refused('not-started', 'The run has not started.')
  if (command.type === 'run.record') return record(turn, command)
  if (command.type === 'decision.undo') return whileTaken(state, command) ?? undoAnswer(turn, command)
  const answered = command.type === 'question.answer' ? alreadyAnswered(state, command) : null
  if (answered !== null) return answered
  if (state.status === 'ended') return refused('ended', `Run ${state.run} has ended as ${state.end}.`)
  const taken = whileTaken(state, command)
  if (taken !== null) return taken
  switch (command.type) {
    case 'attempt.begin':
      return begin(turn, command)
    case 'attempt.resume':
      return resume(turn, command)
    case 'attempt.answer':
      return answer(turn, command)
    case 'attempt.fault':
      return fault(turn, command)
    case 'attempt.park':
      return park(turn, command)
    case 'attempt.wake':
      return wake(turn, command)
    case 'attempt.use':
      return use(turn, command)
    case 'attempt.ask':
      return ask(turn, command)
    case 'attempt.trespass':
      return trespass(turn, command)
    case 'attempt.tell':
      return tell(turn, command)
    case 'gate.report':
      return reportGate(turn, command)
    case 'check.report':
      return reportCheck(turn, command)
    case 'context.report':
      return reportContext(turn, command)
    case 'question.answer':
      return answerQuestion(turn, command)
    case 'decision.deliver':
      return deliverAnswer(turn, command)
    case 'time.pass':
      return passTime(turn, command.at)
    case 'run.move':
      return move(turn, command)
    case 'run.retry':
      return retry(turn, command)
    case 'run.take':
      return take(turn, command)
    case 'run.resume':
      return resumeRun(turn, command)
    case 'run.say':
      return say(turn, command)
    case 'run.cancel':
      return cancel(turn, command)
    case 'run.extend':
      return extend(turn, command)
  }
}
