/**
 * Leaving a step and entering the next: the one place where an outcome becomes a route, is paid for, and is
 * followed through the exits of inlined flows to a step, a person or an end.
 */
import type { Actor, Answer, Finding } from '../model/answer.ts'
import type { Paid, RunEvent } from '../model/event.ts'
import type { Fault } from '../model/fault.ts'
import { isFault } from '../model/fault.ts'
import { type Program, type Step, stepOf } from '../model/program.ts'
import { type Arm, chooseArm, type Purse, targetText } from '../model/route.ts'
import { isSettled, settleRound } from './settle.ts'
import type { RunState } from './state.ts'

export interface Outcome {
  readonly outcome: string
  readonly answer: Answer | null
  readonly detail: string
  readonly by: Actor
}

const SIGNALBOX: Actor = { kind: 'signalbox' }
const NOTHING_PAID: Paid = { counted: null, spent: null, pass: null }

/** The events that follow from the current step's outcome. */
export function leave(program: Program, state: RunState, at: number, result: Outcome): RunEvent[] {
  const events: RunEvent[] = []
  const visits = { ...state.visits }
  let purse: Purse = state
  let step = stepOf(program, state.current!.step)
  let { outcome } = result
  let round = roundOf(state, step, result)
  for (;;) {
    const route = step.routes[outcome]
    if (route === undefined) throw new Error(`no route for "${outcome}" of "${step.name}"`)
    const index = chooseArm(route, purse, round.settled)
    const arm = route.arms[index]!
    const paid = paidFor(arm)
    if (arm.to.kind === 'ask') {
      events.push(put(state, at, result, { outcome, arm: index }, paid))
      return events
    }
    events.push({
      type: 'visit.left',
      at,
      step: step.name,
      visit: visits[step.name] ?? 1,
      outcome,
      answer: step.name === state.current!.step ? result.answer : null,
      detail: result.detail,
      by: result.by,
      arm: index,
      to: targetText(arm.to),
      settled: round.settled,
      findings: round.findings,
      paid,
    })
    purse = payFrom(purse, paid)
    if (arm.to.kind === 'end') {
      events.push(ended(program, at, arm.to.end, result.by))
      return events
    }
    if (arm.to.kind === 'step') {
      events.push(...enter(program, { ...state, visits }, at, arm.to.step))
      return events
    }
    step = stepOf(program, arm.to.flow)
    outcome = arm.to.end
    round = NO_ROUND
  }
}

const ended = (program: Program, at: number, end: string, by: Actor): RunEvent => ({
  type: 'run.ended',
  at,
  end,
  success: program.ends[end]?.success ?? false,
  by,
  reason: '',
})

export function enter(program: Program, state: RunState, at: number, name: string): RunEvent[] {
  const step = stepOf(program, name)
  const gathers = step.kind === 'decide' && step.context.some((item) => item.kind === 'command')
  const entered: RunEvent = {
    type: 'visit.entered',
    at,
    step: name,
    visit: (state.visits[name] ?? 0) + 1,
    kind: step.kind,
    members: step.kind === 'agent' || step.kind === 'panel' ? step.members.length : 0,
    gathers,
  }
  if (step.kind === 'flow') return [entered, ...enter(program, state, at, step.entry)]
  if (step.kind !== 'decide' || gathers) return [entered]
  return [entered, ask(questionId(name, entered.visit, 1), at)]
}

/** The question of a decide step. */
export const ask = (question: string, at: number): RunEvent => ({
  type: 'question.opened',
  at,
  question,
  cause: 'step',
  member: null,
  fault: null,
  detail: '',
  proposal: null,
  payload: null,
  route: null,
  paid: null,
})

/** The step's own question, put to a person because it faulted or because nobody wrote a route. */
function put(state: RunState, at: number, result: Outcome, route: { outcome: string; arm: number }, paid: Paid): RunEvent {
  const fault: Fault | null = isFault(route.outcome) ? route.outcome : null
  const cause = fault === null ? 'unrouted' : 'fault'
  return opened(state, at, { cause, fault, detail: result.detail, proposal: result.answer, route, paid })
}

/** An agent's answer that only a person may give. */
export const propose = (state: RunState, at: number, proposal: Answer): RunEvent =>
  opened(state, at, { cause: 'proposal', fault: null, detail: '', proposal, route: null, paid: NOTHING_PAID })

function opened(
  state: RunState,
  at: number,
  about: Pick<Extract<RunEvent, { type: 'question.opened' }>, 'cause' | 'fault' | 'detail' | 'proposal' | 'route' | 'paid'>,
): RunEvent {
  const visit = state.current!
  const question = questionId(visit.step, visit.number, visit.asked + 1)
  return { type: 'question.opened', at, question, member: null, payload: null, ...about }
}

export const questionId = (step: string, visit: number, count: number): string => `${step}#${visit}?${count}`

interface RoundResult {
  readonly settled: boolean
  readonly findings: readonly Finding[] | null
}

const NO_ROUND: RoundResult = { settled: false, findings: null }

/** Only answers of agents are rounds; what a person chooses is taken as it is. */
function roundOf(state: RunState, step: Step, { outcome, answer, by }: Outcome): RoundResult {
  if (step.settleOn === null || answer === null || by.kind === 'person' || isFault(outcome)) return NO_ROUND
  const reported = (answer.fields[step.settleOn] ?? []) as readonly Finding[]
  const round = settleRound(state.findings[step.name] ?? [], reported)
  const loops = (step.routes[outcome]?.arms.length ?? 0) > 1
  return { settled: loops && isSettled(round), findings: round.findings }
}

function paidFor({ bound }: Arm): Paid {
  if (bound === null) return NOTHING_PAID
  if (bound.kind === 'max') return { counted: bound.counter, spent: null, pass: null }
  return { counted: null, spent: bound.budget, pass: bound.pass }
}

/** What is left for the routes of the flows around. */
function payFrom(purse: Purse, { counted, spent, pass }: Paid): Purse {
  if (counted === null && spent === null) return purse
  const counters = Object.fromEntries(
    Object.entries(purse.counters).filter(([counter]) => pass === null || !counter.startsWith(pass)),
  )
  return {
    counters: counted === null ? counters : { ...counters, [counted]: (counters[counted] ?? 0) + 1 },
    budgets: spent === null ? purse.budgets : { ...purse.budgets, [spent]: (purse.budgets[spent] ?? 0) - 1 },
  }
}

export const bySignalbox = SIGNALBOX
