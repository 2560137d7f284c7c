/**
 * A timer that counts the time in which this process ran. One that was stopped for an hour must not find on its return that
 * everybody else was late: what they said meanwhile has yet to be read.
 */
const BEAT_MS = 1_000
/** Longer between two beats, and it was not running. */
const LATEST_MS = 5_000

/** Gives back how to call it off. */
export function awakeTimer(limitMs: number, ring: () => void): () => void {
  let leftMs = limitMs
  let timer: NodeJS.Timeout
  const wait = (): void => {
    const since = performance.now()
    timer = setTimeout(
      () => {
        const passedMs = performance.now() - since
        leftMs -= passedMs > LATEST_MS ? 0 : passedMs
        if (leftMs <= 0) ring()
        else wait()
      },
      Math.min(leftMs, BEAT_MS),
    )
  }
  wait()
  return () => clearTimeout(timer)
}
