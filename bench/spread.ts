/** How long most took, and how long the slowest in a hundred. */
export interface Spread {
  readonly p50: number
  readonly p99: number
}

export function spreadOf(took: readonly number[]): Spread {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
