/** The routes that tell of the host itself. */
import { z } from 'zod'
import type { DaySpending } from '../spending.ts'
import type { Routes } from './route.ts'
import { instant, NO_QUERY, schemaFor } from './schema.ts'

export const ABOUT_ROUTES = {
  'GET /api/v1/health': {
    name: 'health',
    says: 'Whether somebody is there, and which version.',
    access: 'open',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The version.', schema: z.object({ version: z.string() }) },
    refuses: [],
  },
  'GET /api/v1/spending': {
    name: 'spending',
    says: 'What the agents of all runs have used today, by the clocks of the host, and may.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: {
      status: 200,
      says: 'Limits (null: none), what was used, and until when nothing is begun.',
      schema: schemaFor<DaySpending>()(
        z.object({
          limits: z.object({ costUsd: z.number().nullable(), tokens: z.number().nullable() }),
          spent: z.object({ costUsd: z.number(), tokens: z.number(), unpriced: z.number() }),
          closedUntil: instant.nullable(),
        }),
      ),
    },
    refuses: [],
  },
  'GET /api/v1/openapi.json': {
    name: 'describe',
    says: 'This document.',
    access: 'open',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'OpenAPI 3.1.', schema: z.record(z.string(), z.unknown()) },
    refuses: [],
  },
} as const satisfies Routes
