/**
 * Links that let one person answer one decision, from wherever a notification reached them. The signature covers the
 * decision, the person and the digest of what was shown: a link is worth nothing for another of any of these.
 */
import type { PeopleSecrets } from './people-secrets.ts'
import { sameText, signatureOf } from './signature.ts'

export interface LinkOrder {
  readonly id: string
  readonly person: string
  /** Of what the person was shown. */
  readonly digest: string
}

export type LinkFor = (order: LinkOrder) => string

/** `url` is where people reach this host. A button adds `&pick=KEY` and sends a POST. */
export const createLinks =
  ({ url, secrets }: { readonly url: string; readonly secrets: Pick<PeopleSecrets, 'ensure'> }): LinkFor =>
  (order) =>
    `${url}/d/${linkEnd(order, secrets)}`

/** From one such page to another, wherever a tunnel puts them. */
export const linkBeside = (order: LinkOrder, secrets: Pick<PeopleSecrets, 'ensure'>): string =>
  `./${linkEnd(order, secrets)}`

const linkEnd = (order: LinkOrder, secrets: Pick<PeopleSecrets, 'ensure'>): string =>
  `${encodeURIComponent(order.id)}?t=${ticketOf(order, secrets.ensure(order.person))}`

function ticketOf({ id, person, digest }: LinkOrder, secret: string): string {
  const said = Buffer.from(JSON.stringify([person, digest])).toString('base64url')
  return `${said}.${signatureOf(secret, ['link', id, digest])}`
}

/** Null for one that was not made here, or for another decision. */
export function readLink(
  { id, ticket }: { readonly id: string; readonly ticket: string },
  secrets: Pick<PeopleSecrets, 'find'>,
): LinkOrder | null {
  const [said = '', signature = ''] = ticket.split('.')
  const parts = partsOf(said)
  if (parts === null) return null
  const [person, digest] = parts
  const secret = secrets.find(person)
  return secret !== null && sameText(signature, signatureOf(secret, ['link', id, digest]))
    ? { id, person, digest }
    : null
}

function partsOf(said: string): readonly [string, string] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(said, 'base64url').toString('utf8'))
    if (!Array.isArray(parts) || parts.length !== 2) return null
    const [person, digest] = parts as unknown[]
    return typeof person === 'string' && typeof digest === 'string' ? [person, digest] : null
  } catch {
    return null
  }
}
