/**
 * What could happen next in a run, seen from outside: whatever an agent, a command, a person or the clock can do
 * about its duties and open questions. Each move is made of real commands for the real engine.
 *
 * Panel members do not see each other, so only the first who is still busy moves: every other order gives the
 * same states in the end.
 */
import { timersOf } from '../engine/clock.ts'
import { duties } from '../engine/duties.ts'
import { offeredExtras, offeredOutcomes } from '../engine/question.ts'
import type { OpenQuestion, RunState } from '../engine/state.ts'
import { givenFor } from '../engine/views/pick.ts'
import { possibleOutcomes } from '../model/combinations.ts'
import type { Fault } from '../model/fault.ts'
import { type CheckStep, type Program, type Step, stepOf } from '../model/program.ts'
import { type Act, answerAct } from './act.ts'
import { exampleFor } from './example.ts'
import { memberMoves } from './member-moves.ts'
import { type FaultWalks, type Move, moveBy, REHEARSER } from './move.ts'

export function movesOf(program: Program, state: RunState, now: number, faults: FaultWalks = 'each'): Move[] {
  const { current } = state
  if (current === null) return []
  const step = stepOf(program, current.step)
  if (current.question !== null) return questionMoves(program, state, step, current.question, now)
  const busy = current.members.findIndex(({ status }) => status !== 'answered' && status !== 'faulted')
  if (busy >= 0) return memberMoves({ program, state, now, faults }, busy)
  const [duty] = duties(program, state)
  if (duty?.kind === 'run-check') return checkMoves(step as CheckStep, current.number, now)
  if (duty?.kind === 'gather-context')
    return [
      moveBy({ kind: 'context' }, now, {
        type: 'context.report',
        at: now,
        step: step.name,
        visit: current.number,
        items: {},
      }),
    ]
  return []
}

function checkMoves(step: CheckStep, visit: number, now: number): Move[] {
  const report = (act: Act, exitCode: number | null, output = '', timedOut = false): Move =>
    moveBy(act, now, { type: 'check.report', at: now, step: step.name, visit, exitCode, output, timedOut })
  const fault = (name: Fault): Act => ({ kind: 'fault', fault: name, member: null })
  const moves = possibleOutcomes(step.contract).map((outcome) =>
    step.answers === 'json'
      ? report(answerAct(outcome), 0, JSON.stringify(exampleFor(step.contract, outcome)))
      : report(answerAct(outcome), step.exits[outcome]?.[0] ?? freeCode(step)),
  )
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

/** As a person picks it at any door, with what it needs beside the choice. */
const pickedBy = ({ contract }: Step, { cause, proposal }: OpenQuestion, outcome: string) =>
  givenFor({ cause, contract, proposal }, outcome, {
    ...exampleFor(contract, outcome),
    ...(contract.handoff === null ? {} : { notes: 'Told in words.' }),
  })

function questionMoves(
  program: Program,
  state: RunState,
  step: Step,
  question: OpenQuestion,
  now: number,
): Move[] {
  const base = { type: 'question.answer', at: now, question: question.id, by: REHEARSER, note: '' } as const
  const actOf = (outcome: string): Act =>
    question.cause === 'step' ? answerAct(outcome) : { kind: 'person', picks: outcome, stead: true }
  const moves = [
    ...offeredOutcomes(step, question).map((outcome) =>
      moveBy(actOf(outcome), now, { ...base, ...pickedBy(step, question, outcome) }),
    ),
    ...offeredExtras(state, step, question).map((extra) =>
      moveBy({ kind: 'person', picks: extra.slice(1), stead: false }, now, {
        ...base,
        extra,
        given: { kind: 'nothing' },
      }),
    ),
  ]
  // Only there does time lead anywhere; elsewhere it reminds, and the way on is the same.
  const [timer] = question.cause === 'step' ? timersOf(program, state) : []
  if (timer !== undefined) {
    const act: Act =
      timer.kind === 'expire' ? { kind: 'fault', fault: 'expired', member: null } : { kind: 'wait' }
    moves.push(moveBy(act, timer.at, { type: 'time.pass', at: timer.at }))
  }
  return moves
}
