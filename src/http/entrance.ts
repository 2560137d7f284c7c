/** How a browser comes in: by a login link or a token, once, for a session; and what it is told of itself and the others. */
import type { ENTRANCE_ROUTES } from '../model/api/entrance.ts'
import { rightsOf } from '../model/api/rights.ts'
import type { Rejection } from '../model/refusal.ts'
import { isWelcome } from './admission.ts'
import { giveSession, type SignedIn, takeSession } from './browser-session.ts'
import type { Handlers, HttpDoor } from './handler.ts'
import { withoutOwnHeader } from './own-page.ts'
import { visitorWith } from './visitor.ts'

export const ENTRANCE_HANDLERS: Handlers<typeof ENTRANCE_ROUTES> = {
  'POST /api/v1/login': ({ c, door, body: { key } }) => {
    const away = withoutOwnHeader(c)
    if (away !== null) return away
    const session = door.logins.redeem(key) ?? sessionFor(key, door)
    if (session === null || !isWelcome(session, door.keys)) return NO_KEY
    const { instance } = door
    const pageKey = giveSession(c, session, { secrets: door.keys.secrets, instance })
    return { person: session.person, pageKey, instance }
  },
  'POST /api/v1/logout': ({ c, door }) => {
    const away = withoutOwnHeader(c)
    if (away !== null) return away
    takeSession(c, { secrets: door.keys.secrets, instance: door.instance })
    return { done: true }
  },
  'POST /api/v1/login/links': ({ door, body: { person } }) => {
    const { keys, logins } = door
    if (person === null) return { path: logins.createLink({ person: keys.owner, isOwner: true }) }
    if (keys.colleague(person) !== null) return { path: logins.createLink({ person, isOwner: false }) }
    return {
      code: 'unknown-person',
      problem: `There is nobody called "${person}" in your config under \`people\`.`,
    }
  },
  'GET /api/v1/me': ({ door: { about, version, keys }, person, isOwner }) => {
    const may = rightsOf(isOwner ? null : (keys.colleague(person) ?? NO_RIGHTS))
    const { people, startedAt, unconfined, holdMs } = about()
    const unlisted = [...new Set([keys.owner, person])]
      .filter((name) => !people.some((listed) => listed.name === name))
      .map((name) => ({ name, groups: [] }))
    return {
      person,
      isOwner,
      may: [...may],
      people: [...unlisted, ...people].map(({ name, groups }) => ({ name, groups: [...groups] })),
      host: { version, startedAt, unconfined, holdMs },
    }
  },
  'POST /api/v1/demo': async ({ door, operations }) => {
    if (door.startDemo === null) return { code: 'not-found', problem: 'This host has no demo.' }
    const started = await door.startDemo(operations)
    if ('run' in started) return started
    const { problems } = started
    return { code: 'not-started', problem: problems.join('\n'), problems }
  },
  'POST /api/v1/presence': ({ door, person, body: { page, place } }) =>
    door.presence.look(page, person, place) ? { done: true } : NO_PAGE,
}

/** A token of somebody, as it is sent in a header elsewhere. An agent's is none. */
function sessionFor(token: string, { keys }: HttpDoor): SignedIn | null {
  const visitor = visitorWith(`Bearer ${token}`, keys)
  return visitor.kind === 'person' ? { ...visitor, person: visitor.name } : null
}

const NO_RIGHTS = { may: [] } as const

const NO_KEY: Rejection = {
  code: 'unauthorized',
  problem:
    'This link was used already or is too old, or the token is nobody’s here. `signalbox open` makes a new link.',
}

const NO_PAGE: Rejection = { code: 'unknown', problem: 'No page of that word follows the stream as you.' }
