/**
 * When two states of a run are one: when they are equal in everything but what no rule can read. No cleverness: what is
 * left out is named here with its reason, and whatever a state comes to hold beside it tells states apart.
 */
import type { MemberState, OpenQuestion, RunState, Visit } from '../../src/engine/state.ts'
import type { Answer } from '../../src/model/answer.ts'
import { type Deadline, isLimited, type Member, type Program, stepOf } from '../../src/model/program.ts'
import type { History } from './history.ts'

export function identityOf(program: Program, state: RunState, now: number, history: History): string {
  // What has ended is told apart by its end: nothing can happen to it any more.
  if (state.status === 'ended') return `ended ${state.end}`
  const {
    // Counts and names: how many events there were, how often a step was entered, what was counted for people.
    version: _version,
    run: _run,
    visits: _visits,
    totals: _totals,
    // The same in every state of a run that nobody extends.
    vars: _vars,
    limits: _limits,
    extended: _extended,
    // Looked up by texts: no rule reads what an earlier step said, but for its findings, which stay.
    records: _records,
    cameFrom: _cameFrom,
    // Who was first, and how it was before: only for second answers and for taking one back, which nobody does here.
    answered: _answered,
    undo: _undo,
    current,
    counters,
    budgets,
    findings,
    ...rest
  } = state
  const parts = [counters, budgets, findings].map((part) => remembered(part, sortedText))
  parts.push(JSON.stringify(rest), current === null ? '' : visiting(program, current, now))
  // Whoever has worked can be told late to have used something, and is a dispatch whatever comes then.
  if (isLimited(program)) parts.push(`${history.worked} ${begunOf(current, history).join()}`)
  // With working hours it matters when it is, and not only how long something lasts.
  if (hasWorkingHours(program)) parts.push(`${now}`)
  return parts.join('\n')
}

/** Whether those that are about to be prompted have begun already, in an earlier turn. */
const begunOf = (current: Visit | null, { begun }: History): boolean[] =>
  (current?.members ?? []).map(
    ({ status, runningSince }, index) =>
      status === 'working' && runningSince === null && begun[index] === true,
  )

/** Parts of a state are never changed, and most of them are the same in the next one. */
function remembered<T extends object>(part: T, textOf: (part: T) => string): string {
  const text = texts.get(part) ?? textOf(part)
  texts.set(part, text)
  return text
}

const texts = new WeakMap<object, string>()

/** A counter that was counted later is no other counter. */
const sortedText = (record: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

function visiting(program: Program, visit: Visit, now: number): string {
  const {
    // They name questions and addresses.
    number: _number,
    asked: _asked,
    // Nothing counts from it.
    enteredAt: _enteredAt,
    // Shown to people.
    context: _context,
    members,
    question,
    ...rest
  } = visit
  const step = stepOf(program, visit.step)
  const deadline = step.kind === 'flow' ? undefined : step.deadline
  const seats = step.kind === 'agent' || step.kind === 'panel' ? step.members : []
  // Where the question lies with a person everybody has finished, and it holds what they came to.
  const parts =
    question === null ? members.map((member, at) => memberText(member, seats[at]!, deadline, now)) : []
  parts.push(JSON.stringify([rest, question && open(question, deadline, now)]))
  return parts.join('\n')
}

/** The same at all times, unless something counts the time. */
const memberText = (
  member: MemberState,
  seat: Member,
  deadline: Deadline | undefined,
  now: number,
): string =>
  seat.timeLimitMs === null &&
  seat.checkIn === null &&
  member.question === null &&
  member.parkedUntil === null
    ? remembered(member, () => JSON.stringify(working(member, seat, deadline, now)))
    : JSON.stringify(working(member, seat, deadline, now))

function working(member: MemberState, seat: Member, deadline: Deadline | undefined, now: number): object {
  const {
    // They name attempts and prompts; what led to a new attempt is counted beside them.
    attempt: _attempt,
    turn: _turn,
    session: _session,
    // Told to the agent, or to people.
    message: _message,
    detail: _detail,
    // How it was before an answer that nobody takes back.
    undo: _undo,
    answer,
    question,
    parkedUntil,
    runningSince,
    workedMs,
    metAt,
    ...rest
  } = member
  const ago = (at: number | null): number | null => (at === null ? null : now - at)
  return {
    ...rest,
    answer: answer && said(answer),
    question: question && open(question, deadline, now),
    parkedFor: ago(parkedUntil),
    hasBegun: runningSince !== null,
    // Working time is held against a limit, and against nothing else.
    ...(seat.timeLimitMs === null ? {} : { runningFor: ago(runningSince), workedMs }),
    // Only a check-in asks when it met somebody.
    ...(seat.checkIn === null ? {} : { metAgo: ago(metAt) }),
  }
}

function open(question: OpenQuestion, deadline: Deadline | undefined, now: number): object {
  const {
    // Its name, and what people read.
    id: _id,
    detail: _detail,
    openedAt,
    proposal,
    decision,
    ...rest
  } = question
  const lapsesAfter = decision?.deadlineMs ?? null
  return {
    ...rest,
    proposal: proposal && said(proposal),
    // All but how long it may wait is for whoever reads it.
    lapsesAfter,
    ...(deadline === undefined && lapsesAfter === null ? {} : { openFor: now - openedAt }),
  }
}

/** Notes are told to the next step and judged by nothing. */
const said = ({ notes: _notes, ...rest }: Answer): object => rest

const hasWorkingHours = (program: Program): boolean => {
  const known = withHours.get(program)
  if (known !== undefined) return known
  const has = Object.values(program.steps).some(
    (step) => step.kind !== 'flow' && step.deadline?.hours !== undefined,
  )
  withHours.set(program, has)
  return has
}

const withHours = new WeakMap<Program, boolean>()
