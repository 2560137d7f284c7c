/** What an agent at work can do: answer, rightly or wrongly, fail, ask; and what becomes of its gate and its question. */
import { exampleAnswer } from '../engine/contract-text.ts'
import type { MemberState, RunState } from '../engine/state.ts'
import type { Finding, RawAnswer } from '../model/answer.ts'
import { combinationsFor, possibleOutcomes } from '../model/combinations.ts'
import type { Address, RunCommand } from '../model/command.ts'
import { asksNothing, type Contract } from '../model/contract.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import type { Fault } from '../model/fault.ts'
import { type AgentStep, isBounded, isLimited, type Member, type Program, stepOf } from '../model/program.ts'
import { canSettle } from '../model/route.ts'
import { type Act, answerAct } from './act.ts'
import { exampleFor } from './example.ts'
import { faultsByRoute } from './fault-routes.ts'
import { type FaultWalks, type Move, moveBy, REHEARSER } from './move.ts'

interface Scene {
  readonly program: Program
  readonly state: RunState
  readonly now: number
  readonly faults: FaultWalks
}

interface Seat {
  readonly step: AgentStep
  readonly seat: Member
  readonly member: MemberState
  /** How a scenario calls it; null where there is only one. */
  readonly name: string | null
  readonly address: Address
}

export function memberMoves(scene: Scene, index: number): Move[] {
  const { program, state, now } = scene
  const visit = state.current!
  const step = stepOf(program, visit.step) as AgentStep
  const member = visit.members[index]!
  const seat = step.members[index]!
  const address = { step: step.name, visit: visit.number, member: index, attempt: member.attempt }
  const at: Seat = { step, seat, member, name: step.members.length > 1 ? seat.agent : null, address }
  if (member.question !== null) return [answered(member.question.id, now)]
  if (member.status === 'gating') return [gated(at, now, 0), gated(at, now, 1)]
  return [...answers(scene, at), ...wrongAnswers(scene, at), ...faults(scene, at), ...questions(scene, at)]
}

const ANSWERED: Act = { kind: 'person', picks: 'answers', stead: false }

const answered = (question: string, at: number): Move =>
  moveBy(ANSWERED, at, {
    type: 'question.answer',
    at,
    question,
    by: REHEARSER,
    extra: null,
    given: { kind: 'nothing' },
    note: 'Go on.',
  })

const gated = ({ address, name }: Seat, at: number, exitCode: 0 | 1): Move =>
  moveBy({ kind: 'gate', passes: exitCode === 0, member: name }, at, {
    type: 'gate.report',
    at,
    ...address,
    exitCode,
    output: '',
    commit: null,
    diffstat: '',
  })

function answers({ state, now }: Scene, { step, seat, member, name, address }: Seat): Move[] {
  const answer = (act: Act, value: object, at = now): Move =>
    moveBy(act, at, { type: 'attempt.answer', at, ...address, given: { kind: 'value', value } })
  const later = heldFrom(seat, member)
  return waysTo(step).flatMap(({ outcome, value, proposed, lacksHandoff }) => {
    // Without its handoff it is no answer while nudges last: that is the move `wrong`.
    if (lacksHandoff && member.nudges < seat.nudges) return []
    const act = answerAct(outcome, { member: name, proposed })
    const [first, settled] = rounds(step, state, address.member, outcome, value)
    const moves = [answer(act, first!)]
    if (settled !== undefined) moves.push(answer({ ...act, settled: true }, settled))
    if (later !== null && later > now) moves.push(answer({ ...act, later: true }, first!, later))
    return moves
  })
}

/** When an agent that met a person, or was held, can be held again; null where it cannot. */
function heldFrom({ checkIn }: Member, { metAt, holds, limited }: MemberState): number | null {
  if (checkIn === null || metAt === null || limited || holds >= checkIn.blocks) return null
  return metAt + checkIn.coolDownMs
}

interface Way {
  readonly outcome: string
  readonly value: Readonly<Record<string, unknown>>
  readonly proposed: boolean
  /** It can be told only without its handoff: no answer while nudges last. */
  readonly lacksHandoff: boolean
}

const ways = new WeakMap<AgentStep, readonly Way[]>()

/** An answer for each outcome, and another where some choices need a person's word and others do not. */
function waysTo(step: AgentStep): readonly Way[] {
  const known = ways.get(step)
  if (known !== undefined) return known
  const { contract } = step
  const found = possibleOutcomes(contract).flatMap((outcome) => {
    const combinations = combinationsFor(contract, outcome)
    const isDirect = combinations.some(({ confirm }) => !confirm)
    return combinations.map((way) => ({
      outcome,
      value: exampleAnswer(contract, outcome, way),
      proposed: way.confirm && isDirect,
      lacksHandoff: way.lacksHandoff,
    }))
  })
  ways.set(step, found)
  return found
}

