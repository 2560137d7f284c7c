/** The record itself: where its streams end, and what is taken out of it. */
import { z } from 'zod'
import { json, type Routes } from './route.ts'
import { instant, NO_QUERY, type Output, whole } from './schema.ts'

export const RecordHeads = z
  .object({
    at: instant,
    anchor: z
      .object({ lines: whole, chain: z.string() })
      .nullable()
      .describe('How far the anchor went; null where there is none yet.'),
    heads: z
      .array(z.object({ stream: z.string(), version: whole, hash: z.string() }))
      .describe('Of each stream the version of its last event, and the hash of that.'),
  })
  .meta({ id: 'RecordHeads' })
export type RecordHeads = Output<typeof RecordHeads>

const reason = z.string().default('').describe('Why, for the record.')
/** Nothing that goes comes back: whoever wants it gone says so. */
const dry = z.boolean().describe('Whether it only says what it would come to.')

export const PruneOrder = z.strictObject({
  what: z
    .enum(['prune', 'run'])
    .default('prune')
    .describe('Whether it is told as pruning, or as the erasing of a run.'),
  runs: z.array(z.string()).nullable().describe('Only these; null: all that have ended.'),
  olderThanMs: whole.nullable().default(null).describe('Only what ended so long ago.'),
  states: z.array(z.string()).nullable().default(null).describe('Only what ended so: names of ends.'),
  unmerged: z
    .enum(['keep', 'take'])
    .default('keep')
    .describe('What becomes of work that is on no other branch.'),
  reason,
  dry,
})
export type PruneOrder = Output<typeof PruneOrder>

export const PruneReport = z
  .object({
    runs: z
      .array(
        z.object({ run: z.string(), name: z.string(), end: z.string(), endedAt: instant, bytes: z.number() }),
      )
      .describe('What goes, and how much disk it took.'),
    kept: z.array(z.object({ run: z.string(), why: z.string() })),
    done: z.boolean(),
  })
  .meta({ id: 'PruneReport' })
export type PruneReport = Output<typeof PruneReport>

export const EraseOrder = z.strictObject({
  text: z.string().min(1).exactOptional().describe('Wherever this stands.'),
  decision: z.string().exactOptional().describe('What this decision says.'),
  also: z
    .array(z.string())
    .default([])
    .describe('More files and folders of the user’s to look into, such as traces.'),
  reason,
  dry,
})
export type EraseOrder = Output<typeof EraseOrder>

export const EraseReport = z
  .object({
    events: whole,
    bytes: whole.describe('Pieces of kept bytes.'),
    streams: z.array(z.string()).describe('Streams that go whole.'),
    files: z.array(z.string()).describe('Where it stands, or was overwritten.'),
    changedReplay: z
      .array(z.string())
      .describe('Streams that give another state without it: a rule read it.'),
    goingOn: z
      .array(z.string())
      .describe('Runs that have not ended: whatever looks it up there gets the mark instead.'),
    remains: z
      .array(z.string())
      .describe(
        'Where it stands and is not erased, and what could not be looked into, in sentences; none: it is all gone.',
      ),
    owed: z
      .boolean()
      .describe(
        'What was erased, now or before, may stand in free parts of the database until it is compacted.',
      ),
    done: z.boolean(),
  })
  .meta({ id: 'EraseReport' })
export type EraseReport = Output<typeof EraseReport>

export const Tombstone = z
  .object({
    at: instant,
    what: z.enum(['prune', 'run', 'decision', 'text']),
    by: z.string(),
    reason: z.string(),
    runs: z.array(z.object({ run: z.string(), name: z.string(), end: z.string() })),
    events: whole,
    bytes: whole,
    streams: z.array(z.string()),
    files: whole,
    changedReplay: z.array(z.string()),
  })
  .meta({ id: 'Tombstone' })
export type Tombstone = Output<typeof Tombstone>

export const RECORD_ROUTES = {
  'GET /api/v1/record/heads': {
    name: 'recordHeads',
    says: 'Where every stream ends, by the hash of its last event: kept elsewhere, it shows what was changed here.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The heads.', schema: RecordHeads },
    refuses: [],
  },
  'GET /api/v1/record/tombstones': {
    name: 'listTombstones',
    says: 'What was pruned and erased: when, by whom, why and how much. What it was, nobody can tell any more.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The tombstones, oldest first.', schema: z.array(Tombstone) },
    refuses: [],
  },
  'POST /api/v1/record/prune': {
    name: 'prune',
    says: 'Takes ended runs away with all that lies on the disk for them. Only for the owner.',
    access: 'owner',
    query: NO_QUERY,
    body: json(PruneOrder),
    reply: { status: 200, says: 'What went, or would go, and what was kept and why.', schema: PruneReport },
    refuses: [],
  },
  'POST /api/v1/record/erase': {
    name: 'erase',
    says: 'Erases a text wherever it stands, or what a decision says. Only for the owner.',
    access: 'owner',
    query: NO_QUERY,
    body: json(EraseOrder),
    reply: { status: 200, says: 'Where it stood, and where it still stands.', schema: EraseReport },
    refuses: [404, 409, 422],
  },
} as const satisfies Routes
