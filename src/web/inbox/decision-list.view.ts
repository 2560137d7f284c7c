/** What waits, as the lines of a list: those that ask the same stand as one, what sleeps stands last. */
import type { ListedDecision } from '../../model/api/decision-record.ts'
import { durationText } from '../ui/time.ts'

export interface ListLine {
  /** The one whose delay costs most. */
  readonly row: ListedDecision
  /** All that ask the same, this one included. */
  readonly ids: readonly string[]
  readonly isAsleep: boolean
}

export interface ListOrder {
  /** Words that must stand somewhere in it. */
  readonly filter: string
  readonly now: number
  /** Each of them on a line of its own. */
  readonly isSpread: boolean
}

export function linesOf(pending: readonly ListedDecision[], order: ListOrder): readonly ListLine[] {
  const { filter, now, isSpread } = order
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const [awake, asleep] = [createLines(isSpread), createLines(isSpread)]
  // Written as a loop: it goes over ten thousand between a key and the next card.
  for (const row of pending) {
    if (words.length > 0 && !hasAll(row, words)) continue
    const isAsleep = row.snoozedUntil !== null && row.snoozedUntil > now
    ;(isAsleep ? asleep : awake).add(row, isAsleep)
  }
  return asleep.lines.length === 0 ? awake.lines : [...awake.lines, ...asleep.lines]
}

function createLines(isSpread: boolean) {
  const lines: ListLine[] = []
  const byQuestion = new Map<string, string[]>()
  return {
    lines,
    add: (row: ListedDecision, isAsleep: boolean): void => {
      const known = isSpread || row.status !== 'open' ? undefined : byQuestion.get(row.alike)
      if (known !== undefined) {
        known.push(row.id)
        return
      }
      const ids = [row.id]
      if (row.status === 'open') byQuestion.set(row.alike, ids)
      lines.push({ row, ids, isAsleep })
    },
  }
}

function hasAll(row: ListedDecision, words: readonly string[]): boolean {
  const text = textOf(row)
  return words.every((word) => text.includes(word))
}

const textOf = ({ headline, ask, run, step, kind, asker, assignee, runbook, repo }: ListedDecision): string =>
  [headline, ask, run, step, kind, asker?.agent, assignee, runbook, repo].join(' ').toLowerCase()

/** The first line says what waiting costs. */
export function costOf(
  pending: readonly ListedDecision[],
  { now, isWhole }: { readonly now: number; readonly isWhole: boolean },
): { readonly title: string; readonly under: string } {
  const running = new Set<string>()
  let [awake, oldest] = [0, now]
  for (const { snoozedUntil, openedAt, run, cause } of pending) {
    if (snoozedUntil !== null && snoozedUntil > now) continue
    awake++
    if (openedAt < oldest) oldest = openedAt
    if (run !== null && cause !== 'agent') running.add(run)
  }
  if (awake === 0) return { title: 'Nothing waits for you', under: asleepText(pending.length) }
  const still = running.size
  const under = [
    `Oldest ${durationText(now - oldest)}`,
    ...(still === 0 ? [] : [`${numberText(still)} ${still === 1 ? 'run stands' : 'runs stand'} still`]),
  ]
  const count = `${awake.toLocaleString('en')}${isWhole ? '' : '+'}`
  return { title: `${count} ${awake === 1 ? 'waits' : 'wait'} for you`, under: under.join(' · ') }
}

const asleepText = (count: number): string =>
  count === 0 ? 'What is asked comes here by itself.' : `${count} ${count === 1 ? 'sleeps' : 'sleep'}.`

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const numberText = (count: number): string => NUMBERS[count] ?? `${count}`

/** Where it comes from and what waiting for it means, in a few words. */
export function originOf({ row, ids }: ListLine): string {
  const { run, step, cause, asker, kind, status, assignee, options } = row
  if (status === 'undeliverable') return 'answered, and the answer reached nobody'
  const isFinal = options.some(({ reversible }) => !reversible)
  const parts =
    ids.length > 1
      ? [run === null ? `${ids.length} ask the same` : `${ids.length} runs ask the same`]
      : cause === 'agent' || cause === 'outside'
        ? [`${asker?.agent || 'somebody'} asks`, kind]
        : [run ?? '', step ?? '', 'stands still']
  return [...parts, isFinal ? 'cannot be undone' : '', assignee === null ? '' : `for ${assignee}`]
    .filter((part) => part !== '')
    .join(' · ')
}

/** The line after this one; the one before where it was the last; null where none is left. */
export function neighbourOf(lines: readonly ListLine[], id: string, by: -1 | 1): string | null {
  const at = lines.findIndex(({ ids }) => ids.includes(id))
  if (at === -1) return lines[0]?.row.id ?? null
  return lines[Math.min(Math.max(0, at + by), lines.length - 1)]?.row.id ?? null
}

/** Where to go when this one is done. */
export function nextAfter(lines: readonly ListLine[], done: readonly string[]): string | null {
  const at = lines.findIndex(({ ids }) => ids.some((id) => done.includes(id)))
  const isLeft = ({ ids, isAsleep }: ListLine): boolean => !isAsleep && !ids.some((id) => done.includes(id))
  const after = lines.slice(at + 1).find(isLeft) ?? lines.slice(0, Math.max(0, at)).findLast(isLeft)
  return after?.row.id ?? null
}
