/** So much in a moment and no more: whoever says more is made to wait, and so cannot keep the host from others. */
import type { Readable } from 'node:stream'

const MOMENT_MS = 100
const MOST_MESSAGES = 2_000
const MOST_CHARACTERS = 2 * 1024 * 1024

export interface Pacer {
  /** One more message, of so many characters. */
  count(length: number): void
}

export function createPacer(stream: Readable): Pacer {
  /** Until when what was said so far would have taken at the pace that is allowed. */
  let paidUntil = 0
  let isWaiting = false
  const resume = (): void => {
    isWaiting = false
    stream.resume()
  }
  return {
    count: (length) => {
      const now = performance.now()
      paidUntil = Math.max(now, paidUntil) + MOMENT_MS * Math.max(1 / MOST_MESSAGES, length / MOST_CHARACTERS)
      const aheadMs = paidUntil - now
      if (isWaiting || aheadMs < MOMENT_MS) return
      isWaiting = true
      stream.pause()
      setTimeout(resume, aheadMs)
    },
  }
}
