/** Timers: when something is due by itself. Only working time counts against an agent, never a person's. */
import { type Program, stepOf } from '../model/program.ts'
import { faulted } from './attempt.ts'
import { leave, SIGNALBOX } from './routing.ts'
import type { RunState } from './state.ts'
import { happen, type Judged, type Turn, visitOf } from './turn.ts'

export interface Timer {
  readonly at: number
  readonly kind: 'remind' | 'expire' | 'time-limit' | 'wake'
  /** The member it concerns, or null. */
  readonly member: number | null
}

/** What is due next, earliest first. */
export function timersOf(program: Program, state: RunState): Timer[] {
  const { current } = state
  if (current === null) return []
  const timers: Timer[] = []
  const step = stepOf(program, current.step)
  const { question } = current
  if (question?.cause === 'step' && step.kind === 'decide') {
    const remind = step.deadline.remindMs[question.reminders]
    const { expireMs } = step.deadline
    if (remind !== undefined) timers.push({ at: question.openedAt + remind, kind: 'remind', member: null })
    if (expireMs !== null) timers.push({ at: question.openedAt + expireMs, kind: 'expire', member: null })
  }
  if (step.kind === 'agent' || step.kind === 'panel')
    current.members.forEach((member, index) => {
      const limit = step.members[index]!.timeLimitMs
      if (limit !== null && member.runningSince !== null)
        timers.push({
          at: member.runningSince + Math.max(0, limit - member.workedMs),
          kind: 'time-limit',
          member: index,
        })
      const { question: own } = member
      if (own !== null && own.decision !== null && own.decision.deadlineMs !== null)
        timers.push({ at: own.openedAt + own.decision.deadlineMs, kind: 'expire', member: index })
      if (member.status === 'parked') timers.push({ at: member.parkedUntil!, kind: 'wake', member: index })
    })
  return timers.length > 1 ? timers.sort((a, b) => a.at - b.at) : timers
}

export function passTime(turn: Turn, at: number): Judged {
  for (;;) {
    const due = timersOf(turn.program, turn.state)[0]
    if (due === undefined || due.at > at) return null
    fire(turn, due)
  }
}

/** In the order they were due: a reminder that lies before the expiry is not lost when both are late. */
function fire(turn: Turn, { at, kind, member }: Timer): void {
  const visit = visitOf(turn)
  const asked = member === null ? visit.question : visit.members[member]!.question
  const question = asked?.id ?? ''
  switch (kind) {
    case 'remind':
      happen(turn, { type: 'question.reminded', at, question })
      return
    case 'expire':
      happen(turn, { type: 'question.closed', at, question, reason: 'expired' })
      // An agent is told that nobody answered, and goes on; only the flow's own question has a route for it.
      if (member !== null) return
      leave(turn, at, { outcome: 'expired', answer: null, detail: 'Nobody answered in time.', by: SIGNALBOX })
      return
    case 'time-limit':
      faulted(turn, { at, member: member!, fault: 'timed_out', detail: 'It used up its working time.' })
      return
    case 'wake':
      happen(turn, { type: 'attempt.woken', at, member: member! })
      return
  }
}
