/** Whom a route lets in, and what everybody else is told. */
import type { Context } from 'hono'
import type { Operations } from '../host/operations.ts'
import { GIVEN_RIGHTS, RIGHTS, type Right, rightsOf } from '../model/api/rights.ts'
import type { RouteAccess } from '../model/api/route.ts'
import { INSTANCE_HEADER } from '../model/api/session-proof.ts'
import type { Rejection } from '../model/refusal.ts'
import { sessionOf } from './browser-session.ts'
import { decisionsOf } from './colleague.ts'
import type { ByPerson, BySession, HttpDoor } from './handler.ts'
import { type Colleague, type Keys, tokenIn, type Visitor, visitorWith } from './visitor.ts'

/** What is known of whoever calls; nothing where it does not matter. */
export type Admitted = ByPerson | BySession | Readonly<Record<never, never>>

export function admit(c: Context, access: RouteAccess, door: HttpDoor): Admitted | Rejection {
  switch (access) {
    case 'session':
      return admitSession(c, door)
    case 'link':
    case 'open':
      return {}
    default:
      return admitPerson(c, access, door)
  }
}

function admitPerson(c: Context, access: Right | 'owner', door: HttpDoor): ByPerson | Rejection {
  const visitor = visitorAt(c, door)
  if (visitor.kind !== 'person') return turnAway(c, visitor.kind, door)
  const { name, isOwner } = visitor
  const colleague = isOwner ? null : door.keys.colleague(name)
  const lacking = whyNotAllowed(access, colleague, isOwner)
  if (lacking !== null) return lacking
  const isStillIn = (): boolean => {
    const now = visitorAt(c, door)
    return now.kind === 'person' && now.name === name
  }
  return { operations: operationsOf(door, name, colleague), person: name, isOwner, isStillIn }
}

/** Everything that is done in a person's name goes through these. */
export function operationsOf(
  { operationsFor }: Pick<HttpDoor, 'operationsFor'>,
  name: string,
  /** Null for the owner. */
  colleague: Colleague | null,
): Operations {
  const operations = operationsFor({ kind: 'person', name })
  return colleague === null
    ? operations
    : { ...operations, decisions: decisionsOf(operations.decisions, { name, groups: colleague.groups }) }
}

function whyNotAllowed(
  access: Right | 'owner',
  colleague: Colleague | null,
  isOwner: boolean,
): Rejection | null {
  if (isOwner) return null
  if (access === 'owner') return OWNER_ONLY
  if (colleague !== null && rightsOf(colleague).includes(access)) return null
  const how = GIVEN_RIGHTS.includes(access)
    ? ` The owner can allow it in their config: \`may: [${access}]\`.`
    : ''
  return { code: 'not-allowed', problem: `You may not ${RIGHTS[access].says}.${how}` }
}

/** By the token; where there is none, by the door, or else by the session of a browser. */
function visitorAt(c: Context, door: HttpDoor): Visitor {
  const { keys, instance } = door
  const authorization = c.req.header('authorization')
  if (authorization !== undefined) return visitorWith(authorization, keys)
  if (door.isOwners)
    return { kind: 'person', name: keys.owner, isOwner: true, endsAt: Number.POSITIVE_INFINITY }
  const session = sessionOf(c, { secrets: keys.secrets, instance })
  if (session === null || !isWelcome(session, keys)) return { kind: 'stranger' }
  const { person: name, isOwner, endsAt } = session
  return { kind: 'person', name, isOwner, endsAt }
}

/** Still: whoever was let in once may have been taken off the list. */
export const isWelcome = (
  { person, isOwner }: { readonly person: string; readonly isOwner: boolean },
  keys: Pick<Keys, 'colleague' | 'owner'>,
): boolean => (isOwner ? person === keys.owner : keys.colleague(person) !== null)

/** What starts programs on the host's machine, changes what is the owner's, or tells of it. */
const OWNER_ONLY: Rejection = {
  code: 'owner-only',
  problem:
    'This is for the owner: over the socket in the home, or in a browser that `signalbox open` signed in.',
}

function admitSession(c: Context, { keys: { agents } }: HttpDoor): BySession | Rejection {
  const token = tokenIn(c.req.header('authorization'))
  if (token !== '' && agents.knows(token)) return { agents, token }
  c.header('www-authenticate', 'Bearer')
  return {
    code: 'unauthorized',
    problem: 'This takes the token of an agent’s session that is open: SIGNALBOX_SESSION_TOKEN.',
  }
}

/** Null for a person. */
export function notAPerson(c: Context, door: HttpDoor): Rejection | null {
  const { kind } = visitorAt(c, door)
  return kind === 'person' ? null : turnAway(c, kind, door)
}

function turnAway(c: Context, kind: 'agent' | 'expired' | 'stranger', { instance }: HttpDoor): Rejection {
  if (kind === 'agent')
    return {
      code: 'people-only',
      problem:
        'This is the token of an agent’s session. Agents ask over MCP and never answer; this door is for people.',
    }
  c.header('www-authenticate', 'Bearer')
  c.header(INSTANCE_HEADER, instance)
  if (kind === 'expired')
    return {
      code: 'unauthorized',
      problem: 'This token has expired: signalbox people token NAME makes another.',
    }
  return {
    code: 'unauthorized',
    problem:
      'This takes the token of a person of your config (signalbox people token NAME), or the owner’s socket in the home.',
  }
}
