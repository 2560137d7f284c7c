/** Whom a route lets in, and what everybody else is told. */
import type { Context } from 'hono'
import type { RouteAccess } from '../model/api/route.ts'
import { isRejection, type Rejection } from '../model/refusal.ts'
import { sessionOf } from './browser-session.ts'
import type { ByPerson, BySession, HttpDoor } from './handler.ts'
import { withoutOwnHeader } from './own-page.ts'
import { isWelcome, type Keys, tokenIn, type Visitor, visitorWith } from './visitor.ts'

/** What is known of whoever calls; nothing where it does not matter. */
export type Admitted = ByPerson | BySession | Readonly<Record<never, never>>

export function admit(c: Context, access: RouteAccess, door: HttpDoor): Admitted | Rejection {
  switch (access) {
    case 'token':
    case 'owner':
      return admitPerson(c, access, door)
    case 'session':
      return admitSession(c, door)
    case 'link':
    case 'open':
      return {}
  }
}

function admitPerson(
  c: Context,
  access: 'owner' | 'token',
  { keys, operationsFor }: HttpDoor,
): ByPerson | Rejection {
  const visitor = visitorAt(c, keys)
  if (isRejection(visitor)) return visitor
  if (visitor.kind !== 'person') return turnAway(c, visitor.kind)
  const { name, isOwner } = visitor
  if (access === 'owner' && !isOwner) return OWNER_ONLY
  return { operations: operationsFor({ kind: 'person', name }), person: name, isOwner }
}

/** By the token; by the session of a browser only where there is none, and with less trust. */
function visitorAt(c: Context, keys: Keys): Visitor | Rejection {
  const authorization = c.req.header('authorization')
  if (authorization !== undefined) return visitorWith(authorization, keys)
  const session = sessionOf(c, keys.secret)
  if (session === null || !isWelcome(session, { keys })) return { kind: 'stranger' }
  const away = c.req.method === 'GET' ? null : withoutOwnHeader(c)
  return away ?? { kind: 'person', name: session.person, isOwner: session.isOwner }
}

/** What is named there runs on the host's machine, as the user who hosts: a runbook's commands, whichever file it is. */
const OWNER_ONLY: Rejection = {
  code: 'owner-only',
  problem: 'This has the host run commands on its machine: that takes the host’s own token.',
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
export function notAPerson(c: Context, keys: Keys): Rejection | null {
  const visitor = visitorAt(c, keys)
  if (isRejection(visitor)) return visitor
  return visitor.kind === 'person' ? null : turnAway(c, visitor.kind)
}

function turnAway(c: Context, kind: 'agent' | 'stranger'): Rejection {
  if (kind === 'agent')
    return {
      code: 'people-only',
      problem:
        'This is the token of an agent’s session. Agents ask over MCP and never answer; this door is for people.',
    }
  c.header('www-authenticate', 'Bearer')
  return {
    code: 'unauthorized',
    problem:
      'This takes a token: the host’s own from its host.json, or that of somebody in the config (signalbox people token NAME).',
  }
}
