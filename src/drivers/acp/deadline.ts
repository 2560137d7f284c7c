/** Waiting that ends. */
import { awakeTimer } from '../awake-timer.ts'

export const LATE = Symbol('late')

/** What it gives, or LATE when that takes longer or the signal fires first. A rejection passes through, unless it comes after that. */
export async function within<T>(
  waited: Promise<T>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<T | typeof LATE> {
  let callOff = (): void => {}
  const late = new Promise<typeof LATE>((resolve) => {
    const end = (): void => resolve(LATE)
    const stopTimer = awakeTimer(limitMs, end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
    callOff = () => {
      stopTimer()
      signal?.removeEventListener('abort', end)
    }
  })
  return Promise.race([waited, late]).finally(() => callOff())
}
