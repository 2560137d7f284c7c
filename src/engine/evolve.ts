/**
 * State and event in, next state out. Total, and without any rule: it knows no program and no clock, so a journal
 * can be folded by anybody (the host, the browser) and always gives the same state.
 *
 * Changes are made on fresh copies (fresh.ts), never on what came in.
 */
import type { EventOf, RunEvent } from '../model/event.ts'
import { EVENT_TRAITS } from '../model/event-traits.ts'
import { turnUsageAfter } from '../model/plausible-usage.ts'
import { RETRY } from '../model/route.ts'
import { copyState, type Writable } from './copy.ts'
import { lapsedText } from './decision.ts'
import {
  answerQuestion,
  closeQuestion,
  holdAnswer,
  openQuestion,
  remindOf,
  undoAnswer,
  wake,
  withUndoable,
} from './evolve-question.ts'
import { giveBack, takeOver } from './evolve-take-over.ts'
import { freshMember, keepUntold, sayWord, tellWords } from './evolve-word.ts'
import { count, type Fresh, pause, pay, withMember, withoutScope, withVisit } from './fresh.ts'
import { FRESH_MEMBER, type MemberState, NEW_RUN, type RunState, turnUsageOf } from './state.ts'

export function evolve(state: RunState, event: RunEvent): RunState {
  const next = copyState(state)
  next.version++
  apply(next, event)
  if (next.undo !== null && !EVENT_TRAITS[event.type].keepsUndo) next.undo = null
  return next
}

export const replay = (events: readonly RunEvent[], from: RunState = NEW_RUN): RunState =>
  events.reduce(evolve, from)

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
    case 'attempt.resumed':
      withMember(state, event.member, (member, { undo }) => {
        pause(member, event.since)
        member.runningSince = event.at
        member.undo = undo
      })
      return
    case 'attempt.parked':
      withMember(state, event.member, (member) => {
        pause(member, event.at)
        member.status = 'parked'
        member.parkedUntil = event.until
        member.parkedFor = event.reason ?? null
        member.limited = true
      })
      return
    case 'attempt.woken':
      withMember(state, event.member, (member) => {
        member.status = 'working'
        member.parkedUntil = null
        member.parkedFor = null
        member.turn++
      })
      return
    case 'usage.recorded':
      state.usage = {
        costUsd: state.usage.costUsd + (event.costUsd ?? 0),
        tokens: state.usage.tokens + event.tokens,
        unpriced: state.usage.unpriced + (event.costUsd === null ? event.tokens : 0),
      }
      if (event.late !== true && state.current?.members[event.member] !== undefined)
        withMember(state, event.member, (member, before) => {
          const { turn, attempt, undo } = before
          member.used = { turn, attempt, ...turnUsageAfter(turnUsageOf(before), event) }
          member.undo = undo
        })
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
    case 'answer.deferred':
      withMember(state, event.member, (member) => {
        pause(member, event.at)
        member.status = 'working'
        member.message = event.message
        member.answer = null
        member.turn++
      })
      return
    case 'word.said':
      sayWord(state, event)
      return
    case 'word.told':
      tellWords(state, event)
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
      if (event.unprompted === true) count(state, 0, -1, 0, 0)
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
    case 'answer.reported':
    case 'handoff.reported':
    case 'answer.received':
    case 'boundary.held':
    case 'work.committed':
    case 'artifact.kept':
    case 'decision.acknowledged':
    case 'decision.acted':
    case 'decision.undelivered':
    case 'decision.retried':
    case 'decision.proven':
    case 'decision.superseded':
    case 'decision.outrun':
    case 'decision.snoozed':
    case 'decision.assigned':
    case 'agent.prompted':
    case 'host.noted':
    case 'run.discarded':
    case 'landing.begun':
    case 'landing.dropped':
    case 'run.landed':
    case 'issues.changed':
    case 'run.handed':
    case 'base.merged':
    case 'update.asked':
    case 'update.dropped':
      return
    case 'context.gathered':
      withVisit(state, (visit) => {
        visit.phase = visit.question === null ? 'working' : 'asking'
        visit.context = event.items
      })
      return
    case 'question.opened':
      openQuestion(state, event)
      return
    case 'question.reminded':
      remindOf(state, event.question)
      return
    case 'answer.held':
      holdAnswer(state, event)
      return
    case 'question.answered':
      answerQuestion(state, event)
      return
    case 'decision.delivered':
      withUndoable(state, event.question, () => {})
      return
    case 'question.undone':
      undoAnswer(state, event)
      return
    case 'question.closed':
      closeQuestion(state, event.question, (member, { id, decision }) => {
        if (event.reason === 'expired' && decision !== null) wake(member, event.at, lapsedText(id, decision))
      })
      return
    case 'visit.left':
      leave(state, event)
      return
    case 'run.moved':
      keepUntold(state)
      state.current = null
      if (event.again !== undefined) beginAgain(state, event, event.again)
      state.cameFrom = event.tells
      state.extended = true
      return
    case 'run.taken':
      takeOver(state, event)
      return
    case 'run.resumed':
      giveBack(state, event)
      return
    case 'budget.extended':
      extend(state, event)
      return
    case 'run.ended':
      state.status = 'ended'
      state.current = null
      state.end = event.end
      state.taken = null
      return
    default:
      event satisfies never
  }
}

