/** A flow as columns: its steps in order, then its ends; a run stands where it is. */
import type { RunRow } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import type { StartDraft, TodoIssue } from '../course/start.view.ts'

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

/** An issue that nobody works on yet, or a run. */
export type BoardCard =
  | { readonly kind: 'issue'; readonly issue: TodoIssue }
  | { readonly kind: 'run'; readonly row: RunRow }

export const cardKey = (card: BoardCard): string =>
  card.kind === 'issue' ? `issue ${card.issue.id}` : `run ${card.row.run}`

/** The card after or before the chosen one, round about. */
export function neighbourOf(cards: readonly BoardCard[], chosen: string | null, by: 1 | -1): string | null {
  const at = cards.findIndex((card) => cardKey(card) === chosen)
  const from = at < 0 && by === -1 ? 0 : at
  const next = cards[(from + by + cards.length) % cards.length]
  return next === undefined ? null : cardKey(next)
}

/** What a run is to be started on. */
export type StartWish = StartDraft['on']

export function issueFacts({ id, status, labels, waitsFor, lastRun }: TodoIssue): readonly string[] {
  return [
    id,
    ...(status.toLowerCase() === 'todo' ? [] : [status]),
    ...labels,
    ...(waitsFor.length === 0 ? [] : [`waits for ${waitsFor.map((each) => each.id).join(', ')}`]),
    ...(lastRun === null ? [] : [`last run ${lastRun.end ?? lastRun.status}`]),
  ]
}

export const folderName = (path: string): string => path.split('/').findLast((part) => part !== '') ?? path
