/**
 * What could happen next in a run, seen from outside: whatever an agent, a command, a person or the clock can do
 * about its duties and open questions. Each move is made of real commands for the real engine.
 *
 * Panel members do not see each other, so only the first who is still busy moves: every other order gives the
 * same states in the end.
 */

import { timersOf } from '../engine/clock.ts'
import { exampleAnswer } from '../engine/contract-text.ts'
import { duties } from '../engine/duties.ts'
import { offeredExtras, offeredOutcomes } from '../engine/question.ts'
import type { MemberState, OpenQuestion, RunState } from '../engine/state.ts'
import type { Actor, Finding, Given } from '../model/answer.ts'
import type { Address, RunCommand } from '../model/command.ts'
import { asksNothing, type Contract, possibleOutcomes } from '../model/contract.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import type { Fault } from '../model/fault.ts'
import {
  type AgentStep,
  type CheckStep,
  isBounded,
  type Program,
  type Step,
  stepOf,
} from '../model/program.ts'
import type { Act } from './act.ts'

export interface Move {
  readonly act: Act
  /** When the world is at it afterwards. */
  readonly at: number
  readonly commands: readonly RunCommand[]
}

const PERSON: Actor = { kind: 'person', name: 'rehearsal' }

export function movesOf(program: Program, state: RunState, now: number): Move[] {
  const { current } = state
  if (current === null) return []
  const step = stepOf(program, current.step)
  if (current.question !== null) return questionMoves(program, state, step, current.question, now)
  const busy = current.members.findIndex(({ status }) => status !== 'answered' && status !== 'faulted')
  if (busy >= 0) return memberMoves(program, state, busy, now)
  const [duty] = duties(program, state)
  if (duty?.kind === 'run-check') return checkMoves(step as CheckStep, current.number, now)
  if (duty?.kind === 'gather-context')
    return [
      one({ kind: 'context' }, now, {
        type: 'context.report',
        at: now,
        step: step.name,
        visit: current.number,
        items: {},
      }),
    ]
  return []
}

const one = (act: Act, at: number, ...commands: RunCommand[]): Move => ({ act, at, commands })

function memberMoves(program: Program, state: RunState, index: number, now: number): Move[] {
  const visit = state.current!
  const step = stepOf(program, visit.step) as AgentStep
  const member = visit.members[index]!
  const seat = step.members[index]!
  const address = { step: step.name, visit: visit.number, member: index, attempt: member.attempt }
  const name = step.members.length > 1 ? seat.agent : null
  if (member.question !== null)
    return [
      one({ kind: 'person', picks: 'answers', stead: false }, now, {
        type: 'question.answer',
        at: now,
        question: member.question.id,
        by: PERSON,
        extra: null,
        given: { kind: 'nothing' },
        note: 'Go on.',
      }),
    ]
  if (member.status === 'gating') {
    const report = (exitCode: number) =>
      ({
        type: 'gate.report',
        at: now,
        ...address,
        exitCode,
        output: '',
        commit: null,
        diffstat: '',
      }) as const
    const gate = (passes: boolean) => one({ kind: 'gate', passes, member: name }, now, report(passes ? 0 : 1))
    return [gate(true), gate(false)]
  }
  const answer = (act: Act, given: Given, at = now): Move =>
    one(act, at, { type: 'attempt.answer', at, ...address, given })
  const moves: Move[] = []
  // A held agent that answers after the cool-down can be held again, where it may be.
  const later = seat.checkIn !== null && member.metAt !== null ? member.metAt + seat.checkIn.coolDownMs : null
  for (const outcome of possibleOutcomes(step.contract)) {
    const answers = answersFor(step, state, outcome)
    const act = { kind: 'answer', outcome, member: name, settled: false, later: false } as const
    moves.push(answer(act, answers[0]!))
    if (answers[1] !== undefined) moves.push(answer({ ...act, settled: true }, answers[1]))
    if (later !== null && later > now) moves.push(answer({ ...act, later: true }, answers[0]!, later))
  }
  if (!asksNothing(step.contract))
    moves.push(
      answer({ kind: 'wrong', member: name, handoff: false }, { kind: 'malformed', text: 'no JSON here' }),
    )
  else if (isBounded(program, seat.agent))
    moves.push(
      one({ kind: 'wrong', member: name, handoff: false }, now, {
        type: 'attempt.trespass',
        at: now,
        ...address,
        files: ['rehearsed'],
      }),
    )
  const handoff = step.contract.handoff
  if (handoff !== null && (handoff.partial || handoff.fallback !== null))
    moves.push(
      answer({ kind: 'wrong', member: name, handoff: true }, { kind: 'value', value: withoutHandoff(step) }),
    )
  // Advice that fails is recorded, whichever way it failed.
  const faults: readonly Fault[] = seat.advisory ? ['failed'] : step.faults
  for (const fault of faults) {
    if (fault === 'invalid' || fault === 'expired') continue
    moves.push(
      fault === 'timed_out' && seat.timeLimitMs !== null
        ? timeOut(address, name, member, seat.timeLimitMs, now)
        : one({ kind: 'fault', fault, member: name }, now, {
            type: 'attempt.fault',
            at: now,
            ...address,
            fault,
            detail: 'rehearsed',
          }),
    )
  }
  if (member.raised < seat.questions)
    moves.push(
      one({ kind: 'asks', member: name }, now, {
        type: 'attempt.ask',
        at: now,
        ...address,
        payload: EXAMPLE_DECISION,
      }),
    )
  return moves
}

