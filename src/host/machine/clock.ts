/** Time, as the host sees it. The only place where it is read. */
import { BEAT_MS, type ClockJump, type ClockReading, jumpBetween } from './clock-jump.ts'

export interface Clock {
  now(): number
  /** Calls once, no earlier than `at` by the clock as it is then. Gives back how to call it off. */
  alarm(at: number, ring: () => void): () => void
  /** Calls once, so long after, whatever the clock is set to meanwhile. Gives back how to call it off. */
  pause(ms: number, ring: () => void): () => void
  /** Told of jumps for as long as somebody is: the clocks are read at every beat meanwhile. Gives back how to stop. */
  onJump(listener: (jump: ClockJump) => void): () => void
  /** Reads them now: whoever is about to judge by the time should know of a jump first. */
  noticeJumps(): void
}

/** A clock that is set, or a machine that slept, is noticed so long after by whoever waits for a time of day. */
const LONGEST_MS = 30_000

export const systemClock: Clock = createSystemClock({
  wall: () => Date.now(),
  steady: () => performance.now(),
  worked: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
})

export function createSystemClock({
  wall,
  steady,
  worked,
}: {
  readonly wall: () => number
  readonly steady: () => number
  readonly worked: () => number
}): Clock {
  const listeners = new Set<(jump: ClockJump) => void>()
  const read = (): ClockReading => ({ wallAt: wall(), steadyMs: steady(), workedMs: worked() })
  let last = read()
  let beat: NodeJS.Timeout | null = null

  function noticeJumps(): void {
    const now = read()
    const jump = beat === null ? null : jumpBetween(last, now)
    last = now
    if (jump !== null) for (const listener of [...listeners]) listener(jump)
  }

  return {
    now: wall,
    alarm: (at, ring) => {
      let timer: NodeJS.Timeout
      const wait = (): void => {
        const left = at - wall()
        if (left <= 0) ring()
        else timer = setTimeout(wait, Math.min(left, LONGEST_MS))
      }
      timer = setTimeout(wait, Math.min(Math.max(0, at - wall()), LONGEST_MS))
      return () => clearTimeout(timer)
    },
    pause: (ms, ring) => {
      const timer = setTimeout(ring, ms)
      return () => clearTimeout(timer)
    },
    onJump: (listener) => {
      if (beat === null) {
        last = read()
        beat = setInterval(noticeJumps, BEAT_MS).unref()
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || beat === null) return
        clearInterval(beat)
        beat = null
      }
    },
    noticeJumps,
  }
}
