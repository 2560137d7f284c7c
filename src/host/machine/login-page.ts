/** The page of the home that leads the browser to a login link. */
import { createHash } from 'node:crypto'

/** By a digest of its key, so that only who has the key can find it. */
export const digestOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

export const pageOfDigest = (digest: string): string => `${digest}.html`

export const loginPageName = (link: string): string =>
  pageOfDigest(digestOfKey(link.slice(link.indexOf('#') + 1)))