/** With news for the loop; and, where it can settle, with nothing material left. */
function rounds(
  { name, settleOn, routes }: AgentStep,
  { findings }: RunState,
  member: number,
  outcome: string,
  value: Way['value'],
): readonly Way['value'][] {
  if (settleOn === null || !canSettle(routes[outcome]?.arms ?? [])) return [value]
  const known = findings[name] ?? []
  const fixed = known.flatMap(({ id, status }) => (status === 'open' ? [{ id, status: 'fixed' }] : []))
  // Each member's own: the same words of two members would be one finding.
  const title = `Finding ${known.length + 1} of member ${member + 1}`
  const round = (severity: Finding['severity']) => ({
    ...value,
    [settleOn]: [...fixed, { title, severity, status: 'open' }],
  })
  return [round('major'), round('minor')]
}

const MALFORMED: RawAnswer = { kind: 'malformed', text: 'no JSON here' }

function wrongAnswers({ program, now }: Scene, { step, seat, name, address }: Seat): Move[] {
  const { contract } = step
  const answer = (given: RawAnswer): RunCommand => ({ type: 'attempt.answer', at: now, ...address, given })
  const moves: Move[] = []
  const wrong: Act = { kind: 'wrong', member: name, handoff: false }
  if (!asksNothing(contract)) moves.push(moveBy(wrong, now, answer(MALFORMED)))
  else if (isBounded(program, seat.agent))
    moves.push(moveBy(wrong, now, { type: 'attempt.trespass', at: now, ...address, files: ['rehearsed'] }))
  const { handoff } = contract
  if (handoff !== null && (handoff.partial || handoff.fallback !== null))
    moves.push(
      moveBy({ ...wrong, handoff: true }, now, answer({ kind: 'value', value: withoutHandoff(contract) })),
    )
  return moves
}

function withoutHandoff(contract: Contract): Record<string, unknown> {
  const { handoff: _left, ...rest } = exampleFor(contract, possibleOutcomes(contract)[0]!)
  return { ...rest, notes: 'Told in words.' }
}

function faults({ program, state, now, faults: walks }: Scene, at: Seat): Move[] {
  const { step, seat } = at
  const movesOf = (fault: Fault): Move[] => {
    const move = moveOf(fault)
    if (move === null) return []
    const others = state.current!.members.length - 1 - at.address.member
    return fault === 'over_budget' && others > 0 ? [move, overspend(at, state, now, others)] : [move]
  }
  const moveOf = (fault: Fault): Move | null => {
    switch (fault) {
      // These become of wrong answers and of time.
      case 'invalid':
      case 'expired':
        return null
      case 'timed_out':
        return seat.timeLimitMs === null ? null : timeOut(at, seat.timeLimitMs, now)
      case 'over_budget':
        return overspend(at, state, now, 0)
      case 'out_of_bounds':
        return isBounded(program, seat.agent) ? faulted(at, fault, now) : null
      case 'failed':
      case 'stalled':
        return faulted(at, fault, now)
    }
  }
  const firstOf = (group: readonly Fault[]): Move[] =>
    group.map(movesOf).find((moves) => moves.length > 0) ?? []
  // Advice that fails is recorded, whichever way it failed.
  if (seat.advisory) return (isLimited(program) ? ADVISERS_LIMITED : ADVISERS).flatMap(firstOf)
  return walks === 'each' ? step.faults.flatMap(movesOf) : faultsByRoute(step).flatMap(firstOf)
}

const ADVISERS: readonly (readonly Fault[])[] = [['failed']]
const ADVISERS_LIMITED: readonly (readonly Fault[])[] = [['failed'], ['over_budget']]

const faulted = ({ address, name }: Seat, fault: Reported, at: number): Move =>
  moveBy({ kind: 'fault', fault, member: name }, at, {
    type: 'attempt.fault',
    at,
    ...address,
    fault,
    detail: 'rehearsed',
  })

type Reported = Extract<RunCommand, { type: 'attempt.fault' }>['fault']

function timeOut({ address, name, member }: Seat, limitMs: number, now: number): Move {
  const since = member.runningSince ?? now
  const at = since + Math.max(0, limitMs - member.workedMs)
  return moveBy(
    { kind: 'fault', fault: 'timed_out', member: name },
    at,
    { type: 'attempt.begin', at: now, ...address, session: null },
    { type: 'time.pass', at },
  )
}

/** It uses more than the run has left, whatever was used before; so many after it are at work by then. */
const overspend = ({ address, name }: Seat, { limits }: RunState, at: number, others: number): Move =>
  moveBy(
    { kind: 'fault', fault: 'over_budget', member: name, ...(others > 0 ? { together: true } : {}) },
    at,
    ...Array.from({ length: 1 + others }, (_, index): RunCommand => {
      const member = address.member + index
      const attempt = index === 0 ? address.attempt : 1
      return { type: 'attempt.begin', at, ...address, member, attempt, session: null }
    }),
    {
      type: 'attempt.use',
      at,
      ...address,
      costUsd: limits.costUsd === null ? null : limits.costUsd + 1,
      tokens: limits.tokens === null ? 0 : limits.tokens + 1,
    },
  )

const questions = ({ now }: Scene, { seat, member, name, address }: Seat): Move[] =>
  member.raised < seat.questions
    ? [
        moveBy({ kind: 'asks', member: name }, now, {
          type: 'attempt.ask',
          at: now,
          ...address,
          payload: EXAMPLE_DECISION,
        }),
      ]
    : []
