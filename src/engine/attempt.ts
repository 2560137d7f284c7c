/** An agent at work: its answer, its fault, its question, its waiting. */
import type { Answer, RawAnswer } from '../model/answer.ts'
import type { Address, RunCommand } from '../model/command.ts'
import { needsConfirmation } from '../model/contract.ts'
import { formatDuration } from '../model/duration.ts'
import type { Fault } from '../model/fault.ts'
import { type AgentStep, isBounded, type Member, type Program, stepOf } from '../model/program.ts'
import type { Refusal } from '../model/refusal.ts'
import { canSettle } from '../model/route.ts'
import { type Expectation, validateAnswer } from './answer.ts'
import { readDecision } from './decision.ts'
import { nextQuestion, seatName } from './names.ts'
import { verdictOf } from './panel.ts'
import { leave, propose } from './routing.ts'
import type { MemberState, RunState } from './state.ts'
import { happen, type Judged, refused, type Turn, visitOf } from './turn.ts'
import { boundaryText, unusableException, writesOf } from './views/boundary.ts'

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

const notWorking = (seat: SeatedMember): Judged =>
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
  const nudged = nudges < seat.member.nudges
  const result = validateAnswer(expectationOf(turn.state, seat, !nudged), given)
  if ('message' in result) {
    const { validity, message } = result
    if (question !== null) return refused('invalid-answer', message)
    if (nudged) happen(turn, { type: 'answer.refused', at, member, validity, given, message })
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

/** Writes outside its boundary were undone: told to the agent while nudges last, then a fault. */
export function trespass(turn: Turn, command: Command<'attempt.trespass'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  if (seat.state.question !== null)
    return refused('not-waiting', `"${seat.member.agent}" waits for a person.`)
  const { at, member, files } = command
  if (!isBounded(turn.program, seat.member.agent))
    return refused('impossible-fault', `"${seat.member.agent}" may write anywhere in the worktree.`)
  const { words } = command
  const message =
    words === undefined ? trespassText(files, boundaryOf(turn, seat.member.agent)) : judgedText(files, words)
  const given = { kind: 'nothing' } as const
  if (seat.state.nudges < seat.member.nudges)
    happen(turn, { type: 'answer.refused', at, member, validity: 'out-of-bounds', given, message })
  else faulted(turn, { at, member, fault: 'out_of_bounds', detail: message })
  return null
}

const judgedText = (files: readonly string[], words: string): string =>
  [
    'What you changed is out of bounds, and was undone:',
    '',
    words,
    '',
    ...undone(files),
    '',
    'Do it within that, then answer again.',
  ].join('\n')

const undone = (files: readonly string[]): string[] => [
  'Undone:',
  ...files.slice(0, MOST_FILES).map((file) => `- ${file}`),
  ...(files.length > MOST_FILES ? [`- and ${files.length - MOST_FILES} more`] : []),
]

const trespassText = (files: readonly string[], boundary: string | null): string =>
  [
    'You changed files outside your boundary. Those changes were undone; everything else is as you left it.',
    '',
    ...undone(files),
    '',
    ...(boundary === null ? [] : [boundary]),
    'Finish your work within that, then answer again.',
  ].join('\n')

function boundaryOf({ program, state }: Turn, agent: string): string | null {
  const writes = writesOf(program, state, agent)
  return writes === null ? null : boundaryText(writes, unusableException(program, state, agent))
}

const MOST_FILES = 20

export function park(turn: Turn, command: Command<'attempt.park'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  happen(turn, { type: 'attempt.parked', at: command.at, member: command.member, until: command.until })
  return null
}

/** What was used is used, whether or not the run has moved on since. */
export function use(turn: Turn, command: Command<'attempt.use'>): Judged {
  const { at, member, costUsd, tokens } = command
  if (![costUsd ?? 0, tokens].every((amount) => Number.isFinite(amount) && amount >= 0))
    return refused(
      'bad-amount',
      `Usage is a number of zero or more, not ${costUsd} dollars and ${tokens} tokens.`,
    )
  const seat = seatOf(turn, command)
  happen(turn, { type: 'usage.recorded', at, member, costUsd, tokens })
  const busy = seat !== null && seat.state.status !== 'answered' && seat.state.status !== 'faulted'
  if (busy && isOverBudget(turn.state))
    faulted(turn, { at, member, fault: 'over_budget', detail: usageText(turn.state) })
  return null
}

/** Agents that a run without means would begin with end as over_budget before they cost anything. */
export function stopUnaffordable(turn: Turn, at: number): void {
  while (isOverBudget(turn.state)) {
    const members = turn.state.current?.members ?? []
    const member = members.findIndex(isAboutToBePrompted)
    if (member === -1) return
    const about = { at, member, fault: 'over_budget', detail: usageText(turn.state) } as const
    // After a first turn of the attempt it was at work already.
    faulted(turn, members[member]!.turn === 1 ? { ...about, unprompted: true } : about)
  }
}

const isAboutToBePrompted = ({ status, runningSince, question }: MemberState): boolean =>
  status === 'working' && runningSince === null && question === null

export function resume(turn: Turn, command: Command<'attempt.resume'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  const { runningSince } = seat.state
  if (runningSince === null) return null
  const { at, member } = command
  const since = Math.max(runningSince, Math.min(command.since, at))
  if (since < at) happen(turn, { type: 'attempt.resumed', at, member, since })
  return null
}

export const isOverBudget = ({ limits, usage }: RunState): boolean =>
  (limits.costUsd !== null && usage.costUsd > limits.costUsd) ||
  (limits.tokens !== null && usage.tokens > limits.tokens)

const usageText = ({ limits, usage }: RunState): string =>
  [
    limits.costUsd === null ? null : `$${usage.costUsd.toFixed(2)} of $${limits.costUsd.toFixed(2)}`,
    limits.tokens === null ? null : `${usage.tokens} of ${limits.tokens} tokens`,
  ]
    .filter((part) => part !== null)
    .join(', ')

export function ask(turn: Turn, command: Command<'attempt.ask'>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  const { question: open } = seat.state
  if (open !== null && supersededBy(command.payload) !== open.id)
    return refused(
      'not-waiting',
      `"${seat.member.agent}" already waits for an answer to ${open.id}. End your turn; or, if that question no longer stands, give its id as \`supersedes\`.`,
    )
  const { questions } = seat.member
  if (seat.state.raised >= questions)
    return refused(
      'too-many-questions',
      `This agent may ask ${questions} ${questions === 1 ? 'question' : 'questions'} in a visit and has. Take your own recommendation, or finish with what you have.`,
    )
  const raised = readDecision(turn.program, command.payload)
  if ('message' in raised) return refused('invalid-decision', raised.message)
  const { at } = command
  const { step, visit, member } = command
  const question = nextQuestion(seatName(step, visit, member), seat.state.raised)
  // Only now: what stands in its place is known to be valid.
  if (open !== null) happen(turn, { type: 'question.closed', at, question: open.id, reason: 'superseded' })
  happen(turn, {
    type: 'question.opened',
    at,
    question,
    cause: 'agent',
    member,
    fault: null,
    detail: '',
    proposal: null,
    decision: raised.decision,
    route: null,
    paid: null,
  })
  if (open !== null) happen(turn, { type: 'decision.superseded', at, question: open.id, by: question })
  return null
}

function supersededBy(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && 'supersedes' in payload
    ? payload.supersedes
    : null
}