function enter(state: Fresh, { step, visit, kind, members, gathers, at }: EventOf<'visit.entered'>): void {
  if (kind === 'flow') state.counters = withoutScope(state.counters, `${step}/`)
  state.visits = { ...state.visits, [step]: (state.visits[step] ?? 0) + 1 }
  if (state.visits[step] !== visit) state.numbers = { ...state.numbers, [step]: visit }
  count(state, 1, members, 0, 0)
  state.current = {
    step,
    kind,
    number: visit,
    enteredAt: at,
    phase: gathers ? 'gathering' : 'working',
    members: new Array<MemberState>(members).fill(members === 0 ? FRESH_MEMBER : freshMember(state)),
    question: null,
    asked: 0,
    context: {},
  }
}

function leave(state: Fresh, event: EventOf<'visit.left'>): void {
  const { step, visit, outcome, detail, by, at } = event
  pay(state, event.paid)
  keepUntold(state)
  state.current = null
  state.cameFrom = event.tells
  const advice = event.advice === undefined ? {} : { advice: event.advice }
  const record = { visit, outcome, answer: event.answer, detail, by, at, ...advice }
  state.records = { ...state.records, [step]: record }
  if (event.findings !== null) state.findings = { ...state.findings, [step]: event.findings }
  if (event.paid.forgets !== undefined) forget(state, event.paid.forgets, [step, event.tells])
}

/** As a retry of the flow's own question leaves it. */
function beginAgain(
  state: Fresh,
  { from, by, at }: EventOf<'run.moved'>,
  { visit, detail }: { readonly visit: number; readonly detail: string },
): void {
  const record = { visit, outcome: RETRY, answer: null, detail, by, at }
  state.records = { ...state.records, [from]: record }
}

/** What the steps of a scope said before; but for whoever sends the run back, or nobody would know why. */
function forget(state: Fresh, scope: string, but: readonly (string | null)[]): void {
  const told = Object.entries(state.records).filter(([step]) => but.includes(step))
  state.records = { ...withoutScope(state.records, scope), ...Object.fromEntries(told) }
  state.findings = withoutScope(state.findings, scope)
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

function extend(state: Fresh, { budget, amount }: EventOf<'budget.extended'>): void {
  state.extended = true
  const { limits } = state
  if (budget === 'cost') state.limits = { ...limits, costUsd: (limits.costUsd ?? 0) + amount }
  else if (budget === 'tokens') state.limits = { ...limits, tokens: (limits.tokens ?? 0) + amount }
  else state.budgets = { ...state.budgets, [budget]: (state.budgets[budget] ?? 0) + amount }
}
