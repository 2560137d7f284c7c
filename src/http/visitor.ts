/** Who is at the door, by the token alone: nothing that a request says about its sender counts. */
import type { AgentDoor } from '../host/session/agent-door.ts'
import { sameText, signatureOf } from './signature.ts'

export interface Keys {
  /** The host's own token, for whoever can read the user's files: that is the owner. */
  readonly token: string
  readonly owner: string
  /** Signs personal tokens and links. */
  readonly secret: string
  /** Asked each time, so that whoever is taken off the list is out. */
  readonly isPerson: (name: string) => boolean
  readonly agents: Pick<AgentDoor, 'knows' | 'raise' | 'wait'>
}

export type Visitor =
  | { readonly kind: 'person'; readonly name: string; readonly isOwner: boolean }
  | { readonly kind: 'agent' | 'stranger' }

export function visitorWith(
  authorization: string | undefined,
  keys: Omit<Keys, 'agents'> & { readonly agents: Pick<AgentDoor, 'knows'> },
): Visitor {
  const token = tokenIn(authorization)
  if (sameText(token, keys.token)) return { kind: 'person', name: keys.owner, isOwner: true }
  const name = personOf(token, keys.secret)
  if (name !== null && keys.isPerson(name)) return { kind: 'person', name, isOwner: false }
  return { kind: token !== '' && keys.agents.knows(token) ? 'agent' : 'stranger' }
}

/** Still: whoever was let in once may have been taken off the list. */
export const isWelcome = (
  { person, isOwner }: { readonly person: string; readonly isOwner: boolean },
  { keys }: { readonly keys: Pick<Keys, 'isPerson' | 'owner'> },
): boolean => (isOwner ? person === keys.owner : keys.isPerson(person))

export const tokenIn = (authorization: string | undefined): string =>
  /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''

const PREFIX = 'sbp_'

export const personalToken = (name: string, secret: string): string =>
  `${PREFIX}${name}.${signatureOf(secret, ['person', name])}`

function personOf(token: string, secret: string): string | null {
  const cut = token.lastIndexOf('.')
  if (!token.startsWith(PREFIX) || cut < 0) return null
  const name = token.slice(PREFIX.length, cut)
  return sameText(token.slice(cut + 1), signatureOf(secret, ['person', name])) ? name : null
}
