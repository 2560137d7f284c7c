/** What the host tells during a walk: a record that was read, a list that changed, an answer that was taken. */
import type { DecisionRecord } from '../../model/decision-record.ts'
import { currentOf, type Item, standingAt, type Walk } from './walk.ts'

/** The record of the decision that is looked at. One that has changed under somebody's hands begins again. */
export function withRecord(walk: Walk, record: DecisionRecord): Walk {
  if (currentOf(walk)?.id !== record.id) return walk
  if (walk.record === null || walk.record.digest === record.digest) return { ...walk, record }
  return {
    ...standingAt(walk, walk.at),
    record,
    mode: { kind: 'gone', why: 'What it shows has changed. Look at it again.' },
  }
}

export const saying = (walk: Walk, said: string): Walk => ({ ...walk, mode: { kind: 'look' }, said })

/** Answered from here, or put off: they are off the list. */
export const withoutItems = (walk: Walk, ids: readonly string[], said: string): Walk =>
  saying(
    listed(
      walk,
      walk.items.filter(({ id }) => !ids.includes(id)),
    ),
    said,
  )

/** Closed by somebody else while it was on the screen. */
export const goneFrom = (walk: Walk, id: string, why: string): Walk => ({
  ...withoutItems(walk, [id], ''),
  mode: { kind: 'gone', why },
})

/** A new list: whoever reads a decision goes on reading it, wherever it stands now. */
export function listed(walk: Walk, items: readonly Item[]): Walk {
  const current = currentOf(walk)
  const at = items.findIndex(({ id }) => id === current?.id)
  if (at >= 0) return { ...walk, items, at }
  const next = Math.min(walk.at, Math.max(0, items.length - 1))
  return standingAt({ ...walk, items }, next)
}

export function standingOn(walk: Walk, id: string): Walk {
  const at = walk.items.findIndex((item) => item.id === id)
  return at < 0 || at === walk.at ? walk : standingAt(walk, at)
}
