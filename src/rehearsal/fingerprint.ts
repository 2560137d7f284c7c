/**
 * What of a state the rules can still read. Two states with the same fingerprint can do the same things from here on,
 * and each of them leads to the same fingerprint (test/fingerprint.test.ts holds it to that), so the rehearsal goes on
 * from one of them only. Notes, texts, visit numbers and times differ between them and change nothing; a counter that
 * starts again before it is next asked for changes nothing either.
 *
 * Every radix comes from the program, so none can be outgrown when a limit of the language is raised.
 */

import { bringsMaterial } from '../engine/settle.ts'
import { FRESH_MEMBER, type MemberState, type RunState, type Visit } from '../engine/state.ts'
import { isOverBudget } from '../engine/usage.ts'
import type { Answer, Finding } from '../model/answer.ts'
import { needsConfirmation, outcomesOf } from '../model/contract.ts'
import { FAULTS } from '../model/fault.ts'
import type { AgentStep, Member, Program, Step } from '../model/program.ts'
import { type FlowGraph, flowGraph } from '../runbook/proof/flow-graph.ts'
import { liveness } from '../runbook/proof/liveness.ts'
import { createPackedDigits, type PackedDigits, widthFor } from './packed-digits.ts'

export interface Fingerprint {
  /** How many numbers it has. */
  readonly width: number
  /** Good until the next is asked for. `now`: when the world is at it. */
  of(state: RunState, now: number): Float64Array
}

export function createFingerprint(program: Program): Fingerprint {
  const graph = flowGraph(program)
  const purses = pursesOf(graph)
  const ends = new Map(graph.nodes.flatMap(({ kind, name, id }) => (kind === 'end' ? [[name, id]] : [])))
  const outcomes = new Map(Object.values(program.steps).map((step) => [step, outcomesOf(step.contract)]))
  const stepRadixes = new Map(
    Object.values(program.steps).map((step) => [step.name, visitRadixes(step, outcomes.get(step)!.length)]),
  )
  const width = Math.max(
    ...graph.nodes.map(({ id, name }) =>
      widthFor([
        graph.nodes.length,
        ...purses[id]!.map(({ radix }) => radix),
        ...(stepRadixes.get(name) ?? []),
      ]),
    ),
  )
  const digits = createPackedDigits(width)

  const nodeOf = (state: RunState, { step, question, members }: Visit): number => {
    // Whoever is at work began before the limit was used up.
    const isOver = isOverBudget(state) && (question !== null || members.length === 0)
    const places = isOver ? graph.overLimit! : graph
    const asked = question !== null && question.cause !== 'step' ? places.asked.get(step) : undefined
    return asked ?? places.work.get(step)!
  }

  return {
    width,
    of: (state, now) => {
      const { current } = state
      digits.begin()
      if (current === null) {
        digits.put(ends.get(state.end ?? '') ?? -1, graph.nodes.length)
        return digits.numbers
      }
      const node = nodeOf(state, current)
      digits.put(node, graph.nodes.length)
      for (const { name, isCounter, radix } of purses[node]!)
        digits.put((isCounter ? state.counters : state.budgets)[name] ?? 0, radix)
      if (graph.nodes[node]!.kind !== 'work') return digits.numbers
      const step = program.steps[current.step]!
      if (step.kind === 'decide')
        digits.put(current.question === null ? 0 : 1 + current.question.reminders, remindersRadix(step))
      else if (step.kind === 'agent' || step.kind === 'panel')
        putMembers(digits, step, outcomes.get(step)!, { state, now })
      return digits.numbers
    },
  }
}

const NONE: readonly Finding[] = []

interface PurseDigit {
  readonly name: string
  readonly isCounter: boolean
  readonly radix: number
}

/** Node → the counters and budgets that can matter there. */
function pursesOf(graph: FlowGraph): PurseDigit[][] {
  const live = liveness(graph)
  const times = new Map<string, number>()
  for (const { choices } of graph.nodes)
    for (const { arms } of choices)
      for (const { bound } of arms) if (bound?.kind === 'max') times.set(bound.counter, bound.times)
  return graph.nodes.map((_, node) => [
    ...live.counters[node]!.map((name) => ({ name, isCounter: true, radix: times.get(name)! + 1 })),
    ...live.budgets[node]!.map((name) => ({
      name,
      isCounter: false,
      radix: (graph.program.budgets[name] ?? 0) + 1,
    })),
  ])
}

/** All that the digits of a visit may need, however far it is. */
function visitRadixes(step: Step, outcomes: number): number[] {
  if (step.kind === 'decide') return [remindersRadix(step)]
  if (step.kind !== 'agent' && step.kind !== 'panel') return []
  const all = step.members.map((member) => progressRadixes(member))
  const widest = (all[0] ?? []).map((_, at) => Math.max(...all.map((radixes) => radixes[at]!)))
  return [step.members.length, 2, ...summaryRadixes(outcomes), ...widest, ...answerRadixes(outcomes)]
}

const remindersRadix = ({ deadline }: Extract<Step, { kind: 'decide' }>): number =>
  2 + deadline.remindMs.length

