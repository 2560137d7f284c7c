/** An agent at work: its answer, its fault, its waiting. */
import type { Answer, RawAnswer } from '../model/answer.ts'
import type { Address, RunCommand } from '../model/command.ts'
import { needsConfirmation } from '../model/contract.ts'
import { formatDuration } from '../model/duration.ts'
import type { Fault } from '../model/fault.ts'
import { type AgentStep, type Member, type Program, stepOf } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { canSettle } from '../model/route.ts'
import { type Expectation, validateAnswer } from './answer.ts'
import { verdictOf } from './panel.ts'
import { leave, propose } from './routing.ts'
import type { MemberState, RunState } from './state.ts'
import { happen, type Judged, refused, type Turn, visitOf } from './turn.ts'
import { HEAR_FIRST, isUntold } from './untold.ts'

type Command<T extends RunCommand['type']> = Extract<RunCommand, { type: T }>

export interface SeatedMember {
  readonly step: AgentStep
  readonly member: Member
  readonly state: MemberState
}

/** The member a command speaks of, if it speaks of the present. */
export function seatOf(
  { program, state }: Pick<Turn, 'program' | 'state'>,
  address: Address,
): SeatedMember | null {
  const { current } = state
  if (current === null || current.step !== address.step || current.number !== address.visit) return null
  const step = stepOf(program, current.step)
  const member = current.members[address.member]
  if ((step.kind !== 'agent' && step.kind !== 'panel') || member === undefined) return null
  if (member.attempt !== address.attempt) return null
  return { step, member: step.members[address.member]!, state: member }
}

export const stale = ({ step, visit, attempt }: Address): Judged =>
  refused(
    'stale',
    `This speaks of attempt ${attempt} in visit ${visit} of "${step}", and the run has moved on since.`,
  )

export const notWorking = (seat: SeatedMember): Judged =>
  refused('not-waiting', `"${seat.member.agent}" is not at work: it is ${seat.state.status}.`)

export function begin(turn: Turn, command: Command<'attempt.begin'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  happen(turn, { type: 'attempt.began', at: command.at, member: command.member, session: command.session })
  return null
}

export function answer(turn: Turn, command: Command<'attempt.answer'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  const { at, member, given } = command
  const { question, nudges } = seat.state
  // A turn that ends while its own question is open is an agent asleep, not an answer.
  if (question !== null && given.kind === 'nothing')
    return refused(
      'not-waiting',
      `"${seat.member.agent}" waits for a person; its turn may end without an answer.`,
    )
  if (question !== null && question.held !== null)
    return refused(
      'not-waiting',
      `A person has answered what "${seat.member.agent}" asked: it hears that first.`,
    )
  const nudged = nudges < seat.member.nudges
  const result = validateAnswer(expectationOf(turn.state, seat, !nudged), given)
  if ('message' in result) {
    const { validity, message } = result
    if (question !== null) return refused('invalid-answer', message)
    if (nudged) happen(turn, { type: 'answer.refused', at, member, validity, given, message })
    else if (isUntold(seat.state)) happen(turn, { type: 'answer.deferred', at, member, message })
    else faulted(turn, { at, member, fault: 'invalid', detail: message })
    return null
  }
  if (question !== null)
    happen(turn, { type: 'question.closed', at, question: question.id, reason: 'withdrawn' })
  takeAnswer(turn, seat, { at, member, answer: result.answer })
  return null
}

/** Whether an answer would do, before it counts: nothing happens. Also where no nudge is left, it can still be mended. */
export function whyNotTaken(
  program: Program,
  state: RunState,
  address: Address,
  given: RawAnswer,
): Refusal | null {
  const seat = seatOf({ program, state }, address)
  if (seat === null) return stale(address)
  if (seat.state.status !== 'working') return notWorking(seat)
  const lenient = seat.state.nudges >= seat.member.nudges
  const result = validateAnswer(expectationOf(state, seat, lenient), given)
  return 'message' in result ? { code: 'invalid-answer', message: result.message } : null
}

/** A valid answer: what happens when the agent says it is done. */
function takeAnswer(
  turn: Turn,
  seat: SeatedMember,
  { at, member, answer: valid }: { at: number; member: number; answer: Answer },
): void {
  // A person has said something since it was prompted: it hears them before its word counts.
  if (isUntold(seat.state)) {
    happen(turn, { type: 'answer.deferred', at, member, message: HEAR_FIRST })
    return
  }
  if (seat.member.signal === 'fail') {
    faulted(turn, {
      at,
      member,
      fault: 'failed',
      detail: 'It said it was done, and this agent never should.',
    })
    return
  }
  const hold = holdOf(turn.program, seat, at)
  if (hold !== null) {
    happen(turn, { type: 'signal.held', at, member, message: hold })
    return
  }
  const gated = seat.member.gate?.guards.includes(valid.outcome) ?? false
  happen(turn, { type: 'answer.given', at, member, answer: valid, gated })
  if (!gated) concluded(turn, at)
}

