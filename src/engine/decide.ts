/** Program, state and command in; events out, or a refusal. The only place where rules live. */
import type { RunCommand } from '../model/command.ts'
import type { Program } from '../model/program.ts'
import { answer, ask, begin, fault, park, unaffordable, use } from './attempt.ts'
import { reportCheck } from './check.ts'
import { passTime } from './clock.ts'
import { type Decided, refused } from './decision.ts'
import { evolve } from './evolve.ts'
import { reportGate } from './gate.ts'
import { answerQuestion, reportContext } from './question.ts'
import { cancel, extend, move, retry, start } from './run.ts'
import type { RunState } from './state.ts'

export function decide(program: Program, state: RunState, command: RunCommand): Decided {
  const decided = judge(program, state, command)
  const { limits } = state
  if ('refusal' in decided || (limits.costUsd === null && limits.tokens === null)) return decided
  const events = [...decided.events]
  let now = events.reduce(evolve, state)
  for (;;) {
    const more = unaffordable(program, now, command.at)
    if (more.length === 0) return { events }
    events.push(...more)
    now = more.reduce(evolve, now)
  }
}

function judge(program: Program, state: RunState, command: RunCommand): Decided {
  if (command.type === 'run.start') return start(program, state, command)
  if (state.status === 'new') return refused('not-started', 'The run has not started.')
  if (state.status === 'ended') return refused('ended', `Run ${state.run} has ended as ${state.end}.`)
  switch (command.type) {
    case 'attempt.begin':
      return begin(program, state, command)
    case 'attempt.answer':
      return answer(program, state, command)
    case 'attempt.fault':
      return fault(program, state, command)
    case 'attempt.park':
      return park(program, state, command)
    case 'attempt.use':
      return use(program, state, command)
    case 'attempt.ask':
      return ask(program, state, command)
    case 'gate.report':
      return reportGate(program, state, command)
    case 'check.report':
      return reportCheck(program, state, command)
    case 'context.report':
      return reportContext(program, state, command)
    case 'question.answer':
      return answerQuestion(program, state, command)
    case 'time.pass':
      return passTime(program, state, command.at)
    case 'run.move':
      return move(program, state, command)
    case 'run.retry':
      return retry(program, state, command)
    case 'run.cancel':
      return cancel(program, state, command)
    case 'run.extend':
      return extend(program, state, command)
  }
}
