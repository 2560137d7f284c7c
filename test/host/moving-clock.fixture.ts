/** The real clock, with a lever: time goes by as it does, and a test may let some more of it pass at once. */
import type { Clock } from '../../src/host/machine/clock.ts'

export interface MovingClock extends Clock {
  advance(byMs: number): void
}

export function createMovingClock(): MovingClock {
  let aheadMs = 0
  const waiting = new Set<() => void>()
  const now = (): number => Date.now() + aheadMs
  return {
    now,
    alarm: (at, ring) => {
      let timer: NodeJS.Timeout
      const wait = (): void => {
        clearTimeout(timer)
        timer = setTimeout(
          () => {
            waiting.delete(wait)
            ring()
          },
          Math.min(Math.max(0, at - now()), 2 ** 31 - 1),
        )
      }
      waiting.add(wait)
      wait()
      return () => {
        waiting.delete(wait)
        clearTimeout(timer)
      }
    },
    advance: (byMs) => {
      aheadMs += byMs
      for (const wait of waiting) wait()
    },
  }
}
