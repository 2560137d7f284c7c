/** How a browser comes in, who it is for, and who else looks. */
import { z } from 'zod'
import { RIGHTS, type Right } from './rights.ts'
import { json, type Routes } from './route.ts'
import { Done } from './runs.ts'
import { instant, NO_QUERY, type Output, textOrNull, whole } from './schema.ts'

const person = z.object({ name: z.string(), groups: z.array(z.string()) })

const WhoIsHere = z
  .object({
    person: z.string().describe('Whose token or session this is.'),
    isOwner: z.boolean().describe('Whether runs can be started with it.'),
    may: z.array(z.enum(Object.keys(RIGHTS) as Right[])).describe('What else can be done with it.'),
    people: z.array(person).describe('Whom a decision can be given to, whoever asks and the owner included.'),
    host: z.object({
      version: z.string(),
      startedAt: instant,
      unconfined: textOrNull.describe('Why nothing holds the agents of its runs; null where something does.'),
      holdMs: whole.describe('For how long what a person answers can be taken back, as the config says.'),
    }),
  })
  .meta({ id: 'WhoIsHere' })
export type WhoIsHere = Output<typeof WhoIsHere>

/** A person with a page open, and the place they look at there: `decision/ID`, `run/ID`. */
const Onlooker = z.object({ person: z.string(), place: z.string() })
export type Onlooker = Output<typeof Onlooker>

export const ENTRANCE_ROUTES = {
  'POST /api/v1/login': {
    name: 'logIn',
    says: 'Gives a browser a session for the key of a login link, which opens once, or for somebody’s token.',
    access: 'open',
    query: NO_QUERY,
    body: json(z.object({ key: z.string({ error: 'must be the key of a login link, or a token' }) })),
    reply: {
      status: 200,
      says: 'Who came in. One half of the session is in the cookie, the other here.',
      schema: z.object({
        person: z.string(),
        pageKey: z
          .string()
          .describe('For the storage of the origin. It is never sent: `x-signalbox` proves it.'),
        instance: z.string().describe('The host process that a proof is made for.'),
      }),
    },
    refuses: [401, 403],
  },
  'POST /api/v1/logout': {
    name: 'logOut',
    says: 'Takes the session from the browser.',
    access: 'open',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'It is done.', schema: Done },
    refuses: [403],
  },
  'POST /api/v1/login/links': {
    name: 'createLoginLink',
    says: 'A link that lets one browser in, once, as the owner or as somebody on the list.',
    access: 'owner',
    query: NO_QUERY,
    body: json(
      z.object({
        person: textOrNull.default(null).describe('Somebody on the list; left out: the owner.'),
      }),
    ),
    reply: { status: 200, says: 'The address, on this host.', schema: z.object({ path: z.string() }) },
    refuses: [404],
  },
  'GET /api/v1/me': {
    name: 'whoAmI',
    says: 'Who is asking, who else there is, and whom they ask.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'You.', schema: WhoIsHere },
    refuses: [],
  },
  'POST /api/v1/demo': {
    name: 'startDemo',
    says: 'Starts the run of `signalbox demo` on this host: a small repository in a temporary folder, scripted agents, no model.',
    access: 'owner',
    query: NO_QUERY,
    body: null,
    reply: { status: 201, says: 'The run has begun.', schema: z.object({ run: z.string() }) },
    refuses: [404, 422],
  },
  'POST /api/v1/presence': {
    name: 'lookAt',
    says: 'Tells the others which place a page looks at, for as long as that page follows the stream.',
    access: 'look',
    query: NO_QUERY,
    body: json(
      z.object({
        page: z.string().min(8).max(64).describe('The page’s own word, with which it follows the stream.'),
        place: z.string().max(200).nullable().describe('Such as `decision/ID`; null for none.'),
      }),
    ),
    reply: { status: 200, says: 'It is done.', schema: Done },
    refuses: [404],
  },
} as const satisfies Routes
