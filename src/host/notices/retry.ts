/** When a notice is tried again. Pure. */

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

export const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
]

/** Nobody is waited for longer, whatever they ask. */
const LONGEST_WAIT_MS = 24 * HOUR_MS

/** After so many attempts; null when that was the last. */
export function nextAttemptAt(
  attempts: number,
  { now, notBefore }: { readonly now: number; readonly notBefore: number | null },
): number | null {
  const waitMs = WAITS_MS[attempts - 1]
  if (waitMs === undefined) return null
  return Math.max(now + waitMs, Math.min(notBefore ?? 0, now + LONGEST_WAIT_MS))
}
