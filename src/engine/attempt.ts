/** An agent at work: its answer, its fault, its question, its waiting. */
import type { Answer, Given } from '../model/answer.ts'
import type { Address, RunCommand } from '../model/command.ts'
import { optionsChosen } from '../model/contract.ts'
import { formatDuration } from '../model/duration.ts'
import type { RunEvent } from '../model/event.ts'
import type { Fault } from '../model/fault.ts'
import { type AgentStep, type Member, type Program, stepOf } from '../model/program.ts'
import { type Expectation, validateAnswer } from './answer.ts'
import { type Decided, happened, refused } from './decision.ts'
import { evolve } from './evolve.ts'
import { verdictOf } from './panel.ts'
import { leave, propose } from './routing.ts'
import type { MemberState, RunState } from './state.ts'

type Command<T extends RunCommand['type']> = Extract<RunCommand, { type: T }>

export interface Seat {
  readonly step: AgentStep
  readonly member: Member
  readonly state: MemberState
}

/** The member a command speaks of, if it speaks of the present. */
export function seatOf(program: Program, state: RunState, address: Address): Seat | null {
  const { current } = state
  if (current === null || current.step !== address.step || current.number !== address.visit) return null
  const step = stepOf(program, current.step)
  const member = current.members[address.member]
  if ((step.kind !== 'agent' && step.kind !== 'panel') || member === undefined) return null
  if (member.attempt !== address.attempt) return null
  return { step, member: step.members[address.member]!, state: member }
}

export const stale = ({ step, visit, attempt }: Address): Decided =>
  refused('stale', `This speaks of attempt ${attempt} in visit ${visit} of "${step}", and the run has moved on since.`)

const notWorking = (seat: Seat): Decided =>
  refused('not-waiting', `"${seat.member.agent}" is not at work: it is ${seat.state.status}.`)

