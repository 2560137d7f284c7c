/** Work outside a boundary, which was undone: its agent is told, while it may still mend it. */
import type { RunCommand } from '../model/command.ts'
import { fencedBlock, fencedInline, words } from '../model/fence.ts'
import { isBounded } from '../model/program.ts'
import { visibleLine } from '../model/visible-text.ts'
import { faulted, notWorking, seatOf, stale } from './attempt.ts'
import { happen, type Judged, refused, type Turn } from './turn.ts'
import { boundaryText, unusableException, writesOf } from './views/boundary.ts'

/** Writes outside its boundary were undone: told to the agent while nudges last, then a fault. */
export function trespass(turn: Turn, command: Extract<RunCommand, { type: 'attempt.trespass' }>): Judged {
  const seat = seatOf(turn, command)
  if (seat === null) return stale(command)
  if (seat.state.status !== 'working') return notWorking(seat)
  if (seat.state.question !== null)
    return refused('not-waiting', `"${seat.member.agent}" waits for a person.`)
  const { at, member, files } = command
  if (!isBounded(turn.program, seat.member.agent))
    return refused('impossible-fault', `"${seat.member.agent}" may write anywhere in the worktree.`)
  const { words: said } = command
  const message =
    said === undefined ? trespassText(files, boundaryOf(turn, seat.member.agent)) : judgedText(files, said)
  const given = { kind: 'nothing' } as const
  if (seat.state.nudges < seat.member.nudges)
    happen(turn, { type: 'answer.refused', at, member, validity: 'out-of-bounds', given, message })
  else faulted(turn, { at, member, fault: 'out_of_bounds', detail: message })
  return null
}

const judgedText = (files: readonly string[], said: string): string =>
  [
    'What you changed is out of bounds, and was undone:',
    '',
    fencedBlock(words('the judge', 'reason', said)),
    '',
    ...undone(files),
    '',
    'Do it within that, then answer again.',
  ].join('\n')

const undone = (files: readonly string[]): string[] => [
  'Undone:',
  ...files
    .slice(0, MOST_FILES)
    .map(
      (file) => `- ${fencedInline(words('whoever made it', 'file name', visibleLine(file).slice(0, 300)))}`,
    ),
  ...(files.length > MOST_FILES ? [`- and ${files.length - MOST_FILES} more`] : []),
]

const trespassText = (files: readonly string[], boundary: string | null): string =>
  [
    'You changed files outside your boundary. Those changes were undone; everything else is as you left it.',
    '',
    ...undone(files),
    '',
    ...(boundary === null ? [] : [boundary]),
    'Finish your work within that, then answer again.',
  ].join('\n')

function boundaryOf({ program, state }: Turn, agent: string): string | null {
  const writes = writesOf(program, state, agent)
  return writes === null ? null : boundaryText(writes, unusableException(program, state, agent))
}

const MOST_FILES = 20
