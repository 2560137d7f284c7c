/** An answer taken back: possible until somebody has got it, or something has begun because of it. */
import type { RunCommand } from '../model/command.ts'
import { stepOf } from '../model/program.ts'
import { heldIn } from './evolve-question.ts'
import { answerTo } from './question.ts'
import type { RunState } from './state.ts'
import { happen, type Judged, refused, type Turn } from './turn.ts'

export function undoAnswer(turn: Turn, command: Extract<RunCommand, { type: 'decision.undo' }>): Judged {
  const { at, question, by } = command
  if (by.kind === 'agent')
    return refused('agents-do-not-answer', 'An agent can raise questions, and neither answer nor undo.')
  if (!isUndoable(turn, question))
    return answerTo(turn.state, question) === null
      ? refused('unknown-question', `No answer to ${question} is there to be taken back.`)
      : refused(
          'too-late',
          'The answer is already being acted on, so it cannot be taken back. Move the run instead: signalbox move RUN STEP',
        )
  happen(turn, { type: 'question.undone', at, question, by })
  return null
}

function isUndoable({ program, state }: Turn, question: string): boolean {
  if (heldIn(state, question) !== null || isMembers(state, question)) return true
  if (state.undo?.question !== question) return false
  // Nobody knows how far a command is.
  return state.current === null || stepOf(program, state.current.step).kind !== 'check'
}

const isMembers = ({ current }: RunState, question: string): boolean =>
  current?.members.some(({ undo }) => undo?.question?.id === question) ?? false
