/** The record itself: where its streams end, and what is taken out of it. */
import { z } from 'zod'
import type { Routes } from './route.ts'
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

export const RECORD_ROUTES = {
  'GET /api/v1/record/heads': {
    name: 'recordHeads',
    says: 'Where every stream ends, by the hash of its last event: kept elsewhere, it shows what was changed here.',
    access: 'token',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The heads.', schema: RecordHeads },
    refuses: [],
  },
} as const satisfies Routes
