/** What a question makes of the state: opened, answered, taken back, closed. No rules; those are in decide. */
import type { EventOf } from '../model/event.ts'
import type { Writable } from './copy.ts'
import { envelopeText } from './decision.ts'
import { wordsAfterUndo } from './evolve-word.ts'
import { count, type Fresh, pause, pay, withMember, withVisit } from './fresh.ts'
import { visitNumber } from './names.ts'
import type { AnsweredQuestion, HeldAnswer, MemberState, OpenQuestion, RunState } from './state.ts'

export function openQuestion(state: Fresh, event: EventOf<'question.opened'>): void {
  const { at, cause, fault, detail, proposal, decision } = event
  const question = {
    id: event.question,
    cause,
    openedAt: at,
    reminders: 0,
    fault,
    detail,
    proposal,
    decision,
    held: null,
  }
  if (event.member !== null) {
    count(state, 0, 0, 0, 1)
    withMember(state, event.member, (member) => {
      pause(member, at)
      member.question = question
      member.raised++
      member.metAt = at
    })
    return
  }
  count(state, 0, 0, 1, 0)
  if (event.paid !== null) pay(state, event.paid)
  withVisit(state, (visit) => {
    visit.phase = 'asking'
    visit.question = question
    visit.asked++
  })
}

export const remindOf = (state: Fresh, question: string): void =>
  withOpen(state, question, (open) => ({ ...open, reminders: open.reminders + 1 }))

export function holdAnswer(
  state: Fresh,
  { type: _, at: __, question, ...held }: EventOf<'answer.held'>,
): void {
  withOpen(state, question, (open) => ({ ...open, held }))
}

/** Whoever's it is. */
function withOpen(state: Fresh, question: string, change: (open: OpenQuestion) => OpenQuestion): void {
  const owner = state.current?.members.findIndex((member) => member.question?.id === question) ?? -1
  if (owner >= 0)
    withMember(state, owner, (member) => {
      member.question = change(member.question!)
    })
  else
    withVisit(state, (visit) => {
      if (visit.question !== null) visit.question = change(visit.question)
    })
}

export function answerQuestion(state: Fresh, event: EventOf<'question.answered'>): void {
  const { at, by, pick, note, question, edited = null, fields = {} } = event
  const isFlows = state.current?.question?.id === question
  if (isFlows) state.undo = { question, state: { ...state, undo: null } }
  state.answered = { question, by, pick: pick === '' ? note : pick, before: state.answered }
  closeQuestion(state, question, (member, { decision }, before) => {
    const words = [pick, note].filter((text) => text !== '').join('\n')
    const about = { question, pick, note, edited, fields, by }
    wake(member, at, decision === null ? words : envelopeText({ ...about, decision }))
    member.metAt = at
    member.undo = before
  })
}

/** Numbers that name things (visits, turns) are not given twice. */
export function undoAnswer(state: Fresh, { at, question }: EventOf<'question.undone'>): void {
  // Its deadline counts from now: while it was answered, nobody had to.
  const reopened = (open: OpenQuestion | null): OpenQuestion | null =>
    open && { ...open, openedAt: at, held: null }
  if (heldIn(state, question) !== null) {
    withOpen(state, question, (open) => reopened(open)!)
    return
  }
  if (state.undo?.question === question) {
    const { version, usage } = state
    const before = state.undo.state
    const numbers = numbersAfterUndo(state, before)
    const kept = { words: wordsAfterUndo(state, before), said: state.said }
    Object.assign(state, before, { version, usage, numbers, ...kept })
    withVisit(state, (visit) => {
      visit.question = reopened(visit.question)
    })
    return
  }
  state.answered = without(state.answered, question)
  withUndoable(state, question, (member, before) => {
    const { turn, words } = member
    Object.assign(member, before, { turn, words, question: reopened(before.question) })
  })
}

/** The answer to this open question that does not count yet. */
export function heldIn({ current }: RunState, question: string): HeldAnswer | null {
  const open = [current?.question, ...(current?.members ?? []).map((member) => member.question)]
  return open.find((each) => each?.id === question)?.held ?? null
}

function numbersAfterUndo(state: RunState, before: RunState): RunState['numbers'] {
  const undone = Object.keys(state.visits).filter((step) => state.visits[step] !== before.visits[step])
  return {
    ...state.numbers,
    ...Object.fromEntries(undone.map((step) => [step, visitNumber(state, step)])),
  }
}

/** The question is no longer open, whoever's it was. */
export function closeQuestion(
  state: Fresh,
  question: string,
  then: (member: Writable<MemberState>, open: OpenQuestion, before: MemberState) => void,
): void {
  const owner = state.current?.members.findIndex((member) => member.question?.id === question) ?? -1
  if (owner >= 0)
    withMember(state, owner, (member, before) => {
      const open = member.question!
      member.question = null
      then(member, open, before)
    })
  else if (state.current?.question?.id === question)
    withVisit(state, (visit) => {
      visit.question = null
      visit.phase = 'working'
    })
}

/** What became of its question is told to it in a new turn. */
export function wake(member: Writable<MemberState>, at: number, message: string): void {
  member.turn++
  member.message = message
  if (member.status === 'working') member.runningSince = at
}

/** The member whose answer to this question could still be taken back; afterwards it cannot. */
export function withUndoable(
  state: Fresh,
  question: string,
  change: (member: Writable<MemberState>, before: MemberState) => void,
): void {
  const owner =
    state.current?.members.findIndex(({ undo: before }) => before?.question?.id === question) ?? -1
  if (owner >= 0) withMember(state, owner, (member, old) => change(member, old.undo!))
}

function without(answered: AnsweredQuestion | null, question: string): AnsweredQuestion | null {
  if (answered === null || answered.question === question) return answered?.before ?? null
  return { ...answered, before: without(answered.before, question) }
}
