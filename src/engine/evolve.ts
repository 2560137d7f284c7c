/**
 * State and event in, next state out. Total, and without any rule: it knows no program and no clock, so a journal
 * can be folded by anybody (the host, the browser) and always gives the same state.
 *
 * Changes are made on fresh copies (copy.ts), never on what came in.
 */
import { actorText } from '../model/answer.ts'
import type { Paid, RunEvent } from '../model/event.ts'
import { copyMember, copyState, copyVisit, type Writable } from './copy.ts'
import { envelopeText, lapsedText } from './decision.ts'
import {
  FRESH_MEMBER,
  type MemberState,
  NEW_RUN,
  type OpenQuestion,
  type RunState,
  type Visit,
} from './state.ts'

export function evolve(state: RunState, event: RunEvent): RunState {
  const next = copyState(state)
  next.version++
  apply(next, event)
  return next
}

export const replay = (events: readonly RunEvent[], from: RunState = NEW_RUN): RunState =>
  events.reduce(evolve, from)

type Fresh = Writable<RunState>
type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

function apply(state: Fresh, event: RunEvent): void {
  switch (event.type) {
    case 'run.started':
      state.status = 'running'
      state.run = event.run
      state.vars = event.vars
      state.budgets = event.budgets
      state.limits = event.limits
      return
    case 'visit.entered':
      enter(state, event)
      return
    case 'attempt.began':
      withMember(state, event.member, (member) => {
        member.session = event.session ?? member.session
        // Told late of a session that already waits for a person: its clock stands still.
        if (member.question === null) member.runningSince ??= event.at
      })
      return
    case 'attempt.parked':
      withMember(state, event.member, (member) => {
        pause(member, event.at)
        member.status = 'parked'
        member.parkedUntil = event.until
        member.limited = true
      })
      return
    case 'attempt.woken':
      withMember(state, event.member, (member) => {
        member.status = 'working'
        member.parkedUntil = null
        member.turn++
      })
      return
    case 'usage.recorded':
      state.usage = {
        costUsd: state.usage.costUsd + (event.costUsd ?? 0),
        tokens: state.usage.tokens + event.tokens,
        unpriced: state.usage.unpriced + (event.costUsd === null ? event.tokens : 0),
      }
      return
    case 'answer.refused':
      sendBack(state, event, (member) => {
        member.nudges++
      })
      return
    case 'signal.held':
      sendBack(state, event, (member) => {
        member.holds++
        member.metAt = event.at
      })
      return
    case 'gate.failed':
      sendBack(state, event, (member) => {
        member.returns++
      })
      return
    case 'answer.given':
      withMember(state, event.member, (member) => {
        pause(member, event.at)
        member.status = event.gated ? 'gating' : 'answered'
        member.answer = event.answer
      })
      return
    case 'gate.passed':
      withMember(state, event.member, (member) => {
        member.status = 'answered'
      })
      return
    case 'member.faulted':
      withMember(state, event.member, (member) => {
        pause(member, event.at)
        member.status = 'faulted'
        member.answer = null
        member.fault = event.fault
        member.detail = event.detail
      })
      return
    case 'check.reported':
    case 'run.placed':
    case 'session.opened':
    case 'turn.ended':
    case 'answer.received':
    case 'boundary.held':
    case 'work.committed':
    case 'artifact.kept':
    case 'decision.delivered':
    case 'decision.acknowledged':
    case 'decision.acted':
    case 'host.noted':
    case 'run.discarded':
      return
    case 'context.gathered':
      withVisit(state, (visit) => {
        visit.phase = 'working'
        visit.context = event.items
      })
      return
    case 'question.opened':
      open(state, event)
      return
    case 'question.reminded':
      withVisit(state, (visit) => {
        if (visit.question !== null)
          visit.question = { ...visit.question, reminders: visit.question.reminders + 1 }
      })
      return
    case 'question.answered':
      answer(state, event)
      return
    case 'question.closed':
      close(state, event.question, (member, { id, decision }) => {
        if (event.reason === 'expired' && decision !== null) wake(member, event.at, lapsedText(id, decision))
      })
      return
    case 'visit.left':
      leave(state, event)
      return
    case 'run.moved':
      state.current = null
      state.cameFrom = event.tells
      state.extended = true
      return
    case 'budget.extended':
      extend(state, event)
      return
    case 'run.ended':
      state.status = 'ended'
      state.current = null
      state.end = event.end
      return
  }
}

