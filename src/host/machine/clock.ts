/** Time, as the host sees it. The only place where it is read. */

export interface Clock {
  now(): number
  /** Calls once, no earlier than `at`. Gives back how to call it off. */
  alarm(at: number, ring: () => void): () => void
}

// A longer wait than timers can count is waited for in parts.
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  alarm: (at, ring) => {
    let timer: NodeJS.Timeout
    const wait = (): void => {
      const left = at - Date.now()
      timer = left > LONGEST_MS ? setTimeout(wait, LONGEST_MS) : setTimeout(ring, Math.max(0, left))
    }
    wait()
    return () => clearTimeout(timer)
  },
}
