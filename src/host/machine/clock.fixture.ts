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
  let steadyMs = 0
  let count = 0
  const listeners = new Set<(jump: ClockJump) => void>()
  let unnoticed: ClockJump | null = null
  const noticeJumps = (): void => {
    const jump = unnoticed
    unnoticed = null
    if (jump !== null) for (const listener of [...listeners]) listener(jump)
  }
  const set = new Map<number, { readonly leftMs: () => number; readonly ring: () => void }>()
  const ringAfter = (leftMs: () => number, ring: () => void): (() => void) => {
    const id = ++count
    set.set(id, { leftMs, ring })
    return () => set.delete(id)
  }
  const pass = (ms: number): void => {
    now += ms
    steadyMs += ms
  }
  return {
    now: () => now,
    alarm: (at, ring) => ringAfter(() => at - now, ring),
    pause: (ms, ring) => {
      const at = steadyMs + ms
      return ringAfter(() => at - steadyMs, ring)
    },
    advance: (ms) => {
      const until = steadyMs + ms
      for (;;) {
        const [next] = [...set]
          .map(([id, { leftMs, ring }]) => ({ id, ring, inMs: Math.max(0, leftMs()) }))
          .filter(({ inMs }) => steadyMs + inMs <= until)
          .sort((a, b) => a.inMs - b.inMs)
        if (next === undefined) break
        set.delete(next.id)
        pass(next.inMs)
        next.ring()
      }
      pass(until - steadyMs)
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
