/** What an agent could do, or what could become of it. */
import type { Duty } from '../../src/engine/duties.ts'
import type { RunState } from '../../src/engine/state.ts'
import type { RawAnswer } from '../../src/model/answer.ts'
import type { RunCommand } from '../../src/model/command.ts'
import { type AgentStep, type Program, stepOf } from '../../src/model/program.ts'
import { answersTo, nonsenseFor } from './answers.ts'
import type { Action } from './world.ts'

export interface Moment {
  readonly program: Program
  readonly state: RunState
  readonly now: number
}

const HOUR_MS = 3_600_000

/** Of one that is prompted, or waits for the answer to its own question. */
export function agentActions({ program, state, now }: Moment, index: number): Action[] {
  const { step, seat, member, address } = seatAt({ program, state, now }, index)
  const begin: RunCommand = { type: 'attempt.begin', at: now, ...address, session: null }
  const hasBegun = member.runningSince !== null || member.question !== null
  // Only a clock or a purse can tell whether it has begun; elsewhere it begins as it does something.
  const beginsApart = hasLimits(program) || step.members.some(({ timeLimitMs }) => timeLimitMs !== null)
  if (!hasBegun && beginsApart) return [{ what: 'begin', at: now, commands: [begin] }]
  const does = (what: string, command: RunCommand): Action => ({
    what,
    at: now,
    commands: hasBegun ? [command] : [begin, command],
  })
  const waits = member.question === null ? '' : ' while it waits'
  const says = (what: string, given: RawAnswer): Action =>
    does(what + waits, { type: 'attempt.answer', at: now, ...address, given })
  const { contract, settleOn } = step
  const known = state.findings[step.name] ?? []
  const asks = (what: string, more: object): Action =>
    does(what, { type: 'attempt.ask', at: now, ...address, payload: { ...QUESTION, ...more } })
  const { writes = null, judge } = program.agents[seat.agent] ?? {}
  const isBounded = writes !== null || judge !== undefined
  // In a panel the others wait with it, and a second time in a visit leads where the first did.
  const feelsWaiting = step.members.length === 1 || seat.checkIn !== null || seat.timeLimitMs !== null
  return [
    ...answersTo({ contract, settleOn, known, members: step.members.length }).map((given) =>
      says('answer', given),
    ),
    ...nonsenseFor(contract).map((given) => says('nonsense', given)),
    asks(`ask${waits}`, {}),
    ...(member.raised < seat.questions && waits === ''
      ? [asks('ask with a deadline', { deadline: '1h' })]
      : []),
    ...(member.question === null
      ? []
      : [asks('ask something else instead', { supersedes: member.question.id })]),
    ...(isBounded
      ? [does(`trespass${waits}`, { type: 'attempt.trespass', at: now, ...address, files: ['elsewhere'] })]
      : []),
    ...(member.limited || waits !== '' || !feelsWaiting
      ? []
      : [does('usage limit', { type: 'attempt.park', at: now, ...address, until: now + HOUR_MS })]),
  ]
}

const QUESTION = {
  headline: 'Which way?',
  question: 'Left or right?',
  options: [
    { key: 'left', label: 'Left' },
    { key: 'right', label: 'Right' },
  ],
}

/** Of one that has not finished, whatever it is at. */
export function busyActions(moment: Moment, index: number): Action[] {
  const { program, state, now } = moment
  const { member, address } = seatAt(moment, index)
  const fault = (name: 'failed' | 'stalled'): Action => ({
    what: name,
    at: now,
    commands: [{ type: 'attempt.fault', at: now, ...address, fault: name, detail: '' }],
  })
  // Whoever uses something has begun.
  const isDue = member.status === 'working' && member.runningSince === null && member.question === null
  const begin: RunCommand[] = isDue ? [{ type: 'attempt.begin', at: now, ...address, session: null }] : []
  const uses = usedUp(program, state).map(
    (used): Action => ({
      what: 'uses up the limit',
      at: now,
      commands: [...begin, { type: 'attempt.use', at: now, ...address, ...used }],
    }),
  )
  return [fault('failed'), fault('stalled'), ...uses]
}

/** What an agent used before is told when it has long finished. */
export function lateUsage({ program, state, now: at }: Moment): Action[] {
  const address = { step: program.start, visit: 0, member: 0, attempt: 0 }
  return usedUp(program, state).map((used) => ({
    what: 'usage told late',
    at,
    commands: [{ type: 'attempt.use', at, ...address, ...used }],
  }))
}

/** More than the rest of a limit, for each there is. What stays below one changes no rule. */
function usedUp({ limits }: Program, { usage }: RunState): { costUsd: number; tokens: number }[] {
  const { costUsd, tokens } = limits
  const isOver = (costUsd !== null && usage.costUsd > costUsd) || (tokens !== null && usage.tokens > tokens)
  if (isOver) return []
  return [
    ...(costUsd === null ? [] : [{ costUsd: costUsd + 1, tokens: 0 }]),
    ...(tokens === null ? [] : [{ costUsd: 0, tokens: tokens + 1 }]),
  ]
}

const hasLimits = ({ limits }: Program): boolean => limits.costUsd !== null || limits.tokens !== null

export function gateActions(
  duty: Extract<Duty, { kind: 'prompt-agent' | 'run-gate' }>,
  at: number,
): Action[] {
  const { step, visit, member, attempt } = duty
  const report = (what: string, exitCode: number | null): Action => {
    const result = { exitCode, output: '', commit: null, diffstat: '' }
    return { what, at, commands: [{ type: 'gate.report', at, step, visit, member, attempt, ...result }] }
  }
  return [report('gate passes', 0), report('gate fails', 1), report('gate does not end', null)]
}

function seatAt({ program, state }: Moment, index: number) {
  const { step: name, number: visit, members } = state.current!
  const step = stepOf(program, name) as AgentStep
  const member = members[index]!
  const address = { step: name, visit, member: index, attempt: member.attempt }
  return { step, seat: step.members[index]!, member, address }
}
