/** A run as a whole: its start, and what only a person may do to it. */
import type { Actor } from '../model/answer.ts'
import type { RunCommand } from '../model/command.ts'
import { digestOf } from '../model/digest.ts'
import { orNear } from '../model/nearest.ts'
import type { Program } from '../model/program.ts'
import { beforeRetry } from './question.ts'
import { enter } from './routing.ts'
import { happen, type Judged, refused, type Turn, visitOf } from './turn.ts'

type Command<T extends RunCommand['type']> = Extract<RunCommand, { type: T }>

export function start(turn: Turn, command: Command<'run.start'>): Judged {
  const { program, state } = turn
  if (state.status !== 'new') return refused('already-started', `Run ${state.run} has already started.`)
  const vars: Record<string, string> = {}
  for (const name of Object.keys(command.vars))
    if (!Object.hasOwn(program.vars, name)) {
      return refused(
        'unknown-variable',
        `${program.name} has no variable "${name}"${orNear(name, Object.keys(program.vars))}`,
      )
    }
  for (const [name, variable] of Object.entries(program.vars)) {
    const value = command.vars[name] ?? variable.default
    if (value === null && variable.required)
      return refused('missing-variable', `${program.name} needs the variable "${name}".`)
    if (value !== null) vars[name] = value
  }
  happen(turn, {
    type: 'run.started',
    at: command.at,
    run: command.run,
    program: programDigest(program),
    vars,
    budgets: program.budgets,
    limits: program.limits,
  })
  for (const fact of command.facts) happen(turn, fact)
  enter(turn, command.at, program.start)
  return null
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

export function move(turn: Turn, command: Command<'run.move'>): Judged {
  const steps = Object.keys(turn.program.steps)
  if (steps.includes(command.to)) return moved(turn, command)
  return refused('unknown-step', `There is no step "${command.to}"${orNear(command.to, steps)}`)
}

/** The current step again, from its beginning. */
export const retry = (turn: Turn, command: Command<'run.retry'>): Judged =>
  moved(turn, { ...command, to: visitOf(turn).step })

function moved(
  turn: Turn,
  { at, to, by, reason }: { at: number; to: string; by: Actor; reason: string },
): Judged {
  if (by.kind !== 'person') return refused('people-only', 'Only a person may move a run.')
  const from = visitOf(turn).step
  const { number, question } = visitOf(turn)
  withdrawQuestions(turn, at)
  // Nobody's outcome led here, unless the step only begins again.
  const tells = to === from ? turn.state.cameFrom : null
  const before = question?.cause === 'fault' ? question : { fault: null, detail: '' }
  const again =
    to === from ? { again: { visit: number, detail: beforeRetry(before, { by, said: reason }) } } : {}
  happen(turn, { type: 'run.moved', at, from, to, tells, by, reason, ...again })
  enter(turn, at, to)
  return null
}

export function cancel(turn: Turn, { at, by, reason }: Command<'run.cancel'>): Judged {
  if (by.kind !== 'person') return refused('people-only', 'Only a person may cancel a run.')
  withdrawQuestions(turn, at)
  happen(turn, { type: 'run.ended', at, end: 'cancelled', success: false, by, reason })
  return null
}

export function extend(turn: Turn, { at, budget, amount, by, reason }: Command<'run.extend'>): Judged {
  if (by.kind !== 'person') return refused('people-only', 'Only a person may extend a budget.')
  const known = [...Object.keys(turn.program.budgets), 'cost', 'tokens']
  if (!known.includes(budget))
    return refused('unknown-budget', `There is no budget "${budget}". There are ${known.join(', ')}.`)
  const { limits } = turn.state
  if ((budget === 'cost' && limits.costUsd === null) || (budget === 'tokens' && limits.tokens === null))
    return refused('unknown-budget', `This run has no limit in ${budget} to extend.`)
  if (!Number.isFinite(amount) || amount <= 0 || (budget !== 'cost' && !Number.isInteger(amount)))
    return refused(
      'bad-amount',
      `A budget is extended by ${budget === 'cost' ? 'an amount' : 'a whole number'} above zero, not by ${amount}.`,
    )
  happen(turn, { type: 'budget.extended', at, budget, amount, by, reason })
  return null
}

/** Also after the end: what is found out late is part of the record. */
export function record(turn: Turn, { facts }: Command<'run.record'>): Judged {
  for (const fact of facts) happen(turn, fact)
  return null
}

/** Questions that nobody needs to answer any more. */
export function withdrawQuestions(turn: Turn, at: number): void {
  const { question, members } = visitOf(turn)
  for (const open of [question, ...members.map((member) => member.question)])
    if (open !== null) happen(turn, { type: 'question.closed', at, question: open.id, reason: 'withdrawn' })
}
