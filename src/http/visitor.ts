/** Who is at the door, by the token alone: nothing that a request says about its sender counts. */
import type { AgentDoor } from '../host/session/agent-door.ts'
import type { Right } from '../model/api/rights.ts'
import type { PeopleSecrets } from './people-secrets.ts'
import { sameText, signatureOf } from './signature.ts'

export interface Keys {
  readonly owner: string
  readonly secrets: PeopleSecrets
  /** Asked each time, so that whoever is taken off the list is out; null for who is not on it. */
  readonly colleague: (name: string) => Colleague | null
  readonly agents: Pick<AgentDoor, 'knows' | 'raise' | 'wait'>
}

/** A person of the owner's list. */
export interface Colleague {
  readonly groups: readonly string[]
  /** Beside what every colleague may do. */
  readonly may: readonly Right[]
}

export type Visitor =
  | { readonly kind: 'person'; readonly name: string; readonly isOwner: boolean; readonly endsAt: number }
  | { readonly kind: 'agent' | 'stranger' | 'expired' }

export function visitorWith(
  authorization: string | undefined,
  keys: Omit<Keys, 'agents' | 'owner'> & { readonly agents: Pick<AgentDoor, 'knows'> },
): Visitor {
  const token = tokenIn(authorization)
  const said = personOf(token, keys.secrets)
  if (said !== null && keys.colleague(said.name) !== null)
    return said.endsAt > Date.now() ? { kind: 'person', isOwner: false, ...said } : { kind: 'expired' }
  return { kind: token !== '' && keys.agents.knows(token) ? 'agent' : 'stranger' }
}

export const tokenIn = (authorization: string | undefined): string =>
  /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''

const PREFIX = 'sbp_'

/** `secret`: the person's. */
export const personalToken = (
  { name, endsAt }: { readonly name: string; readonly endsAt: number },
  secret: string,
): string => `${PREFIX}${name}.${endsAt}.${signatureOf(secret, ['token', `${endsAt}`])}`

function personOf(
  token: string,
  secrets: Pick<PeopleSecrets, 'find'>,
): { readonly name: string; readonly endsAt: number } | null {
  const [, name = '', ends = '', signature = ''] = /^sbp_(.+)\.(\d{1,15})\.([^.]+)$/.exec(token) ?? []
  const secret = name === '' ? null : secrets.find(name)
  return secret !== null && sameText(signature, signatureOf(secret, ['token', ends]))
    ? { name, endsAt: Number(ends) }
    : null
}
