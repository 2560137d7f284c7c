/** A gate: run once for each "done", by us. A failure sends the agent back a bounded number of times. */
import type { RunCommand } from '../model/command.ts'
import type { RunEvent } from '../model/event.ts'
import type { Program } from '../model/program.ts'
import { concluded, faulted, seatOf, stale } from './attempt.ts'
import { type Decided, happened, refused } from './decision.ts'
import { evolve } from './evolve.ts'
import type { RunState } from './state.ts'

const TAIL = 4000

export function reportGate(
  program: Program,
  state: RunState,
  command: Extract<RunCommand, { type: 'gate.report' }>,
): Decided {
  const seat = seatOf(program, state, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'gating') return refused('not-waiting', `No gate of "${command.step}" is running.`)
  const { at, member, exitCode, output, commit } = command
  const evidence = { exitCode, output: output.slice(-TAIL), commit }
  if (exitCode === 0) {
    const passed: RunEvent = { type: 'gate.passed', at, member, evidence }
    return happened(passed, ...concluded(program, evolve(state, passed), at))
  }
  const message = [
    `You said you were done, but the gate failed ${exitCode === null ? 'to run to its end' : `with exit code ${exitCode}`}.`,
    'Mend what it shows, then answer again.',
    '',
    '```',
    evidence.output.trimEnd(),
    '```',
  ].join('\n')
  if (seat.state.returns < (seat.member.gate?.max ?? 0))
    return happened({ type: 'gate.failed', at, member, evidence, message })
  return happened(...faulted(program, state, { at, member, fault: 'failed', detail: `The gate kept failing.\n\n${evidence.output}` }))
}