function expectationOf(state: RunState, { step }: SeatedMember, lenient: boolean): Expectation {
  const { contract, settleOn } = step
  if (settleOn === null) return { contract, settleOn, known: NONE, looping: NONE, lenient }
  const looping = Object.keys(step.routes).filter((outcome) => canSettle(step.routes[outcome]!.arms))
  return { contract, settleOn, known: state.findings[step.name] ?? NONE, looping, lenient }
}

const NONE: readonly never[] = []

/** A check-in: held back once a stop, a bounded number of times, and not while a person was met a moment ago. */
function holdOf(program: Program, { member, state }: SeatedMember, at: number): string | null {
  const { checkIn } = member
  // A question that was still open when it answered is a person who was offered the decision.
  if (checkIn === null || state.limited || state.question !== null || state.holds >= checkIn.blocks)
    return null
  if (state.metAt !== null && at - state.metAt < checkIn.coolDownMs) return null
  const template = program.templates[checkIn.template]
  return [
    `Before you finish, offer a person a decision of the kind "${checkIn.template}".`,
    ...(template === undefined || template.hint === '' ? [] : [template.hint]),
    ...(template === undefined || template.requiredContext.length === 0
      ? []
      : [`It must say: ${template.requiredContext.join(', ')}.`]),
    `If there is nothing to decide, give your answer again. A question counts for ${formatDuration(checkIn.coolDownMs)}.`,
  ].join('\n')
}

/** A member's fault, and what follows if it was the last to finish. */
export function faulted(
  turn: Turn,
  about: { at: number; member: number; fault: Fault; detail: string; unprompted?: true },
): void {
  const { at, member } = about
  const open = visitOf(turn).members[member]!.question
  if (open !== null) happen(turn, { type: 'question.closed', at, question: open.id, reason: 'withdrawn' })
  happen(turn, { type: 'member.faulted', ...about })
  concluded(turn, at)
}

/** When everybody has finished: the verdict is proposed to a person, or taken. */
export function concluded(turn: Turn, at: number): void {
  const visit = visitOf(turn)
  const step = stepOf(turn.program, visit.step) as AgentStep
  const verdict = verdictOf(step, visit.members)
  if (verdict === null) return
  const by = { kind: 'agent', name: verdict.agents.join(', ') } as const
  if (verdict.kind === 'fault')
    leave(turn, at, { outcome: verdict.fault, answer: null, detail: verdict.detail, by })
  else if (mustBeConfirmed(step, verdict.given)) propose(turn, at, verdict.answer)
  else leave(turn, at, { outcome: verdict.answer.outcome, answer: verdict.answer, detail: '', by })
}

function mustBeConfirmed(step: AgentStep, winners: readonly Answer[]): boolean {
  for (const { advisory, signal } of step.members) if (!advisory && signal === 'escalate') return true
  return winners.some(({ choices }) => needsConfirmation(step.contract, choices))
}

export function fault(turn: Turn, command: Command<'attempt.fault'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status === 'answered' || seat.state.status === 'faulted') return notWorking(seat)
  if (!seat.member.advisory && !seat.step.faults.includes(command.fault))
    return refused(
      'impossible-fault',
      `"${command.step}" cannot end as ${command.fault}; it can as ${seat.step.faults.join(', ')}.`,
    )
  const { at, member, fault: reported, detail } = command
  faulted(turn, { at, member, fault: reported, detail })
  return null
}

export function park(turn: Turn, command: Command<'attempt.park'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  const { at, member, until, reason } = command
  happen(turn, { type: 'attempt.parked', at, member, until, ...(reason === undefined ? {} : { reason }) })
  return null
}

export function wake(turn: Turn, command: Command<'attempt.wake'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  const { agent } = seat.member
  if (seat.state.status !== 'parked')
    return refused('not-waiting', `"${agent}" is not parked: it is ${seat.state.status}.`)
  woken(turn, command.at, command.member)
  return null
}

export function woken(turn: Turn, at: number, member: number): void {
  const reason = turn.state.current?.members[member]?.parkedFor ?? null
  happen(turn, { type: 'attempt.woken', at, member, ...(reason === null ? {} : { reason }) })
}

export function resume(turn: Turn, command: Command<'attempt.resume'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  const { runningSince } = seat.state
  if (runningSince === null) return null
  const { at, member } = command
  // Later than `at` where the clock was set back: it worked until then, and goes on now.
  const since = Math.max(runningSince, command.since)
  if (since !== at) happen(turn, { type: 'attempt.resumed', at, member, since })
  return null
}
