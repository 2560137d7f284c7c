/**
 * Leaving a step and entering the next: the one place where an outcome becomes a route, is paid for, and is
 * followed through the exits of inlined flows to a step, a person or an end.
 */
import type { Actor, Answer, Finding } from '../model/answer.ts'
import { outcomesOf } from '../model/contract.ts'
import type { EventOf, Paid } from '../model/event.ts'
import { isFault } from '../model/fault.ts'
import { type Program, prepares, restartedBy, type Step, stepOf } from '../model/program.ts'
import { type Arm, type Bound, canSettle, chooseArm, targetText } from '../model/route.ts'
import { nextQuestion, visitNumber } from './names.ts'
import { isSettled, settleRound } from './settle.ts'
import type { RunState, Visit } from './state.ts'
import { happen, type Turn, visitOf } from './turn.ts'

export interface ReachedOutcome {
  readonly outcome: string
  readonly answer: Answer | null
  readonly detail: string
  readonly by: Actor
  /** What an agent had proposed before a person decided. */
  readonly proposal?: Answer | null
}

export const SIGNALBOX: Actor = { kind: 'signalbox' }
const NOTHING_PAID: Paid = { counted: null, spent: null, pass: null }

/** The current step ends with this outcome. */
export function leave(turn: Turn, at: number, result: ReachedOutcome): void {
  const { program } = turn
  const visit = visitOf(turn)
  let step = stepOf(program, visit.step)
  let { outcome, answer } = result
  let round = roundOf(turn.state, step, result)
  for (;;) {
    const route = step.routes[outcome]
    if (route === undefined) throw new Error(`no route for "${outcome}" of "${step.name}"`)
    const index = chooseArm(route, turn.state, round.settled)
    const arm = route.arms[index]!
    const paid = paidFor(program, step, arm)
    // A step that only begins again is told what it was told before.
    const again = arm.to.kind === 'step' && arm.to.step === step.name && !isAnswer(outcome)
    const told = again || goesUnsaid(step, result) ? turn.state.cameFrom : visit.step
    if (arm.to.kind === 'ask') {
      putToPerson(turn, at, result, { outcome, arm: index }, paid)
      return
    }
    happen(turn, {
      type: 'visit.left',
      at,
      step: step.name,
      visit: visitNumber(turn.state, step.name) || 1,
      outcome,
      answer,
      detail: result.detail,
      by: result.by,
      arm: index,
      to: targetText(arm.to),
      settled: round.settled,
      tells: told,
      findings: round.findings,
      ...adviceOf(step, visit),
      paid,
    })
    if (arm.to.kind === 'step') {
      enter(turn, at, arm.to.step)
      return
    }
    if (arm.to.kind === 'end') {
      const { end } = arm.to
      happen(turn, {
        type: 'run.ended',
        at,
        end,
        success: program.ends[end]?.success ?? false,
        by: result.by,
        reason: '',
      })
      return
    }
    // Out of an inlined flow: its end is an outcome of the step it stands in.
    step = stepOf(program, arm.to.flow)
    outcome = arm.to.end
    answer = null
    round = NO_ROUND
  }
}

/** That all is ready is no work that the next step builds on; what went wrong, or what a person said to it, is. */
const goesUnsaid = (step: Step, { outcome, by }: ReachedOutcome): boolean =>
  prepares(step) && outcome === outcomesOf(step.contract)[0] && by.kind !== 'person'

const isAnswer = (outcome: string): boolean => !isFault(outcome) && !outcome.startsWith('@')

export function enter(turn: Turn, at: number, name: string): void {
  const step = stepOf(turn.program, name)
  const gathers = step.kind === 'decide' && step.context.some((item) => item.kind === 'command')
  happen(turn, {
    type: 'visit.entered',
    at,
    step: name,
    visit: visitNumber(turn.state, name) + 1,
    kind: step.kind,
    members: step.kind === 'agent' || step.kind === 'panel' ? step.members.length : 0,
    gathers,
  })
  if (step.kind === 'flow') enter(turn, at, step.entry)
  else if (step.kind === 'decide' && !gathers) askPerson(turn, at)
}

