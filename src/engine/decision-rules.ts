/** What holds for a decision wherever it lives, by its record alone: each says why not, or null. */
import { isDayQuestion } from '../model/day-question.ts'
import { type AnswerDecision, LONGEST_HOLD_MS } from '../model/decision-command.ts'
import type { DecisionRecord } from '../model/decision-record.ts'
import type { Refusal, RefusalCode } from '../model/refusal.ts'

/** An answer is given to what was seen, and in what is offered there. */
export function whyNotAnswered(
  { id, digest, shown }: Pick<DecisionRecord, 'id' | 'digest' | 'shown'>,
  answer: Pick<AnswerDecision, 'digest' | 'fields' | 'pick' | 'holdMs'>,
): Refusal | null {
  const { holdMs = 0 } = answer
  if (!(holdMs >= 0 && holdMs <= LONGEST_HOLD_MS))
    return refuse('invalid-answer', `An answer can be held for at most ${LONGEST_HOLD_MS / 1000} seconds.`)
  if (answer.digest !== null && answer.digest !== digest) return changedRefusal(id)
  const names = shown.fields.map(({ name }) => name)
  const odd = Object.keys(answer.fields).filter((name) => !names.includes(name))
  if (odd.length > 0) {
    const there = names.length === 0 ? 'It takes none' : `It takes ${names.join(', ')}`
    return refuse('invalid-answer', `There is no field ${odd.join(', ')}. ${there}.`)
  }
  const keys = shown.options.map(({ key }) => key)
  if (answer.pick === '' || keys.includes(answer.pick)) return null
  return refuse(
    'not-offered',
    `"${answer.pick}" is not one of the options: ${keys.join(', ')}. Words go into the note.`,
  )
}

/** `what`: the names of what has changed, where they are known. */
export function changedRefusal(id: string, what: readonly string[] = []): Refusal {
  const names = what.length === 0 ? '' : ` (${what.join(', ')})`
  return refuse(
    'superseded',
    `What you were shown has changed since${names}. Look at it again, then answer: signalbox decision show ${id}`,
  )
}

/** Whether another from outside, by this asker, may be put in its place. */
export function whyNotSuperseded(
  { id, run, status, asker }: Pick<DecisionRecord, 'id' | 'run' | 'status' | 'asker'>,
  by: string,
): Refusal | null {
  if (run !== null)
    return refuse(
      'invalid-decision',
      `${id} was asked in a run: only its own agent can put another in its place.`,
    )
  // Whoever calls themselves by our name does not take away what we ask.
  if (asker?.agent !== by || isDayQuestion(id))
    return refuse(
      'invalid-decision',
      `${id} was asked by ${asker?.agent || 'somebody else'}: only who asked can put another in its place.`,
    )
  if (status === 'open') return null
  // Not wrong when it was written: somebody was faster.
  return refuse('not-waiting', `${id} is ${status} already: there is nothing to put another in the place of.`)
}

export const refuse = (code: RefusalCode, message: string): Refusal => ({ code, message })
