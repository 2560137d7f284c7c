/**
 * Time that passed for the world and not for this process: the machine slept, the process was stopped, the clock was set. Two
 * clocks and a beat tell: one goes by the wall, the other only forward and only while the machine is awake. Pure.
 */

/** The wall clock went from the one to the other, and nobody was awake between; back, where somebody set it so. */
export interface ClockJump {
  readonly from: number
  readonly to: number
}

export interface ClockReading {
  readonly wallAt: number
  readonly steadyMs: number
}

/** How often the clocks are read while it matters. */
export const BEAT_MS = 1_000
/** Less is a busy machine, or a clock that is put right a little. */
export const LEAST_JUMP_MS = 5_000

/** Between two readings that should be a beat apart. */
export function jumpBetween(last: ClockReading, now: ClockReading): ClockJump | null {
  const steadyMs = Math.max(0, now.steadyMs - last.steadyMs)
  // Whoever comes so late was not running.
  const awakeMs = steadyMs >= BEAT_MS + LEAST_JUMP_MS ? BEAT_MS : steadyMs
  const from = last.wallAt + awakeMs
  return Math.abs(now.wallAt - from) < LEAST_JUMP_MS ? null : { from, to: now.wallAt }
}
