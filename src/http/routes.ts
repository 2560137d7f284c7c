/** Every route there is. Whoever registers handlers and whoever describes them reads this. */
import { ANSWER_LINK_ROUTES } from './answer-link.ts'
import { DECISION_ROUTES } from './decisions.ts'
import { openApiOf } from './openapi.ts'
import type { Route } from './route.ts'
import { RUN_ROUTES } from './runs.ts'
import { SESSION_ROUTES } from './session.ts'
import { STREAM_ROUTES } from './stream.ts'

const ABOUT_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/api/v1/health',
    name: 'health',
    says: 'Whether somebody is there, and which version.',
    access: 'open',
    query: {},
    body: null,
    reply: {
      status: 200,
      says: 'The version.',
      schema: { type: 'object', properties: { version: { type: 'string' } }, required: ['version'] },
    },
    refuses: [],
    answer: ({ c, door: { version } }) => c.json({ version }),
  },
  {
    method: 'get',
    path: '/api/v1/openapi.json',
    name: 'describe',
    says: 'This document.',
    access: 'open',
    query: {},
    body: null,
    reply: { status: 200, says: 'OpenAPI 3.1.', schema: { type: 'object' } },
    refuses: [],
    answer: ({ c, door: { version } }) => c.json(openApiOf(ROUTES, version)),
  },
]

export const ROUTES: readonly Route[] = [
  ...ABOUT_ROUTES,
  ...RUN_ROUTES,
  ...DECISION_ROUTES,
  ...STREAM_ROUTES,
  ...ANSWER_LINK_ROUTES,
  ...SESSION_ROUTES,
]
