/** So many messages in a moment and no more: whoever says more is made to wait, and so cannot keep the host from others. */
import type { Readable } from 'node:stream'

const MOMENT_MS = 100
const MOST = 2_000

export interface Pacer {
  /** One more. */
  count(): void
}

export function createPacer(stream: Readable): Pacer {
  let counted = 0
  let beganAt = 0
  return {
    count: () => {
      const now = performance.now()
      if (now - beganAt >= MOMENT_MS) {
        beganAt = now
        counted = 0
      }
      counted++
      if (counted !== MOST) return
      stream.pause()
      setTimeout(() => stream.resume(), MOMENT_MS - (now - beganAt))
    },
  }
}
