/**
 * State and event in, next state out. Total, and without any rule: it knows no program and no clock, so a journal
 * can be folded by anybody (the host, the browser) and always gives the same state.
 */
import type { Paid, RunEvent } from '../model/event.ts'
import { type MemberState, type RunState, NEW_RUN, type Visit } from './state.ts'

export function evolve(state: RunState, event: RunEvent): RunState {
  const next = apply(state, event)
  return { ...next, version: state.version + 1 }
}

export const replay = (events: readonly RunEvent[], from: RunState = NEW_RUN): RunState => events.reduce(evolve, from)

function apply(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'run.started':
      return {
        ...NEW_RUN,
        status: 'running',
        run: event.run,
        vars: event.vars,
        budgets: event.budgets,
        limits: event.limits,
        version: state.version,
      }
    case 'visit.entered':
      return entered(state, event)
    case 'attempt.began':
      return withMember(state, event.member, (member) => ({
        ...member,
        session: event.session ?? member.session,
        runningSince: member.runningSince ?? event.at,
      }))
    case 'attempt.parked':
      return withMember(state, event.member, (member) => ({
        ...paused(member, event.at),
        status: 'parked',
        parkedUntil: event.until,
        limited: true,
      }))
    case 'attempt.woken':
      return withMember(state, event.member, (member) => ({
        ...member,
        status: 'working',
        parkedUntil: null,
        turn: member.turn + 1,
      }))
    case 'usage.recorded':
      return {
        ...state,
        usage: { costUsd: state.usage.costUsd + event.costUsd, tokens: state.usage.tokens + event.tokens },
      }
    case 'answer.refused':
      return sentBack(state, event.member, (member) => ({ nudges: member.nudges + 1, message: event.message }))
    case 'signal.held':
      return sentBack(state, event.member, (member) => ({
        holds: member.holds + 1,
        message: event.message,
        metAt: event.at,
      }))
    case 'gate.failed':
      return sentBack(state, event.member, (member) => ({ returns: member.returns + 1, message: event.message }))
    case 'answer.given':
      return withMember(state, event.member, (member) => ({
        ...paused(member, event.at),
        status: event.gated ? 'gating' : 'answered',
        answer: event.answer,
      }))
    case 'gate.passed':
      return withMember(state, event.member, (member) => ({ ...member, status: 'answered' }))
    case 'member.faulted':
      return withMember(state, event.member, (member) => ({
        ...paused(member, event.at),
        status: 'faulted',
        answer: null,
        fault: event.fault,
        detail: event.detail,
        question: null,
      }))
    case 'check.reported':
      return state
    case 'context.gathered':
      return withVisit(state, (visit) => ({ ...visit, phase: 'working', context: event.items }))
    case 'question.opened':
      return opened(state, event)
    case 'question.reminded':
      return withVisit(state, (visit) =>
        visit.question === null
          ? visit
          : { ...visit, question: { ...visit.question, reminders: visit.question.reminders + 1 } },
      )
    case 'question.answered':
      return answered(state, event)
    case 'question.closed':
      return withVisit(state, (visit) => ({
        ...closed(visit, event.question),
        members: visit.members.map((member) =>
          member.question?.id === event.question ? { ...member, question: null } : member,
        ),
      }))
    case 'visit.left':
      return {
        ...pay(state, event.paid),
        current: null,
        cameFrom: event.step,
        records: {
          ...state.records,
          [event.step]: {
            visit: event.visit,
            outcome: event.outcome,
            answer: event.answer,
            detail: event.detail,
            by: event.by,
            at: event.at,
          },
        },
        findings: event.findings === null ? state.findings : { ...state.findings, [event.step]: event.findings },
      }
    case 'run.moved':
      return { ...state, current: null, cameFrom: event.from, extended: true }
    case 'budget.extended':
      return extended(state, event.budget, event.amount)
    case 'run.ended':
      return { ...state, status: 'ended', current: null, end: event.end }
  }
}

const FRESH_MEMBER: MemberState = {
  status: 'working',
  attempt: 1,
  turn: 1,
  nudges: 0,
  returns: 0,
  holds: 0,
  raised: 0,
  session: null,
  message: '',
  answer: null,
  fault: null,
  detail: '',
  question: null,
  parkedUntil: null,
  runningSince: null,
  workedMs: 0,
  metAt: null,
  limited: false,
}

