/** The routes of an agent's own session: its token opens these and no others, and nothing else opens these. */
import { z } from 'zod'
import { DecisionPayload } from './decision-bodies.ts'
import { WAITING } from './decisions.ts'
import type { Routes } from './route.ts'
import { NO_QUERY, textOrNull } from './schema.ts'

export const SESSION_ROUTES = {
  'POST /api/v1/session/decisions': {
    name: 'raiseDecision',
    says: 'An agent at work in a run puts a decision to a person.',
    access: 'session',
    query: NO_QUERY,
    body: { schema: DecisionPayload, sent: 'text' },
    reply: { status: 201, says: 'It lies with a person.', schema: z.object({ id: z.string() }) },
    refuses: [409, 422],
  },
  'GET /api/v1/session/decisions/{id}/wait': {
    name: 'waitForOwnDecision',
    says: 'The answer to a decision of its own, if it comes within the time.',
    access: 'session',
    query: WAITING,
    body: null,
    reply: {
      status: 200,
      says: 'The answer as a text that needs no memory; null: not yet, ask again.',
      schema: z.object({ answered: textOrNull }),
    },
    refuses: [404, 409],
  },
} as const satisfies Routes
