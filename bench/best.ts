import { cpuTimeMs } from './cpu-time.ts'

export interface Best<T> {
  readonly ms: number
  readonly gave: T
}

/** In milliseconds of CPU time: shorter than this tells nothing, longer is worth no more. */
const [LEAST_MS, MOST_MS] = [2000, 8000]
/** So long no round was better: what is run is as fast as it gets. */
const SETTLED_MS = 1000
const BETTER = 0.98

/**
 * The best of some rounds, in milliseconds of CPU time, and what the work gave. The first meet code that was never run,
 * and it becomes faster for seconds; so there are rounds until they no longer get better.
 */
export function best<T>(work: () => T): Best<T> {
  const began = cpuTimeMs()
  let found = timed(work)
  let mark = { ms: found.ms, at: cpuTimeMs() }
  for (let rounds = 1; ; rounds++) {
    const now = cpuTimeMs()
    const isSettled = now - began >= LEAST_MS && now - mark.at >= SETTLED_MS
    if (rounds >= 2 && (isSettled || now - began >= MOST_MS)) return found
    const next = timed(work)
    if (next.ms < found.ms) found = next
    if (next.ms < mark.ms * BETTER) mark = { ms: next.ms, at: cpuTimeMs() }
  }
}

function timed<T>(work: () => T): Best<T> {
  const began = cpuTimeMs()
  const gave = work()
  return { ms: cpuTimeMs() - began, gave }
}
