/** A clock that stands still until it is told to go on. */
import type { Clock } from './clock.ts'
import type { ClockJump } from './clock-jump.ts'

export interface ManualClock extends Clock {
  /** Time goes by, and what is due by then rings, in order. */
  advance(ms: number): void
  /** The clock goes from one time to another, and nobody is awake between; what is due then rings afterwards. */
  jump(ms: number): void
  /** How many alarms are set. */
  alarms(): number
  /** How many were ever set. */
  everSet(): number
}

export function createManualClock(startsAt = 0): ManualClock {
  let now = startsAt
  let count = 0
  const listeners = new Set<(jump: ClockJump) => void>()
  let unnoticed: ClockJump | null = null
  const noticeJumps = (): void => {
    const jump = unnoticed
    unnoticed = null
    if (jump !== null) for (const listener of [...listeners]) listener(jump)
  }
  const set = new Map<number, { readonly at: number; readonly ring: () => void }>()
  return {
    now: () => now,
    alarm: (at, ring) => {
      const id = ++count
      set.set(id, { at, ring })
      return () => set.delete(id)
    },
    advance: (ms) => {
      const until = now + ms
      for (;;) {
        const [next] = [...set].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)
        if (next === undefined) break
        const [id, { at, ring }] = next
        set.delete(id)
        now = Math.max(now, at)
        ring()
      }
      now = until
    },
    jump: (ms) => {
      unnoticed = { from: now, to: now + ms }
      now += ms
    },
    onJump: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    noticeJumps,
    alarms: () => set.size,
    everSet: () => count,
  }
}
