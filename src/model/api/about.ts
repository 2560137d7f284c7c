/** The routes that tell of the host itself. */
import { z } from 'zod'
import type { Routes } from './route.ts'
import { NO_QUERY } from './schema.ts'

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
