/** Timers: when something is due by itself. Only working time counts against an agent, never a person's. */
import type { RunEvent } from '../model/event.ts'
import { type Program, stepOf } from '../model/program.ts'
import { faulted } from './attempt.ts'
import { type Decided, happened } from './decision.ts'
import { evolve } from './evolve.ts'
import { bySignalbox, leave } from './routing.ts'
import type { RunState } from './state.ts'

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
        timers.push({ at: member.runningSince + Math.max(0, limit - member.workedMs), kind: 'time-limit', member: index })
      if (member.status === 'parked') timers.push({ at: member.parkedUntil!, kind: 'wake', member: index })
    })
  return timers.length > 1 ? timers.sort((a, b) => a.at - b.at) : timers
}

export function passTime(program: Program, state: RunState, at: number): Decided {
  const events: RunEvent[] = []
  let now = state
  for (;;) {
    const due = timersOf(program, now)[0]
    if (due === undefined || due.at > at) return happened(...events)
    const happenedNow = fire(program, now, due)
    events.push(...happenedNow)
    now = happenedNow.reduce(evolve, now)
  }
}

/** In the order they were due: a reminder that lies before the expiry is not lost when both are late. */
function fire(program: Program, state: RunState, { at, kind, member }: Timer): RunEvent[] {
  const question = state.current!.question?.id ?? ''
  switch (kind) {
    case 'remind':
      return [{ type: 'question.reminded', at, question }]
    case 'expire': {
      const closed: RunEvent = { type: 'question.closed', at, question, reason: 'expired' }
      const outcome = { outcome: 'expired', answer: null, detail: 'Nobody answered in time.', by: bySignalbox }
      return [closed, ...leave(program, evolve(state, closed), at, outcome)]
    }
    case 'time-limit':
      return faulted(program, state, { at, member: member!, fault: 'timed_out', detail: 'It used up its working time.' })
    case 'wake':
      return [{ type: 'attempt.woken', at, member: member! }]
  }
}