function entered(state: RunState, event: Extract<RunEvent, { type: 'visit.entered' }>): RunState {
  const { totals } = state
  return {
    ...state,
    counters: event.kind === 'flow' ? withoutScope(state.counters, `${event.step}/`) : state.counters,
    visits: { ...state.visits, [event.step]: event.visit },
    totals: { ...totals, visits: totals.visits + 1, dispatches: totals.dispatches + event.members },
    current: {
      step: event.step,
      kind: event.kind,
      number: event.visit,
      enteredAt: event.at,
      phase: event.gathers ? 'gathering' : 'working',
      members: Array.from({ length: event.members }, () => FRESH_MEMBER),
      question: null,
      asked: 0,
      context: {},
    },
  }
}

function opened(state: RunState, event: Extract<RunEvent, { type: 'question.opened' }>): RunState {
  const { at, cause, fault, detail, proposal, payload } = event
  const question = { id: event.question, cause, openedAt: at, reminders: 0, fault, detail, proposal, payload }
  const { totals } = state
  if (event.member !== null) {
    const asking = withMember(state, event.member, (member) => ({
      ...paused(member, at),
      question,
      raised: member.raised + 1,
      metAt: at,
    }))
    return { ...asking, totals: { ...totals, agentQuestions: totals.agentQuestions + 1 } }
  }
  const paid = event.paid === null ? state : pay(state, event.paid)
  const asking = withVisit(paid, (visit) => ({ ...visit, phase: 'asking', question, asked: visit.asked + 1 }))
  return { ...asking, totals: { ...totals, flowQuestions: totals.flowQuestions + 1 } }
}

function answered(state: RunState, event: Extract<RunEvent, { type: 'question.answered' }>): RunState {
  const { at, by, pick, note, question } = event
  const next = withVisit(state, (visit) => ({
    ...closed(visit, question),
    members: visit.members.map((member) =>
      member.question?.id === question
        ? {
            ...member,
            question: null,
            turn: member.turn + 1,
            message: [pick, note].filter((text) => text !== '').join('\n'),
            metAt: at,
            runningSince: at,
          }
        : member,
    ),
  }))
  return { ...next, answered: { ...state.answered, [question]: { by, pick } } }
}

const closed = (visit: Visit, question: string): Visit =>
  visit.question?.id === question ? { ...visit, question: null, phase: 'working' } : visit

function sentBack(state: RunState, member: number, change: (member: MemberState) => Partial<MemberState>): RunState {
  const { totals } = state
  const back = withMember(state, member, (one) => ({
    ...one,
    ...change(one),
    status: 'working',
    answer: null,
    attempt: one.attempt + 1,
    turn: 1,
  }))
  return { ...back, totals: { ...totals, dispatches: totals.dispatches + 1 } }
}

const paused = (member: MemberState, at: number): MemberState =>
  member.runningSince === null
    ? member
    : { ...member, runningSince: null, workedMs: member.workedMs + (at - member.runningSince) }

function withVisit(state: RunState, change: (visit: Visit) => Visit): RunState {
  return state.current === null ? state : { ...state, current: change(state.current) }
}

function withMember(state: RunState, index: number, change: (member: MemberState) => MemberState): RunState {
  return withVisit(state, (visit) => ({
    ...visit,
    members: visit.members.map((member, at) => (at === index ? change(member) : member)),
  }))
}

function pay(state: RunState, { counted, spent, pass }: Paid): RunState {
  let { counters, budgets } = state
  if (counted !== null) counters = { ...counters, [counted]: (counters[counted] ?? 0) + 1 }
  if (spent !== null) budgets = { ...budgets, [spent]: (budgets[spent] ?? 0) - 1 }
  if (pass !== null) counters = withoutScope(counters, pass)
  return { ...state, counters, budgets }
}

function withoutScope(counters: Readonly<Record<string, number>>, scope: string): Record<string, number> {
  const kept: Record<string, number> = {}
  for (const counter in counters) if (!counter.startsWith(scope)) kept[counter] = counters[counter]!
  return kept
}

function extended(state: RunState, budget: string, amount: number): RunState {
  if (budget === 'cost' || budget === 'tokens') {
    const key = budget === 'cost' ? 'costUsd' : 'tokens'
    return { ...state, extended: true, limits: { ...state.limits, [key]: (state.limits[key] ?? 0) + amount } }
  }
  return { ...state, extended: true, budgets: { ...state.budgets, [budget]: (state.budgets[budget] ?? 0) + amount } }
}
