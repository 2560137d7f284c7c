/** A gate: run once for each "done", by us. A failure sends the agent back a bounded number of times. */
import { lastCharacters } from '../model/characters.ts'
import type { RunCommand } from '../model/command.ts'
import { fencedBlock, words } from '../model/fence.ts'
import { concluded, faulted, seatOf, stale } from './attempt.ts'
import { happen, type Judged, refused, type Turn } from './turn.ts'
import { HEAR_FIRST, isUntold } from './untold.ts'

const TAIL = 4000

export function reportGate(turn: Turn, command: Extract<RunCommand, { type: 'gate.report' }>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'gating')
    return refused('not-waiting', `No gate of "${command.step}" is running.`)
  const { at, member, exitCode, commit, diffstat, beside, redefined } = command
  const output = lastCharacters(command.output, TAIL)
  const evidence = {
    ...{ exitCode, output, commit, diffstat },
    ...(beside === undefined ? {} : { beside }),
    ...(redefined === undefined ? {} : { redefined }),
  }
  if (exitCode === 0) {
    happen(turn, { type: 'gate.passed', at, member, evidence })
    if (isUntold(seat.state)) happen(turn, { type: 'answer.deferred', at, member, message: HEAR_FIRST })
    else concluded(turn, at)
  } else if (seat.state.returns < (seat.member.gate?.max ?? 0))
    happen(turn, { type: 'gate.failed', at, member, evidence, message: sentBackBy(exitCode, output) })
  else faulted(turn, { at, member, fault: 'failed', detail: `The gate failed.\n\n${output}` })
  return null
}

const sentBackBy = (exitCode: number | null, output: string): string =>
  [
    `You said you were done, but the gate failed ${exitCode === null ? 'to run to its end' : `with exit code ${exitCode}`}.`,
    'Mend what it shows, then answer again.',
    '',
    fencedBlock(words('the gate', 'output', output.trimEnd())),
  ].join('\n')
