/** Waiting that ends. */
import { awakeTimer } from '../awake-timer.ts'

export const LATE = Symbol('late')

/** What it gives, or LATE when that takes longer. A rejection passes through, unless it comes after the time. */
export async function within<T>(waited: Promise<T>, limitMs: number): Promise<T | typeof LATE> {
  let callOff = (): void => {}
  const late = new Promise<typeof LATE>((resolve) => {
    callOff = awakeTimer(limitMs, () => resolve(LATE))
  })
  return Promise.race([waited, late]).finally(() => callOff())
}