function enter(state: Fresh, { step, visit, kind, members, gathers, at }: EventOf<'visit.entered'>): void {
  if (kind === 'flow') state.counters = withoutScope(state.counters, `${step}/`)
  state.visits = { ...state.visits, [step]: visit }
  count(state, 1, members, 0, 0)
  state.current = {
    step,
    kind,
    number: visit,
    enteredAt: at,
    phase: gathers ? 'gathering' : 'working',
    members: new Array<MemberState>(members).fill(FRESH_MEMBER),
    question: null,
    asked: 0,
    context: {},
  }
}

function open(state: Fresh, event: EventOf<'question.opened'>): void {
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

function answer(state: Fresh, { at, by, pick, note, question }: EventOf<'question.answered'>): void {
  state.answered = { question, by, pick: pick === '' ? note : pick, before: state.answered }
  close(state, question, (member, { decision }) => {
    const words = [pick, note].filter((text) => text !== '').join('\n')
    const about = { question, pick, note, by: actorText(by) }
    wake(member, at, decision === null ? words : envelopeText({ ...about, decision }))
    member.metAt = at
  })
}

/** What became of its question is told to it in a new turn. */
function wake(member: Writable<MemberState>, at: number, message: string): void {
  member.turn++
  member.message = message
  if (member.status === 'working') member.runningSince = at
}

/** The question is no longer open, whoever's it was. */
function close(
  state: Fresh,
  question: string,
  then: (member: Writable<MemberState>, open: OpenQuestion) => void,
): void {
  const owner = state.current?.members.findIndex((member) => member.question?.id === question) ?? -1
  if (owner >= 0)
    withMember(state, owner, (member) => {
      const open = member.question!
      member.question = null
      then(member, open)
    })
  else if (state.current?.question?.id === question)
    withVisit(state, (visit) => {
      visit.question = null
      visit.phase = 'working'
    })
}

function leave(state: Fresh, event: EventOf<'visit.left'>): void {
  const { step, visit, outcome, detail, by, at } = event
  pay(state, event.paid)
  state.current = null
  state.cameFrom = event.tells
  state.records = { ...state.records, [step]: { visit, outcome, answer: event.answer, detail, by, at } }
  if (event.findings !== null) state.findings = { ...state.findings, [step]: event.findings }
}

function sendBack(
  state: Fresh,
  event: { readonly at: number; readonly member: number; readonly message: string },
  change: (member: Writable<MemberState>) => void,
): void {
  count(state, 0, 1, 0, 0)
  withMember(state, event.member, (member) => {
    pause(member, event.at)
    change(member)
    member.status = 'working'
    member.message = event.message
    member.answer = null
    member.attempt++
    member.turn = 1
  })
}

/** Stops the clock of working time. */
function pause(member: Writable<MemberState>, at: number): void {
  if (member.runningSince === null) return
  member.workedMs += at - member.runningSince
  member.runningSince = null
}

function withVisit(state: Fresh, change: (visit: Writable<Visit>) => void): void {
  if (state.current === null) return
  const visit = copyVisit(state.current)
  change(visit)
  state.current = visit
}

function withMember(state: Fresh, index: number, change: (member: Writable<MemberState>) => void): void {
  withVisit(state, (visit) => {
    const old = visit.members[index]
    if (old === undefined) return
    const member = copyMember(old)
    change(member)
    const members = visit.members.slice()
    members[index] = member
    visit.members = members
  })
}

function count(state: Fresh, visits: number, dispatches: number, flow: number, agents: number): void {
  const { totals } = state
  state.totals = {
    visits: totals.visits + visits,
    dispatches: totals.dispatches + dispatches,
    flowQuestions: totals.flowQuestions + flow,
    agentQuestions: totals.agentQuestions + agents,
  }
}

function pay(state: Fresh, { counted, spent, pass }: Paid): void {
  if (counted !== null) state.counters = { ...state.counters, [counted]: (state.counters[counted] ?? 0) + 1 }
  if (spent !== null) state.budgets = { ...state.budgets, [spent]: (state.budgets[spent] ?? 0) - 1 }
  if (pass !== null) state.counters = withoutScope(state.counters, pass)
}

function withoutScope(counters: Readonly<Record<string, number>>, scope: string): Record<string, number> {
  const kept: Record<string, number> = {}
  for (const counter in counters) if (!counter.startsWith(scope)) kept[counter] = counters[counter]!
  return kept
}

function extend(state: Fresh, { budget, amount }: EventOf<'budget.extended'>): void {
  state.extended = true
  const { limits } = state
  if (budget === 'cost') state.limits = { ...limits, costUsd: (limits.costUsd ?? 0) + amount }
  else if (budget === 'tokens') state.limits = { ...limits, tokens: (limits.tokens ?? 0) + amount }
  else state.budgets = { ...state.budgets, [budget]: (state.budgets[budget] ?? 0) + amount }
}
