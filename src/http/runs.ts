/** The routes of runs. */
import { bodyOf, parseAction, parseStart } from './bodies.ts'
import { BODIES } from './body-schemas.ts'
import type { Asked, Route } from './route.ts'
import { REF } from './schemas.ts'
import { badRequest, refuse, reply } from './status.ts'

const FOUND = { type: 'object', properties: { run: { type: 'string' } }, required: ['run'] }
const MOST_RUNS = 1000

export const RUN_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/api/v1/runs',
    name: 'listRuns',
    says: 'Runs, latest first.',
    access: 'token',
    query: {
      all: { kind: 'flag', says: 'Ended ones too.' },
      limit: { kind: 'whole', says: 'At most so many; 100 unless said.', least: 1, most: MOST_RUNS },
    },
    body: null,
    reply: { status: 200, says: 'The runs.', schema: { type: 'array', items: REF.RunRow } },
    refuses: [],
    answer: async ({ c, operations }) => {
      const limit = Math.min(MOST_RUNS, wholeOr(100, c.req.query('limit')))
      return c.json(await operations.runs({ all: c.req.query('all') === 'true', limit }))
    },
  },
  {
    method: 'post',
    path: '/api/v1/runs',
    name: 'startRun',
    says: 'Starts a run of a runbook that lies on the host’s machine. Takes the host’s own token.',
    access: 'token',
    query: {},
    body: { schema: BODIES.start, required: true },
    reply: { status: 201, says: 'The run has begun.', schema: FOUND },
    refuses: [400, 403, 413, 422],
    answer: startRun,
  },
  {
    method: 'get',
    path: '/api/v1/find',
    name: 'findRun',
    says: 'The one run whose id begins so.',
    access: 'token',
    query: { prefix: { kind: 'text', says: 'The beginning of an id.' } },
    body: null,
    reply: { status: 200, says: 'Its id.', schema: FOUND },
    refuses: [404, 409],
    answer: async ({ c, operations }) => reply(c, await operations.find(c.req.query('prefix') ?? '')),
  },
  {
    method: 'get',
    path: '/api/v1/runs/{run}',
    name: 'showRun',
    says: 'Where a run is and what it left.',
    access: 'token',
    query: {},
    body: null,
    reply: { status: 200, says: 'The run.', schema: REF.RunDetail },
    refuses: [404],
    answer: async ({ c, operations }) => reply(c, await operations.show(c.req.param('run') ?? '')),
  },
  {
    method: 'get',
    path: '/api/v1/runs/{run}/events',
    name: 'readRun',
    says: 'What happened in a run, in order; nothing for a run that is not there.',
    access: 'token',
    query: {
      after: { kind: 'whole', says: 'Only after this version.', least: 0, most: Number.MAX_SAFE_INTEGER },
    },
    body: null,
    reply: { status: 200, says: 'Its events.', schema: { type: 'array', items: REF.StoredEvent } },
    refuses: [],
    answer: async ({ c, operations }) =>
      c.json(await operations.events(c.req.param('run') ?? '', wholeOr(0, c.req.query('after')))),
  },
  {
    method: 'post',
    path: '/api/v1/runs/{run}/actions',
    name: 'actOnRun',
    says: 'Cancels, retries, moves, extends, discards or answers a run.',
    access: 'token',
    query: {},
    body: { schema: BODIES.action, required: true },
    reply: { status: 200, says: 'It is done.', schema: REF.Done },
    refuses: [400, 404, 409, 413, 422],
    answer: act,
  },
  {
    method: 'get',
    path: '/api/v1/kept/{digest}',
    name: 'fetchKept',
    says: 'Bytes from the journal’s store: patches, artifacts, tool calls as received.',
    access: 'token',
    query: {},
    body: null,
    reply: {
      status: 200,
      says: 'The bytes.',
      type: 'application/octet-stream',
      schema: { type: 'string', contentMediaType: 'application/octet-stream' },
    },
    refuses: [404],
    answer: async ({ c, operations }) => {
      const bytes = await operations.kept(c.req.param('digest') ?? '')
      if (bytes === null) return refuse(c, { code: 'unknown', problem: 'Nothing is kept under that digest.' })
      return c.body(new Uint8Array(bytes), 200, { 'content-type': 'application/octet-stream' })
    },
  },
]

async function startRun({ c, operations, isOwner }: Asked): Promise<Response> {
  const order = parseStart(await bodyOf(c.req.raw))
  if ('problem' in order) return refuse(c, badRequest(order.problem))
  // Any file may be named, and its commands would run on the host's machine, as the user who hosts.
  if (!isOwner)
    return refuse(c, {
      code: 'owner-only',
      problem: 'A runbook has commands for the host to run: to start one takes the host’s own token.',
    })
  const started = await operations.start(order)
  if ('run' in started) return c.json(started, 201)
  const { problems } = started
  return refuse(c, { code: 'not-started', problem: problems.join('\n'), problems })
}

async function act({ c, operations }: Asked): Promise<Response> {
  const action = parseAction(await bodyOf(c.req.raw))
  if ('problem' in action) return refuse(c, badRequest(action.problem))
  return reply(c, await operations.act(c.req.param('run') ?? '', action))
}

function wholeOr(otherwise: number, text: string | undefined): number {
  const value = Number(text ?? '')
  return Number.isSafeInteger(value) && value > 0 ? value : otherwise
}
