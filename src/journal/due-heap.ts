/**
 * Entries by when they are due, earliest first; equals in the order they came. Each entry knows its place, so that
 * one far from due can be taken out without a search.
 */
export interface Due {
  readonly dueAt: number
  readonly order: number
  /** Kept by the heap. */
  place: number
}

export interface DueHeap<T extends Due> {
  first(): T | undefined
  add(entry: T): void
  remove(entry: T): void
}

export function createDueHeap<T extends Due>(): DueHeap<T> {
  const entries: T[] = []

  function put(entry: T, place: number): void {
    entries[place] = entry
    entry.place = place
  }

  function rise(entry: T, from: number): void {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(entry, entries[parent]!)) break
      put(entries[parent]!, place)
      place = parent
    }
    put(entry, place)
  }

  function sink(entry: T, from: number): void {
    let place = from
    for (let child = 2 * place + 1; child < entries.length; child = 2 * place + 1) {
      if (child + 1 < entries.length && isBefore(entries[child + 1]!, entries[child]!)) child++
      if (!isBefore(entries[child]!, entry)) break
      put(entries[child]!, place)
      place = child
    }
    put(entry, place)
  }

  return {
    first: () => entries[0],
    add: (entry) => rise(entry, entries.length),
    remove(entry) {
      const last = entries.pop()!
      if (last === entry) return
      sink(last, entry.place)
      rise(last, last.place)
    },
  }
}

const isBefore = (a: Due, b: Due): boolean => (a.dueAt === b.dueAt ? a.order < b.order : a.dueAt < b.dueAt)
