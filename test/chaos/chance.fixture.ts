/** Chance that can be had again: the same seed gives the same numbers. Time is not part of it. */
export interface Chance {
  /** From 0 up to, but without, 1. */
  next(): number
  between(low: number, high: number): number
  pick<T>(all: readonly T[]): T
  happens(probability: number): boolean
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (all) => all[Math.floor(next() * all.length)]!,
    happens: (probability) => next() < probability,
  }
}
