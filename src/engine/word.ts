/** What a person says to the agents of a run: told with the next prompt, and heard before an answer counts. */
import type { RunCommand } from '../model/command.ts'
import { notWorking, seatOf, stale } from './attempt.ts'
import { LONGEST_TEXT } from './fields.ts'
import type { MemberState } from './state.ts'
import { happen, type Judged, refused, type Turn, visitOf } from './turn.ts'

type Command<T extends RunCommand['type']> = Extract<RunCommand, { type: T }>

export function say(turn: Turn, { at, by, text }: Command<'run.say'>): Judged {
  if (by.kind !== 'person') return refused('people-only', 'Only a person may speak to the agents of a run.')
  if (text.trim() === '' || text.length > LONGEST_TEXT)
    return refused('invalid-word', `Say between one and ${LONGEST_TEXT} characters.`)
  const members = visitOf(turn).members.flatMap((member, index) => (canHear(member) ? [index] : []))
  happen(turn, { type: 'word.said', at, word: `w${turn.state.said + 1}`, by, text, members })
  return null
}

/** Whoever has finished is not prompted again in this visit. */
const canHear = ({ status }: MemberState): boolean => status !== 'answered' && status !== 'faulted'

export function tell(turn: Turn, command: Command<'attempt.tell'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  const { at, member, words } = command
  happen(turn, { type: 'word.told', at, member, words })
  return null
}