/**
 * Members do not see each other, and only the first who is busy moves: those before it have finished, and all that can
 * still matter of them is what they come to together; those after it have done nothing, whether they have begun or not.
 */
function putMembers(
  digits: PackedDigits,
  step: AgentStep,
  outcomes: readonly string[],
  { state, now }: { readonly state: RunState; readonly now: number },
): void {
  const { members } = state.current!
  const known = state.findings[step.name] ?? NONE
  const busy = members.findIndex(({ status }) => status !== 'answered' && status !== 'faulted')
  if (busy === -1) return
  const isOver = isOverBudget(state)
  for (let later = busy + 1; later < members.length; later++)
    if (isOver ? !hasOnlyBegun(members[later]!) : members[later] !== FRESH_MEMBER)
      throw new Error(`"${step.name}" is worked at out of turn`)
  digits.put(busy, members.length)
  digits.put(flag(isOver), 2)
  if (members.length > 1) putSummary(digits, step, outcomes, members.slice(0, busy), known)
  const member = members[busy]!
  putProgress(digits, step.members[busy]!, member, now)
  if (member.status === 'gating') putAnswer(digits, step, outcomes, member.answer!, known)
}

const hasOnlyBegun = ({ runningSince, attempt, turn, raised, status }: MemberState): boolean =>
  runningSince !== null && attempt === 1 && turn === 1 && raised === 0 && status === 'working'

const flag = (is: boolean): number => (is ? 1 : 0)

const summaryRadixes = (outcomes: number): number[] => [outcomes + 1, FAULTS.length + 1, 2, 2]

/** What those who block have come to so far: the worst answer, the gravest fault, and what is read of the answers. */
function putSummary(
  digits: PackedDigits,
  step: AgentStep,
  outcomes: readonly string[],
  finished: readonly MemberState[],
  known: readonly Finding[],
): void {
  let worst = -1
  let gravest = -1
  let isConfirmed = false
  let isMaterial = false
  for (const [index, { status, answer, fault }] of finished.entries()) {
    if (step.members[index]!.advisory) continue
    if (status === 'faulted') {
      const rank = FAULTS.indexOf(fault!)
      gravest = gravest === -1 ? rank : Math.min(gravest, rank)
      continue
    }
    const rank = outcomes.indexOf(answer!.outcome)
    const needs = needsConfirmation(step.contract, answer!.choices)
    isConfirmed = rank > worst ? needs : isConfirmed || (rank === worst && needs)
    worst = Math.max(worst, rank)
    isMaterial ||= keepsOpen(step, answer!, known)
  }
  const [outcomesRadix, faultsRadix] = summaryRadixes(outcomes.length)
  digits.put(worst + 1, outcomesRadix!)
  digits.put(gravest + 1, faultsRadix!)
  digits.put(flag(isConfirmed), 2)
  digits.put(flag(isMaterial), 2)
}

const STATUSES: readonly MemberState['status'][] = ['working', 'gating', 'parked']

const progressRadixes = ({ nudges, gate, checkIn, questions }: Member): number[] => [
  STATUSES.length,
  nudges + 1,
  (gate?.max ?? 0) + 1,
  (checkIn?.blocks ?? 0) + 1,
  questions + 1,
  2,
  HOLDS,
]

/** Whether a check-in would hold it back if it answered: no more, at once, or only after its cool-down. */
const HOLDS = 3

function holdOf({ checkIn }: Member, { limited, holds, metAt }: MemberState, now: number): number {
  if (checkIn === null || limited || holds >= checkIn.blocks) return 0
  return metAt !== null && now - metAt < checkIn.coolDownMs ? 2 : 1
}

function putProgress(digits: PackedDigits, seat: Member, member: MemberState, now: number): void {
  const { gate, checkIn } = seat
  digits.put(STATUSES.indexOf(member.status), STATUSES.length)
  digits.put(member.nudges, seat.nudges + 1)
  digits.put(member.returns, (gate?.max ?? 0) + 1)
  digits.put(member.holds, (checkIn?.blocks ?? 0) + 1)
  digits.put(member.raised, seat.questions + 1)
  digits.put(flag(member.question !== null), 2)
  digits.put(holdOf(seat, member, now), HOLDS)
}

const answerRadixes = (outcomes: number): number[] => [outcomes, 2, 2]

/** An answer that is not yet taken. */
function putAnswer(
  digits: PackedDigits,
  step: AgentStep,
  outcomes: readonly string[],
  answer: Answer,
  known: readonly Finding[],
): void {
  digits.put(outcomes.indexOf(answer.outcome), outcomes.length)
  digits.put(flag(needsConfirmation(step.contract, answer.choices)), 2)
  digits.put(flag(keepsOpen(step, answer, known)), 2)
}

const keepsOpen = ({ settleOn }: AgentStep, { fields }: Answer, known: readonly Finding[]): boolean =>
  settleOn !== null && bringsMaterial(known, (fields[settleOn] ?? NONE) as readonly Finding[])
