/** Timers: when something is due by itself. Only working time counts against an agent, never a person's. */
import { type Deadline, type Program, type Step, stepOf } from '../model/program.ts'
import { addWorkingTime } from '../model/working-hours.ts'
import { faulted, woken } from './attempt.ts'
import { releaseAnswer } from './question.ts'
import { leave, SIGNALBOX } from './routing.ts'
import type { OpenQuestion, RunState } from './state.ts'
import { happen, type Judged, type Turn, visitOf } from './turn.ts'

export interface Timer {
  readonly at: number
  readonly kind: 'remind' | 'expire' | 'release' | 'time-limit' | 'wake'
  /** The member it concerns, or null. */
  readonly member: number | null
}

/** What is due next, earliest first. */
export function timersOf(program: Program, state: RunState): Timer[] {
  const { current } = state
  if (current === null || state.taken !== null) return []
  const timers: Timer[] = []
  const step = stepOf(program, current.step)
  const { question } = current
  const deadline = deadlineAt(step)
  if (question !== null && question.held !== null)
    timers.push({ at: question.held.until, kind: 'release', member: null })
  else if (question !== null) {
    const { remindAt, expireAt } = dueOf(question, deadline)
    if (remindAt !== null) timers.push({ at: remindAt, kind: 'remind', member: null })
    if (expireAt !== null && question.cause === 'step')
      timers.push({ at: expireAt, kind: 'expire', member: null })
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
      if (own !== null && own.held !== null)
        timers.push({ at: own.held.until, kind: 'release', member: index })
      else if (own !== null) {
        const { remindAt, expireAt } = dueOf(own, deadline)
        const lapsesAt = earlier(lapseOf(own), expireAt)
        if (remindAt !== null) timers.push({ at: remindAt, kind: 'remind', member: index })
        if (lapsesAt !== null) timers.push({ at: lapsesAt, kind: 'expire', member: index })
      }
      if (member.status === 'parked') timers.push({ at: member.parkedUntil!, kind: 'wake', member: index })
    })
  return timers.length > 1 ? timers.sort((a, b) => a.at - b.at) : timers
}

const NO_DEADLINE: Deadline = { remindMs: [], expireMs: null }

const deadlineAt = (step: Step): Deadline => (step.kind === 'flow' ? undefined : step.deadline) ?? NO_DEADLINE

/** By the word of the agent that asked. */
const lapseOf = ({ openedAt, decision }: OpenQuestion): number | null =>
  decision === null || decision.deadlineMs === null ? null : openedAt + decision.deadlineMs

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

interface Due {
  readonly remindAt: number | null
  readonly expireAt: number | null
}

function dueOf(question: OpenQuestion, deadline: Deadline): Due {
  const { hours } = deadline
  if (hours === undefined) return dueAfter(question, deadline, (afterMs) => question.openedAt + afterMs)
  const known = dueInHours.get(question)
  if (known?.deadline === deadline) return known.due
  const due = dueAfter(question, deadline, (afterMs) => addWorkingTime(question.openedAt, afterMs, hours))
  dueInHours.set(question, { deadline, due })
  return due
}

function dueAfter(
  { reminders }: OpenQuestion,
  { remindMs, expireMs }: Deadline,
  momentOf: (afterMs: number) => number,
): Due {
  const remind = remindMs[reminders]
  return {
    remindAt: remind === undefined ? null : momentOf(remind),
    expireAt: expireMs === null ? null : momentOf(expireMs),
  }
}

/** Timers are asked for with every command, and a calendar takes its time. */
const dueInHours = new WeakMap<OpenQuestion, { readonly deadline: Deadline; readonly due: Due }>()

export function passTime(turn: Turn, at: number): Judged {
  for (;;) {
    const due = timersOf(turn.program, turn.state)[0]
    if (due === undefined || due.at > at) return null
    fire(turn, due, at)
  }
}

/** In the order they were due: a reminder that lies before the expiry is not lost when both are late. */
function fire(turn: Turn, { at, kind, member }: Timer, now: number): void {
  const visit = visitOf(turn)
  const asked = member === null ? visit.question : visit.members[member]!.question
  const question = asked?.id ?? ''
  switch (kind) {
    case 'remind':
      happen(turn, { type: 'question.reminded', at, question, ...recipient(turn, asked) })
      return
    case 'expire':
      // An agent is told that nobody answered, and goes on from now: it did not work while nobody looked at the clock.
      happen(turn, { type: 'question.closed', at: member === null ? at : now, question, reason: 'expired' })
      if (member !== null) return
      leave(turn, at, { outcome: 'expired', answer: null, detail: 'Nobody answered in time.', by: SIGNALBOX })
      return
    case 'release':
      // From now: whoever asked did not work while nobody looked at the clock.
      releaseAnswer(turn, now, question)
      return
    case 'time-limit':
      faulted(turn, { at, member: member!, fault: 'timed_out', detail: 'It used up its working time.' })
      return
    case 'wake':
      woken(turn, at, member!)
      return
  }
}

/** Whom the reminder that is due hands the question to, if anybody. */
function recipient(turn: Turn, asked: OpenQuestion | null): { readonly to?: string } {
  const { reroutes } = deadlineAt(stepOf(turn.program, visitOf(turn).step))
  const to = reroutes?.[asked?.reminders ?? 0]
  return to === undefined ? {} : { to }
}
