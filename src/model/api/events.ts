/** What happened: of a run, of everything, live; and the bytes that events name. */
import { z } from 'zod'
import type { Routes } from './route.ts'
import { instant, NO_QUERY, type Output, whole } from './schema.ts'

const SentEvent = z
  .object({
    type: z.string(),
    at: instant,
    data: z.unknown(),
    position: whole.describe('Order over everything; the cursor of the stream.'),
    stream: z.string(),
    version: whole,
    hash: z.string(),
  })
  .meta({ id: 'StoredEvent' })
export type SentEvent = Output<typeof SentEvent>

const LoggedLine = z
  .object({
    at: instant,
    step: z.string(),
    visit: whole,
    who: z.string(),
    kind: z.enum(['text', 'thought', 'tool', 'output', 'note']),
    text: z.string(),
  })
  .meta({ id: 'LoggedLine' })
export type LoggedLine = Output<typeof LoggedLine>

const position = whole.min(0)

export const EVENT_ROUTES = {
  'GET /api/v1/runs/{run}/events': {
    name: 'readRun',
    says: 'What happened in a run, in order; nothing for a run that is not there.',
    access: 'look',
    query: z.object({ after: position.catch(0).describe('Only after this version.') }),
    body: null,
    reply: { status: 200, says: 'Its events.', schema: z.array(SentEvent) },
    refuses: [],
  },
  'GET /api/v1/events': {
    name: 'readEvents',
    says: 'What happened in everything, in order, a page at a time.',
    access: 'look',
    query: z.strictObject({
      after: position.default(0).describe('Only after this position; all by default.'),
      limit: whole.min(1).max(1000).default(200).describe('At most so many; 200 by default.'),
    }),
    body: null,
    reply: { status: 200, says: 'The events.', schema: z.array(SentEvent) },
    refuses: [],
  },
  'GET /api/v1/stream': {
    name: 'follow',
    says: 'Everything that happens, as server-sent events: `id` is the cursor, `data` the event. A reconnecting client sends `Last-Event-ID` or `after` and misses nothing.',
    access: 'look',
    query: z.strictObject({
      after: position
        .exactOptional()
        .describe('The position of the last event that was seen; left out: from now on.'),
      page: z
        .string()
        .min(8)
        .max(64)
        .exactOptional()
        .describe(
          'A page’s own word: it is told who else looks at what, as events named `presence`, and the others of it.',
        ),
    }),
    body: null,
    reply: { status: 200, says: 'Events without end.', schema: SentEvent, type: 'text/event-stream' },
    refuses: [],
  },
  'GET /api/v1/runs/{run}/log': {
    name: 'followLog',
    says: 'What agents and commands of a run said, then what they say, as server-sent events: `id` is the cursor, `data` the line. The event `whole` says that all there was is told. A reconnecting client sends `Last-Event-ID` and misses nothing.',
    access: 'look',
    query: z.strictObject({
      after: position.default(0).describe('The `id` of the last line that was seen; all by default.'),
    }),
    body: null,
    reply: { status: 200, says: 'Lines without end.', schema: LoggedLine, type: 'text/event-stream' },
    refuses: [404],
  },
  'GET /api/v1/kept/{digest}': {
    name: 'fetchKept',
    says: 'Bytes from the journal’s store: patches, artifacts, tool calls as received.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: {
      status: 200,
      says: 'The bytes.',
      schema: z.string().meta({ contentMediaType: 'application/octet-stream' }),
      type: 'application/octet-stream',
    },
    refuses: [404, 409],
  },
} as const satisfies Routes
