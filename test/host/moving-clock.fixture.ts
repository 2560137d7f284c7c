/** The real clock, with a lever: time goes by as it does, and a test may let some more of it pass at once. */
import type { Clock } from '../../src/host/machine/clock.ts'
import type { ClockJump } from '../../src/host/machine/clock-jump.ts'

export interface MovingClock extends Clock {
  advance(byMs: number): void
  /** The same, and nobody was awake meanwhile. */
  sleep(byMs: number): void
}

export function createMovingClock(): MovingClock {
  let aheadMs = 0
  const waiting = new Set<() => void>()
  const listeners = new Set<(jump: ClockJump) => void>()
  const unnoticed: ClockJump[] = []
  const noticeJumps = (): void => {
    for (const jump of unnoticed.splice(0)) for (const listener of [...listeners]) listener(jump)
  }
  const now = (): number => Date.now() + aheadMs
  const advance = (byMs: number): void => {
    aheadMs += byMs
    for (const wait of waiting) wait()
  }
  const alarm: Clock['alarm'] = (at, ring) => {
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
  }
  return {
    now,
    alarm,
    pause: (ms, ring) => alarm(now() + ms, ring),
    advance,
    sleep: (byMs) => {
      const from = now()
      unnoticed.push({ from, to: from + byMs })
      advance(byMs)
    },
    onJump: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    noticeJumps,
  }
}