export function begin(program: Program, state: RunState, command: Command<'attempt.begin'>): Decided {
  const seat = seatOf(program, state, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  return happened({ type: 'attempt.began', at: command.at, member: command.member, session: command.session })
}

export function answer(program: Program, state: RunState, command: Command<'attempt.answer'>): Decided {
  const seat = seatOf(program, state, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  const { at, member, given } = command
  // A turn that ends while its own question is open is an agent asleep, not an answer.
  if (seat.state.question !== null && given.kind === 'nothing')
    return refused('not-waiting', `"${seat.member.agent}" waits for a person; its turn may end without an answer.`)
  const withdrawn: RunEvent[] =
    seat.state.question === null
      ? []
      : [{ type: 'question.closed', at, question: seat.state.question.id, reason: 'withdrawn' }]
  return happened(...withdrawn, ...answered(program, withdrawn.reduce(evolve, state), seat, { at, member, given }))
}

function answered(
  program: Program,
  state: RunState,
  seat: Seat,
  { at, member, given }: { at: number; member: number; given: Given },
): RunEvent[] {
  if (seat.member.signal === 'fail' && given.kind !== 'nothing')
    return faulted(program, state, { at, member, fault: 'failed', detail: 'It said it was done, and this agent never should.' })
  const nudged = seat.state.nudges < seat.member.nudges
  const result = validateAnswer(expectationOf(state, seat, !nudged), given)
  if ('message' in result) {
    const { validity, message } = result
    if (nudged) return [{ type: 'answer.refused', at, member, validity, given, message }]
    return faulted(program, state, { at, member, fault: 'invalid', detail: message })
  }
  const hold = holdOf(program, seat, at)
  if (hold !== null) return [{ type: 'signal.held', at, member, message: hold }]
  const gated = seat.member.gate?.guards.includes(result.answer.outcome) ?? false
  const event: RunEvent = { type: 'answer.given', at, member, answer: result.answer, gated }
  return gated ? [event] : [event, ...concluded(program, evolve(state, event), at)]
}

function expectationOf(state: RunState, { step }: Seat, lenient: boolean): Expectation {
  const looping = Object.entries(step.routes).flatMap(([outcome, { arms }]) => (arms.length > 1 ? [outcome] : []))
  return {
    contract: step.contract,
    known: state.findings[step.name] ?? [],
    settleOn: step.settleOn,
    looping,
    lenient,
  }
}

/** A check-in: held back once a stop, a bounded number of times, and not while a person was met a moment ago. */
function holdOf(program: Program, { member, state }: Seat, at: number): string | null {
  const { checkIn } = member
  if (checkIn === null || state.limited || state.holds >= checkIn.blocks) return null
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
  program: Program,
  state: RunState,
  { at, member, fault, detail }: { at: number; member: number; fault: Fault; detail: string },
): RunEvent[] {
  const open = state.current!.members[member]!.question
  const events: RunEvent[] = [
    ...(open === null ? [] : [{ type: 'question.closed', at, question: open.id, reason: 'withdrawn' } as const]),
    { type: 'member.faulted', at, member, fault, detail },
  ]
  return [...events, ...concluded(program, events.reduce(evolve, state), at)]
}

/** When everybody has finished: the verdict is proposed to a person, or taken. */
export function concluded(program: Program, state: RunState, at: number): RunEvent[] {
  const step = stepOf(program, state.current!.step) as AgentStep
  const verdict = verdictOf(step, state.current!.members)
  if (verdict === null) return []
  const by = { kind: 'agent', name: verdict.agents.join(', ') } as const
  if (verdict.kind === 'fault')
    return leave(program, state, at, { outcome: verdict.fault, answer: null, detail: verdict.detail, by })
  if (mustBeConfirmed(step, verdict.answer)) return [propose(state, at, verdict.answer)]
  return leave(program, state, at, { outcome: verdict.answer.outcome, answer: verdict.answer, detail: '', by })
}

function mustBeConfirmed(step: AgentStep, { choices }: Answer): boolean {
  const blocking = step.members.filter((member) => !member.advisory)
  if (blocking.length === 0) return false
  if (blocking.some((member) => member.signal === 'escalate')) return true
  return optionsChosen(step.contract, choices).some((option) => option.confirm)
}

export function fault(program: Program, state: RunState, command: Command<'attempt.fault'>): Decided {
  const seat = seatOf(program, state, command)
  if (seat === null) return stale(command)
  if (seat.state.status === 'answered' || seat.state.status === 'faulted') return notWorking(seat)
  return happened(...faulted(program, state, command))
}

export function park(program: Program, state: RunState, command: Command<'attempt.park'>): Decided {
  const seat = seatOf(program, state, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  return happened({ type: 'attempt.parked', at: command.at, member: command.member, until: command.until })
}

export function use(program: Program, state: RunState, command: Command<'attempt.use'>): Decided {
  const seat = seatOf(program, state, command)
  if (seat === null) return stale(command)
  const { at, member, costUsd, tokens } = command
  const recorded: RunEvent = { type: 'usage.recorded', at, member, costUsd, tokens }
  const after = evolve(state, recorded)
  const busy = seat.state.status !== 'answered' && seat.state.status !== 'faulted'
  if (!busy || !isOverBudget(after)) return happened(recorded)
  return happened(recorded, ...faulted(program, after, { at, member, fault: 'over_budget', detail: usageText(after) }))
}

const isOverBudget = ({ limits, usage }: RunState): boolean =>
  (limits.costUsd !== null && usage.costUsd > limits.costUsd) || (limits.tokens !== null && usage.tokens > limits.tokens)

/** Agents that a run without means would begin with: they end as over_budget before they cost anything. */
export function unaffordable(program: Program, state: RunState, at: number): RunEvent[] {
  const { current } = state
  if (current === null || current.phase !== 'working' || !isOverBudget(state)) return []
  const member = current.members.findIndex(({ status, attempt, turn, runningSince }) => status === 'working' && attempt === 1 && turn === 1 && runningSince === null)
  return member === -1 ? [] : faulted(program, state, { at, member, fault: 'over_budget', detail: usageText(state) })
}

const usageText = ({ limits, usage }: RunState): string =>
  [
    limits.costUsd === null ? null : `$${usage.costUsd.toFixed(2)} of $${limits.costUsd.toFixed(2)}`,
    limits.tokens === null ? null : `${usage.tokens} of ${limits.tokens} tokens`,
  ]
    .filter((part) => part !== null)
    .join(', ')

export function ask(program: Program, state: RunState, command: Command<'attempt.ask'>): Decided {
  const seat = seatOf(program, state, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  if (seat.state.question !== null)
    return refused('not-waiting', `"${seat.member.agent}" already waits for an answer to ${seat.state.question.id}.`)
  const { questions } = seat.member
  if (seat.state.raised >= questions)
    return refused(
      'too-many-questions',
      `This agent may ask ${questions} ${questions === 1 ? 'question' : 'questions'} in a visit and has. Take your own recommendation, or finish with what you have.`,
    )
  return happened({
    type: 'question.opened',
    at: command.at,
    question: `${command.step}#${command.visit}.${command.member}?${seat.state.raised + 1}`,
    cause: 'agent',
    member: command.member,
    fault: null,
    detail: '',
    proposal: null,
    payload: command.payload,
    route: null,
    paid: null,
  })
}

