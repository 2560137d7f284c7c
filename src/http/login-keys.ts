/** The keys of login links: each lets one browser in, once, within the hour. Kept in memory only: a host that ends takes them along. */
import { createHash, randomBytes } from 'node:crypto'
import type { BrowserSession } from './browser-session.ts'

export interface LoginKeys {
  /** The address of a link, on this host. What stands behind the # is sent to no server and kept in no log. */
  createLink(session: BrowserSession): string
  /** Null for a key that was used, is too old or was never made. */
  redeem(key: string): BrowserSession | null
}

const LASTS_MS = 60 * 60 * 1000
const MOST = 1000

export function createLoginKeys(now: () => number = Date.now): LoginKeys {
  // By their digests: how long a look takes tells nothing of a key.
  const open = new Map<string, { readonly session: BrowserSession; readonly endsAt: number }>()
  const sweep = (): void => {
    for (const [digest, { endsAt }] of open) if (endsAt <= now() || open.size > MOST) open.delete(digest)
  }
  return {
    createLink: (session) => {
      sweep()
      const key = randomBytes(24).toString('base64url')
      open.set(digestOf(key), { session, endsAt: now() + LASTS_MS })
      return `/login#${key}`
    },
    redeem: (key) => {
      const digest = digestOf(key)
      const found = open.get(digest)
      open.delete(digest)
      return found === undefined || found.endsAt <= now() ? null : found.session
    },
  }
}

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')
