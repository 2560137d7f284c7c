/**
 * The keys of login links: each lets one browser in, once, within the hour. Kept in memory only: a host that ends takes them along. A link that
 * is opened for the user stands in a page of their home, for the arguments of a program can be read by every user of the machine; the page
 * goes when its key is used or too old.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { digestOfKey, pageOfDigest } from '../host/machine/login-page.ts'
import type { PeopleSecrets } from './people-secrets.ts'

export interface Invited {
  readonly person: string
  readonly isOwner: boolean
}

export interface LoginKeys {
  /** The address of a link, on this host. What stands behind the # is sent to no server and kept in no log. */
  createLink(invited: Invited): string
  /** Null for a key that was used, is too old, was never made, or whose person was revoked since. */
  redeem(key: string): Invited | null
}

export interface LoginKeysOptions {
  /** The folder of the pages; null where none are made. */
  readonly pages?: string | null
  readonly now?: () => number
}

const LASTS_MS = 60 * 60 * 1000
const MOST = 1000

export function createLoginKeys(
  secrets: Pick<PeopleSecrets, 'ensure' | 'find'>,
  { pages = null, now = Date.now }: LoginKeysOptions = {},
): LoginKeys {
  // By their digests: how long a look takes tells nothing of a key.
  const open = new Map<
    string,
    { readonly invited: Invited; readonly under: string; readonly endsAt: number }
  >()
  const forget = (digest: string): void => {
    open.delete(digest)
    if (pages !== null) rmSync(join(pages, pageOfDigest(digest)), { force: true })
  }
  const sweep = (): void => {
    for (const [digest, { endsAt }] of open) if (endsAt <= now() || open.size > MOST) forget(digest)
  }
  return {
    createLink: (invited) => {
      sweep()
      const key = randomBytes(24).toString('base64url')
      const under = secrets.ensure(invited.person)
      open.set(digestOfKey(key), { invited, under, endsAt: now() + LASTS_MS })
      return `/login#${key}`
    },
    redeem: (key) => {
      const digest = digestOfKey(key)
      const found = open.get(digest)
      if (found === undefined) return null
      forget(digest)
      if (found.endsAt <= now()) return null
      return secrets.find(found.invited.person) === found.under ? found.invited : null
    },
  }
}
