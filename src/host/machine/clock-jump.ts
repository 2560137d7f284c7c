/**
 * Time that passed for the world and not for this process: the machine slept, the process was stopped, the clock was set. Two
 * clocks and a beat tell: one goes by the wall, the other only forward and only while the machine is awake. A third has what the
 * process itself has worked: a beat that is late because of that is late, and nobody slept. Pure.
 */

/** The wall clock went from the one to the other, and nobody was awake between; back, where somebody set it so. */
export interface ClockJump {
  readonly from: number
  readonly to: number
}

export interface ClockReading {
  readonly wallAt: number
  readonly steadyMs: number
  /** What its processors have done for this process so far. */
  readonly workedMs: number
}

/** How often the clocks are read while it matters. */
export const BEAT_MS = 1_000
/** Less is a busy machine, or a clock that is put right a little. */
export const LEAST_JUMP_MS = 5_000

/** Between two readings that should be a beat apart. */
export function jumpBetween(last: ClockReading, now: ClockReading): ClockJump | null {
  const steadyMs = Math.max(0, now.steadyMs - last.steadyMs)
  const workedMs = now.workedMs - last.workedMs
  // Whoever comes so late was not running, but for as long as it worked.
  const isLate = steadyMs >= BEAT_MS + LEAST_JUMP_MS
  const awakeMs = isLate ? Math.min(steadyMs, Math.max(BEAT_MS, workedMs)) : steadyMs
  const from = last.wallAt + awakeMs
  return Math.abs(now.wallAt - from) < LEAST_JUMP_MS ? null : { from, to: now.wallAt }
}
