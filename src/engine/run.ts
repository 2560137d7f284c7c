/** A run as a whole: its start, and what only a person may do to it. */
import type { Actor } from '../model/answer.ts'
import type { RunCommand } from '../model/command.ts'
import { digestOf } from '../model/digest.ts'
import { nearest } from '../model/nearest.ts'
import type { RunEvent } from '../model/event.ts'
import type { Program } from '../model/program.ts'
import { type Decided, happened, refused } from './decision.ts'
import { evolve } from './evolve.ts'
import { enter } from './routing.ts'
import type { RunState } from './state.ts'

type Command<T extends RunCommand['type']> = Extract<RunCommand, { type: T }>

export function start(program: Program, state: RunState, command: Command<'run.start'>): Decided {
  if (state.status !== 'new') return refused('already-started', `Run ${state.run} has already started.`)
  const vars: Record<string, string> = {}
  for (const name of Object.keys(command.vars))
    if (!Object.hasOwn(program.vars, name)) {
      const near = nearest(name, Object.keys(program.vars))
      return refused('unknown-variable', `${program.name} has no variable "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}.`)
    }
  for (const [name, variable] of Object.entries(program.vars)) {
    const value = command.vars[name] ?? variable.default
    if (value === null && variable.required)
      return refused('missing-variable', `${program.name} needs the variable "${name}".`)
    if (value !== null) vars[name] = value
  }
  const started: RunEvent = {
    type: 'run.started',
    at: command.at,
    run: command.run,
    program: programDigest(program),
    vars,
    budgets: program.budgets,
    limits: program.limits,
  }
  return happened(started, ...enter(program, evolve(state, started), command.at, program.start))
}

// Hashing a program takes longer than running a step of it, and a program never changes.
const digests = new WeakMap<Program, string>()
function programDigest(program: Program): string {
  const known = digests.get(program)
  if (known !== undefined) return known
  const digest = digestOf(program)
  digests.set(program, digest)
  return digest
}

export function move(program: Program, state: RunState, command: Command<'run.move'>): Decided {
  if (!Object.hasOwn(program.steps, command.to)) {
    const near = nearest(command.to, Object.keys(program.steps))
    return refused('unknown-step', `There is no step "${command.to}"${near === undefined ? '' : `; did you mean "${near}"?`}.`)
  }
  return moved(program, state, command)
}

/** The current step again, from its beginning. */
export function retry(program: Program, state: RunState, command: Command<'run.retry'>): Decided {
  return moved(program, state, { ...command, to: state.current!.step })
}

function moved(
  program: Program,
  state: RunState,
  { at, to, by, reason }: { at: number; to: string; by: Actor; reason: string },
): Decided {
  if (by.kind !== 'person') return refused('people-only', 'Only a person may move a run.')
  const event: RunEvent = { type: 'run.moved', at, from: state.current!.step, to, by, reason }
  return happened(...withdrawals(state, at), event, ...enter(program, evolve(state, event), at, to))
}

export function cancel(_program: Program, state: RunState, command: Command<'run.cancel'>): Decided {
  const { at, by, reason } = command
  if (by.kind !== 'person') return refused('people-only', 'Only a person may cancel a run.')
  return happened(...withdrawals(state, at), { type: 'run.ended', at, end: 'cancelled', success: false, by, reason })
}

export function extend(program: Program, _state: RunState, command: Command<'run.extend'>): Decided {
  const { at, budget, amount, by } = command
  if (by.kind !== 'person') return refused('people-only', 'Only a person may extend a budget.')
  const known = [...Object.keys(program.budgets), 'cost', 'tokens']
  if (!known.includes(budget))
    return refused('unknown-budget', `There is no budget "${budget}". There are ${known.join(', ')}.`)
  if (!Number.isFinite(amount) || amount <= 0 || (budget !== 'cost' && !Number.isInteger(amount)))
    return refused('bad-amount', `A budget is extended by a whole number above zero, not by ${amount}.`)
  return happened({ type: 'budget.extended', at, budget, amount, by })
}

/** Questions that nobody needs to answer any more. */
function withdrawals({ current }: RunState, at: number): RunEvent[] {
  const open = [current?.question, ...(current?.members.map((member) => member.question) ?? [])]
  return open.flatMap((question) =>
    question === null || question === undefined
      ? []
      : [{ type: 'question.closed', at, question: question.id, reason: 'withdrawn' } as const],
  )
}
