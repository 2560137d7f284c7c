/**
 * Everything the world could do next to a run: its agents, commands, people and the clock, each in every order. It is read
 * off the duties, the open questions and the types of the commands, and shares nothing with the rehearsal.
 * What the engine refuses was not possible.
 */
import { type Duty, duties } from '../../src/engine/duties.ts'
import type { RunState } from '../../src/engine/state.ts'
import type { RunCommand } from '../../src/model/command.ts'
import { type CheckStep, type Program, stepOf } from '../../src/model/program.ts'
import { agentActions, busyActions, gateActions, lateUsage } from './agents.ts'
import { answersTo } from './answers.ts'
import type { History } from './history.ts'
import { answersToAgent, answersToFlow } from './people.ts'

export interface Action {
  /** What it is, for counting. */
  readonly what: string
  /** When the world is at it afterwards. */
  readonly at: number
  readonly commands: readonly RunCommand[]
}

export function actionsAt(program: Program, state: RunState, now: number, history: History): Action[] {
  const { current } = state
  if (current === null) return []
  const due = duties(program, state)
  return [
    ...due.flatMap((duty) => actionsFor(program, state, duty, now)),
    ...current.members.flatMap((member, index) =>
      member.question === null
        ? []
        : [
            ...answersToAgent(member.question, now),
            ...agentActions({ program, state, now }, index),
            ...busyActions({ program, state, now }, index),
          ],
    ),
    ...current.members.flatMap((member, index) =>
      member.status === 'parked' ? busyActions({ program, state, now }, index) : [],
    ),
    ...(current.question === null ? [] : answersToFlow({ program, state, now }, current.question)),
    ...(history.worked ? lateUsage({ program, state, now }) : []),
    ...timeActions(program, state, due, now),
  ]
}

function actionsFor(program: Program, state: RunState, duty: Duty, now: number): Action[] {
  switch (duty.kind) {
    case 'prompt-agent':
      return [
        ...agentActions({ program, state, now }, duty.member),
        ...busyActions({ program, state, now }, duty.member),
      ]
    case 'run-gate':
      return [...gateActions(duty, now), ...busyActions({ program, state, now }, duty.member)]
    case 'run-check':
      return checkActions(stepOf(program, duty.step) as CheckStep, duty.visit, now)
    case 'gather-context': {
      const { step, visit } = duty
      return [
        { what: 'context', at: now, commands: [{ type: 'context.report', at: now, step, visit, items: {} }] },
      ]
    }
    case 'wait-until':
      return []
  }
}

function checkActions(step: CheckStep, visit: number, at: number): Action[] {
  const report = (what: string, exitCode: number | null, output = '', timedOut = false): Action => ({
    what,
    at,
    commands: [{ type: 'check.report', at, step: step.name, visit, exitCode, output, timedOut }],
  })
  const broken = [
    report('check does not end', null),
    ...(step.timeLimitMs === null ? [] : [report('check takes too long', null, '', true)]),
  ]
  if (step.answers === 'exit') {
    return exitCodes(step)
      .map((code) => report('check exits', code))
      .concat(broken)
  }
  const printed = answersTo({ contract: step.contract, settleOn: null, known: [], members: 0 })
  return [
    ...printed.flatMap((given) =>
      given.kind === 'value' ? [report('check prints', 0, JSON.stringify(given.value))] : [],
    ),
    report('check prints nonsense', 0, 'no JSON here'),
    report('check prints nothing', 0),
    report('check exits', 1),
    ...broken,
  ]
}

const LAST_EXIT_CODE = 255

/** The first and the last code of every outcome that lists some, and one that nobody lists. */
function exitCodes({ exits }: CheckStep): number[] {
  const listed = Object.values(exits).flatMap((codes) => codes ?? [])
  const ofEach = Object.values(exits).flatMap((codes) => (codes === null ? [] : [codes[0]!, codes.at(-1)!]))
  const all = Array.from({ length: LAST_EXIT_CODE + 1 }, (_, code) => code)
  return [...new Set([...ofEach, ...all.filter((code) => !listed.includes(code)).slice(0, 1)])]
}

/** To whatever is due next, and to the end of each cool-down: whoever is held answers right away, or then. */
function timeActions(program: Program, state: RunState, due: readonly Duty[], now: number): Action[] {
  const pass = (what: string, at: number): Action => ({ what, at, commands: [{ type: 'time.pass', at }] })
  const [timer] = due.flatMap((duty) => (duty.kind === 'wait-until' ? [duty.timer] : []))
  const { step: name, members } = state.current!
  const step = stepOf(program, name)
  const seats = step.kind === 'agent' || step.kind === 'panel' ? step.members : []
  const coolDowns = members.flatMap(({ metAt, status }, index) => {
    const checkIn = seats[index]?.checkIn ?? null
    return metAt === null || checkIn === null || status !== 'working' ? [] : [metAt + checkIn.coolDownMs]
  })
  return [
    ...(timer === undefined ? [] : [pass(`time: ${timer.kind}`, Math.max(now, timer.at))]),
    ...coolDowns.filter((at) => at > now).map((at) => pass('time: cool-down', at)),
  ]
}
