/** Two connections made one: what comes in at one end goes out at the other, and both end together. */
import type { Duplex } from 'node:stream'

export function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.once('close', () => to.destroy())
    if (from.destroyed) to.destroy()
  }
}
