/**
 * A browser's session: a cookie that says whose it is, signed under the secret of this home. So it outlives the host that gave it, and
 * ends like a token does: when its person is taken off the list or the secret is removed; or after a month.
 */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { sameText, signatureOf } from './signature.ts'

export interface BrowserSession {
  readonly person: string
  readonly isOwner: boolean
}

const LASTS_S = 30 * 24 * 60 * 60

/** Browsers share cookies between the ports of a machine: each home has a name of its own. */
const cookieName = (secret: string): string => `signalbox-${signatureOf(secret, ['cookie']).slice(0, 8)}`

export function giveSession(c: Context, session: BrowserSession, secret: string): void {
  const { person, isOwner } = session
  const endsAt = Date.now() + LASTS_S * 1000
  const said = Buffer.from(JSON.stringify([person, isOwner, endsAt])).toString('base64url')
  setCookie(c, cookieName(secret), `${said}.${signatureOf(secret, ['browser', said])}`, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: LASTS_S,
    secure: isEncrypted(c),
  })
}

export const takeSession = (c: Context, secret: string): void => {
  deleteCookie(c, cookieName(secret), { path: '/', secure: isEncrypted(c) })
}

/** Null where there is none, or it was not given here, or is over. */
export function sessionOf(c: Context, secret: string): BrowserSession | null {
  const [said = '', signature = ''] = (getCookie(c, cookieName(secret)) ?? '').split('.')
  if (said === '' || !sameText(signature, signatureOf(secret, ['browser', said]))) return null
  const [person, isOwner, endsAt] = JSON.parse(Buffer.from(said, 'base64url').toString('utf8')) as [
    string,
    boolean,
    number,
  ]
  return endsAt > Date.now() ? { person, isOwner } : null
}

/** The page itself says how it came: a proxy in front takes the encryption off. */
const isEncrypted = (c: Context): boolean =>
  new URL(c.req.url).protocol === 'https:' || (c.req.header('origin') ?? '').startsWith('https:')
