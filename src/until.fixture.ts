/** Waits for what will be so before long, and gives back what was found: anything but false, null and undefined. */
import { setTimeout as pause } from 'node:timers/promises'

/** For a machine with much else to do. What comes at all comes long before. */
const PATIENCE_MS = 60_000

type Found<T> = Exclude<T, false | null | undefined>

export async function until<T>(look: () => T | Promise<T>, what: string): Promise<Found<T>> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (let pauseMs = 2; ; pauseMs = Math.min(50, 2 * pauseMs)) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined) return found as Found<T>
    if (performance.now() > giveUpAt) throw new Error(`waited in vain: ${what}`)
    await pause(pauseMs)
  }
}
