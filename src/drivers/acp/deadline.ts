/** Waiting that ends. */

export const LATE = Symbol('late')

/** What it gives, or LATE when that takes longer. A rejection passes through, unless it comes after the time. */
export async function within<T>(waited: Promise<T>, limitMs: number): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, limitMs, LATE)
  })
  return Promise.race([waited, late]).finally(() => clearTimeout(timer))
}
