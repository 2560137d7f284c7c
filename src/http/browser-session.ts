/**
 * A browser's session has two halves. The cookie says whose it is; browsers send it to every port of a machine, so alone it opens nothing.
 * The page key is handed to the page that signed in, which keeps it in the storage of its origin. The key itself is never sent again: a
 * page proves that it has it, to one host process, so that a program that gets the port of an ended host has nothing to use later.
 *
 * Both are made under the person's secret, so they outlive the host that gave them and end as the person's token does, or after a month.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { PROOF_HEADER } from '../model/api/session-proof.ts'
import type { PeopleSecrets } from './people-secrets.ts'
import { sameText, signatureOf } from './signature.ts'

export interface SignedIn {
  readonly person: string
  readonly isOwner: boolean
  /** Of the token that it was given for, which it never outlives; left out where it was a link. */
  readonly endsAt?: number
}

export interface SessionDoor {
  readonly secrets: PeopleSecrets
  /** Of this host process; another one takes other proofs. */
  readonly instance: string
}

const LASTS_MS = 30 * 24 * 60 * 60 * 1000

/** Browsers share cookies between the ports of a machine: each home has a name of its own. */
const cookieName = ({ homeName }: PeopleSecrets): string => `signalbox-${homeName}`

/** Gives back the page key. */
export function giveSession(c: Context, session: SignedIn, { secrets }: SessionDoor): string {
  const { person, isOwner } = session
  const endsAt = Math.min(session.endsAt ?? Number.POSITIVE_INFINITY, Date.now() + LASTS_MS)
  const parts: Said = [person, isOwner, endsAt, boundPort(c), randomBytes(12).toString('base64url')]
  const said = Buffer.from(JSON.stringify(parts)).toString('base64url')
  const secret = secrets.ensure(person)
  setCookie(c, cookieName(secrets), `${said}.${signatureOf(secret, ['browser', said])}`, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: Math.floor((endsAt - Date.now()) / 1000),
    secure: isEncrypted(c),
  })
  return pageKeyOf(secret, said)
}

export const takeSession = (c: Context, { secrets }: SessionDoor): void => {
  deleteCookie(c, cookieName(secrets), { path: '/', secure: isEncrypted(c) })
}

/** Null where there is none, half of one, one of another port, or one that is over. */
export function sessionOf(c: Context, { secrets, instance }: SessionDoor): Required<SignedIn> | null {
  const [said = '', signature = ''] = (getCookie(c, cookieName(secrets)) ?? '').split('.')
  const parts = partsOf(said)
  if (parts === null) return null
  const [person, isOwner, endsAt, port] = parts
  const secret = secrets.find(person)
  if (secret === null || !sameText(signature, signatureOf(secret, ['browser', said]))) return null
  const proof = signatureOf(pageKeyOf(secret, said), ['host', instance])
  if (!sameText(c.req.header(PROOF_HEADER) ?? '', proof)) return null
  if (port !== null && port !== localPort(c)) return null
  return endsAt > Date.now() ? { person, isOwner, endsAt } : null
}

const pageKeyOf = (secret: string, said: string): string => signatureOf(secret, ['page', said])

type Said = readonly [person: string, isOwner: boolean, endsAt: number, port: number | null, nonce: string]

function partsOf(said: string): Said | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(said, 'base64url').toString('utf8'))
    return Array.isArray(parts) && typeof parts[0] === 'string' ? (parts as unknown as Said) : null
  } catch {
    return null
  }
}

/** Where the page came by the very port that listens here, and by no tunnel: what is sent to another port is then not meant for this one. */
function boundPort(c: Context): number | null {
  const port = localPort(c)
  return port !== null && new URL(c.req.url).port === `${port}` ? port : null
}

/** Null where the application is asked without a socket. */
const localPort = (c: Context): number | null =>
  (c.env as { readonly incoming?: { readonly socket: { readonly localPort?: number } } } | undefined)
    ?.incoming?.socket.localPort ?? null

/** The page itself says how it came: a proxy in front takes the encryption off. */
const isEncrypted = (c: Context): boolean =>
  new URL(c.req.url).protocol === 'https:' || (c.req.header('origin') ?? '').startsWith('https:')