function timeOut(
  address: Address,
  name: string | null,
  member: MemberState,
  limitMs: number,
  now: number,
): Move {
  const since = member.runningSince ?? now
  const at = since + Math.max(0, limitMs - member.workedMs)
  const act: Act = { kind: 'fault', fault: 'timed_out', member: name }
  return one(
    act,
    at,
    { type: 'attempt.begin', at: now, ...address, session: null },
    { type: 'time.pass', at },
  )
}

/** The same example serves every state. */
const examples = new WeakMap<Contract, Map<string, Record<string, unknown>>>()
function example(contract: Contract, outcome: string): Record<string, unknown> {
  let known = examples.get(contract)
  if (known === undefined) {
    known = new Map()
    examples.set(contract, known)
  }
  let found = known.get(outcome)
  if (found === undefined) {
    found = exampleAnswer(contract, outcome)
    known.set(outcome, found)
  }
  return found
}

/** One answer for each way the outcome can go on: with news for the loop, or with nothing material left. */
function answersFor(step: AgentStep, state: RunState, outcome: string): Given[] {
  const value = example(step.contract, outcome)
  const { settleOn } = step
  if (settleOn === null || (step.routes[outcome]?.arms.length ?? 0) < 2) return [{ kind: 'value', value }]
  const known = state.findings[step.name] ?? []
  const fixed = known.flatMap(({ id, status }) => (status === 'open' ? [{ id, status: 'fixed' }] : []))
  const fresh = (severity: Finding['severity']) => ({
    title: `Finding ${known.length + 1}`,
    severity,
    status: 'open',
  })
  return (['major', 'minor'] as const).map((severity) => ({
    kind: 'value',
    value: { ...value, [settleOn]: [...fixed, fresh(severity)] },
  }))
}

function withoutHandoff(step: AgentStep): Record<string, unknown> {
  const { handoff: _left, ...rest } = exampleAnswer(step.contract)
  return { ...rest, notes: 'Told in words.' }
}

function checkMoves(step: CheckStep, visit: number, now: number): Move[] {
  const report = (act: Act, exitCode: number | null, output = '', timedOut = false): Move =>
    one(act, now, { type: 'check.report', at: now, step: step.name, visit, exitCode, output, timedOut })
  const fault = (name: Fault): Act => ({ kind: 'fault', fault: name, member: null })
  const moves = possibleOutcomes(step.contract).map((outcome) => {
    const act: Act = { kind: 'answer', outcome, member: null, settled: false, later: false }
    return step.answers === 'json'
      ? report(act, 0, JSON.stringify(example(step.contract, outcome)))
      : report(act, step.exits[outcome]?.[0] ?? freeCode(step))
  })
  moves.push(report(fault('failed'), null))
  if (step.faults.includes('timed_out')) moves.push(report(fault('timed_out'), null, '', true))
  if (step.faults.includes('invalid')) moves.push(report(fault('invalid'), 0, 'no JSON here'))
  return moves
}

/** An exit code that no outcome names. */
function freeCode({ exits }: CheckStep): number {
  const taken = new Set(Object.values(exits).flatMap((codes) => codes ?? []))
  for (let code = 1; ; code++) if (!taken.has(code)) return code
}

function questionMoves(
  program: Program,
  state: RunState,
  step: Step,
  question: OpenQuestion,
  now: number,
): Move[] {
  const base = { type: 'question.answer', at: now, question: question.id, by: PERSON, note: '' } as const
  const nothing: Given = { kind: 'nothing' }
  const actOf = (outcome: string): Act =>
    question.cause === 'step'
      ? { kind: 'answer', outcome, member: null, settled: false, later: false }
      : { kind: 'person', picks: outcome, stead: true }
  const moves = [
    ...offeredOutcomes(step, question).map((outcome) =>
      one(actOf(outcome), now, {
        ...base,
        extra: null,
        given: { kind: 'value', value: example(step.contract, outcome) },
      }),
    ),
    ...offeredExtras(state, step, question).map((extra) =>
      one({ kind: 'person', picks: extra.slice(1), stead: false }, now, { ...base, extra, given: nothing }),
    ),
  ]
  // Only there does time lead anywhere; elsewhere it reminds, and the way on is the same.
  const [timer] = question.cause === 'step' ? timersOf(program, state) : []
  if (timer !== undefined) {
    const act: Act =
      timer.kind === 'expire' ? { kind: 'fault', fault: 'expired', member: null } : { kind: 'wait' }
    moves.push(one(act, timer.at, { type: 'time.pass', at: timer.at }))
  }
  return moves
}
