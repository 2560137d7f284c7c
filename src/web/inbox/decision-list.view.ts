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
  const shown = pending.filter((row) => words.every((word) => textOf(row).includes(word)))
  const lines: ListLine[] = []
  const byQuestion = new Map<string, { line: ListLine; ids: string[] }>()
  for (const row of shown) {
    const isAsleep = (row.snoozedUntil ?? 0) > now
    const key = isSpread || row.status !== 'open' ? row.id : `${row.alike} ${isAsleep}`
    const known = byQuestion.get(key)
    if (known !== undefined) {
      known.ids.push(row.id)
      continue
    }
    const ids = [row.id]
    const line = { row, ids, isAsleep }
    byQuestion.set(key, { line, ids })
    lines.push(line)
  }
  return [...lines.filter(({ isAsleep }) => !isAsleep), ...lines.filter(({ isAsleep }) => isAsleep)]
}

const textOf = ({ headline, ask, run, step, kind, asker, assignee, runbook, repo }: ListedDecision): string =>
  [headline, ask, run, step, kind, asker?.agent, assignee, runbook, repo].join(' ').toLowerCase()

/** The first line says what waiting costs. */
export function costOf(
  pending: readonly ListedDecision[],
  { now, isWhole }: { readonly now: number; readonly isWhole: boolean },
): { readonly title: string; readonly under: string } {
  const awake = pending.filter(({ snoozedUntil }) => (snoozedUntil ?? 0) <= now)
  const count = `${awake.length.toLocaleString('en')}${isWhole ? '' : '+'}`
  if (awake.length === 0) return { title: 'Nothing waits for you', under: asleepText(pending.length) }
  const oldest = Math.min(...awake.slice(0, MOST_LOOKED_AT).map(({ openedAt }) => openedAt))
  const still = new Set(awake.flatMap(({ run, cause }) => (run === null || cause === 'agent' ? [] : [run])))
    .size
  const under = [
    `Oldest ${durationText(now - oldest)}`,
    ...(still === 0 ? [] : [`${numberText(still)} ${still === 1 ? 'run stands' : 'runs stand'} still`]),
  ]
  return { title: `${count} ${awake.length === 1 ? 'waits' : 'wait'} for you`, under: under.join(' · ') }
}

/** As arguments of one call; the oldest is among those whose delay costs most, but for what is urgent. */
const MOST_LOOKED_AT = 10_000

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