type Opened = EventOf<'question.opened'>

/** The question of a decide step. */
export const askPerson = (turn: Turn, at: number): void =>
  open(turn, at, { cause: 'step', fault: null, detail: '', proposal: null, route: null, paid: null })

/** An agent's answer that only a person may give. */
export const propose = (turn: Turn, at: number, proposal: Answer): void =>
  open(turn, at, { cause: 'proposal', fault: null, detail: '', proposal, route: null, paid: null })

/** The step's own question, put to a person because it faulted or because nobody wrote a route. */
function putToPerson(
  turn: Turn,
  at: number,
  result: ReachedOutcome,
  route: Opened['route'] & object,
  paid: Paid,
): void {
  const fault = isFault(route.outcome) ? route.outcome : null
  const cause = fault === null ? 'unrouted' : 'fault'
  open(turn, at, { cause, fault, detail: result.detail, proposal: result.answer, route, paid })
}

function open(
  turn: Turn,
  at: number,
  about: Pick<Opened, 'cause' | 'fault' | 'detail' | 'proposal' | 'route' | 'paid'>,
): void {
  const { step, number, asked } = visitOf(turn)
  const { cause, fault, detail, proposal, route, paid } = about
  const question = nextQuestion(`${step}#${number}`, asked)
  happen(turn, {
    type: 'question.opened',
    at,
    question,
    cause,
    member: null,
    fault,
    detail,
    proposal,
    decision: null,
    route,
    paid,
  })
}

interface RoundResult {
  readonly settled: boolean
  readonly findings: readonly Finding[] | null
}

const NO_ROUND: RoundResult = { settled: false, findings: null }

/** What a person chooses is taken as it is, and never settles a round; what agents had found is kept all the same. */
function roundOf(
  state: RunState,
  step: Step,
  { outcome, answer, by, proposal }: ReachedOutcome,
): RoundResult {
  const said = answer?.fields[step.settleOn ?? ''] ?? proposal?.fields[step.settleOn ?? '']
  if (step.settleOn === null || isFault(outcome) || (answer === null && said === undefined)) return NO_ROUND
  const round = settleRound(state.findings[step.name] ?? [], (said ?? []) as readonly Finding[])
  const loops = canSettle(step.routes[outcome]?.arms ?? [])
  return { settled: loops && by.kind !== 'person' && isSettled(round), findings: round.findings }
}

function paidFor(program: Program, step: Step, arm: Arm): Paid {
  const restarted = restartedBy(program, step.name, arm)
  const paid = arm.bound === null ? NOTHING_PAID : priceOf(arm.bound)
  return restarted.length === 0 ? paid : { ...paid, restarted }
}

function priceOf(bound: Bound): Paid {
  if (bound.kind === 'max') return { counted: bound.counter, spent: null, pass: null }
  const { budget, pass, forgets } = bound
  const paid = { counted: null, spent: budget, pass }
  return forgets === true && pass !== null ? { ...paid, forgets: pass } : paid
}

/** What the advisers of a panel had answered when it was left. */
function adviceOf(step: Step, { step: current, members }: Visit): { advice?: Record<string, Answer> } {
  if (step.kind !== 'panel' || step.name !== current) return {}
  const advice: Record<string, Answer> = {}
  for (const [index, { agent, advisory }] of step.members.entries()) {
    const answer = members[index]?.answer ?? null
    if (!advisory || answer === null) continue
    // One agent may sit on a panel twice, each time with a prompt of its own.
    const twins = step.members
      .slice(0, index)
      .filter((other) => other.advisory && other.agent === agent).length
    advice[twins === 0 ? agent : `${agent} (${twins + 1})`] = answer
  }
  return Object.keys(advice).length === 0 ? {} : { advice }
}
