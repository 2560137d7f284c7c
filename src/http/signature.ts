/** What only this host can have written: texts with a signature under the secret that lies in its home. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The first part says what it is for, so that a signature made for one thing is worth nothing for another. */
export const signatureOf = (secret: string, parts: readonly [string, ...string[]]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')

export function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}
