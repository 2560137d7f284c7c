/** What waits, always in the order of what waiting costs: one change in ten thousand is one insertion, not a sort. */
import type { ListedDecision } from '../../model/api/decision-record.ts'
import { delayRank } from '../../model/delay.ts'

export interface PendingList {
  /** In its place, whether it was there before or not. */
  set(row: ListedDecision): void
  delete(id: string): void
  /** All of them, to be kept: later changes make another. */
  all(): readonly ListedDecision[]
}

interface Placed {
  readonly row: ListedDecision
  readonly rank: number
}

export function createPendingList(): PendingList {
  const places = new Map<string, Placed>()
  const order: Placed[] = []
  let all: readonly ListedDecision[] | null = null
  /** Where it stands, or would. */
  const placeOf = (placed: Placed): number => {
    let [low, high] = [0, order.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(order[middle]!, placed) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  const remove = (id: string): void => {
    const placed = places.get(id)
    if (placed === undefined) return
    places.delete(id)
    order.splice(placeOf(placed), 1)
    all = null
  }
  return {
    set: (row) => {
      if (places.get(row.id)?.row === row) return
      remove(row.id)
      const placed = { row, rank: delayRank(row) }
      places.set(row.id, placed)
      order.splice(placeOf(placed), 0, placed)
      all = null
    },
    delete: remove,
    all: () => {
      all ??= order.map(({ row }) => row)
      return all
    },
  }
}

/** As the host has it: the highest rank first; of equals, the highest id. */
const compare = (one: Placed, other: Placed): number => {
  if (one.rank !== other.rank) return other.rank - one.rank
  if (one.row.id === other.row.id) return 0
  return one.row.id < other.row.id ? 1 : -1
}
