/** The yardstick of what computes: rounds in a second of CPU time, of a loop that never changes, or the kept figures lose their meaning. */
import { cpuTimeMs } from './cpu-time.ts'

const ROUNDS = 4_000_000
const TRIES = 12

export function cpuSpeed(): number {
  let most = 0
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const began = cpuTimeMs()
    loop()
    most = Math.max(most, ROUNDS / ((cpuTimeMs() - began) / 1000))
  }
  return most
}

/** Nothing to collect: what the collector takes differs from one time to the next. */
function loop(): number {
  const seen = new Uint32Array(1 << 16)
  let hash = 1
  for (let round = 0; round < ROUNDS; round++) {
    hash = (Math.imul(hash, 0x01000193) ^ round) >>> 0
    hash ^= seen[hash & 0xffff]!
    seen[hash & 0xffff] = round
  }
  return hash
}
