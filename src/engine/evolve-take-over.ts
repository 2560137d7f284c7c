/** What a person's taking over makes of the state: the clocks of work stand still, and those of questions are set on. */
import type { EventOf } from '../model/event.ts'
import { type Fresh, pause, withMember, withVisit } from './fresh.ts'
import type { OpenQuestion } from './state.ts'

export function takeOver(state: Fresh, { at, by }: EventOf<'run.taken'>): void {
  state.extended = true
  state.taken = { by, at }
  for (let index = 0; index < (state.current?.members.length ?? 0); index++)
    withMember(state, index, (member) => pause(member, at))
}

export function giveBack(state: Fresh, { at }: EventOf<'run.resumed'>): void {
  const pausedMs = at - (state.taken?.at ?? at)
  state.taken = null
  state.resumes++
  // Nobody could answer meanwhile.
  const later = (open: OpenQuestion | null): OpenQuestion | null =>
    open && { ...open, openedAt: open.openedAt + pausedMs }
  withVisit(state, (visit) => {
    visit.question = later(visit.question)
  })
  for (let index = 0; index < (state.current?.members.length ?? 0); index++)
    withMember(state, index, (member) => {
      member.question = later(member.question)
      if (member.status === 'working') member.turn++
    })
}
