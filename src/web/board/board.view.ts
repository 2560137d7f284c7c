/** A flow as columns: its steps in order, then its ends; a run stands where it is. */
import type { RunRow } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'

export interface BoardColumn {
  readonly id: string
  readonly label: string
  /** A step that a run can be moved to; an end is where it has come to by itself. */
  readonly kind: 'end' | 'step'
  readonly cards: readonly RunRow[]
}

/** The flows that runs were made of, the latest used first. */
export const flowsOf = (rows: readonly RunRow[]): readonly string[] => [
  ...new Set([...rows].sort((one, other) => other.startedAt - one.startedAt).map(({ name }) => name)),
]

/** How many of the ended runs an end shows: a board is about what goes on. */
const MOST_ENDED = 20

export function columnsOf(program: Program, rows: readonly RunRow[]): readonly BoardColumn[] {
  const going = rows.filter(({ status }) => status !== 'ended')
  const here = new Set(going.map(({ step }) => step))
  const steps = Object.values(program.steps)
    // What only makes ready is shown while somebody stands there.
    .filter((step) => step.kind !== 'flow' && (!isPreparation(step.name, program) || here.has(step.name)))
    .map(({ name }) => ({
      ...{ id: name, label: name, kind: 'step' as const },
      cards: going.filter(({ step }) => step === name).sort(byWaiting),
    }))
  const ended = rows.filter(({ status }) => status === 'ended')
  const ends = [...new Set([...Object.keys(program.ends), ...ended.map(({ end }) => end ?? '')])]
    .filter((end) => end !== '')
    .map((end) => ({
      ...{ id: `end ${end}`, label: end, kind: 'end' as const },
      cards: ended
        .filter((row) => row.end === end)
        .sort((one, other) => other.changedAt - one.changedAt)
        .slice(0, MOST_ENDED),
    }))
  return [...steps, ...ends]
}

/** Setup and the trials of gates stand before the first written step. */
function isPreparation(name: string, { steps, entry }: Program): boolean {
  if (entry === undefined) return false
  const names = Object.keys(steps)
  return names.indexOf(name) < names.indexOf(entry) || name.endsWith('.trial')
}

const byWaiting = (one: RunRow, other: RunRow): number =>
  other.waiting - one.waiting || one.changedAt - other.changedAt

/** Who works at a step. */
export function agentsAt(program: Program, step: string): string {
  const found = program.steps[step]
  return found !== undefined && 'members' in found ? found.members.map(({ agent }) => agent).join(', ') : ''
}
