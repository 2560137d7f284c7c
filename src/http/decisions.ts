/** The routes of decisions. An id may be given by its beginning wherever one is taken. */
import type { DecisionQuery, Decisions } from '../host/inbox/decisions.ts'
import type { Trouble } from '../host/operations.ts'
import { DECISION_STATUSES } from '../model/decision-record.ts'
import { bodyOf, type Parsed } from './bodies.ts'
import { BODIES } from './body-schemas.ts'
import {
  parseAnswer,
  parseAssignment,
  parseDeed,
  parseOrder,
  parseReason,
  parseSnooze,
} from './decision-bodies.ts'
import { exportDecisions } from './export.ts'
import { parseQuery, type Values } from './queries.ts'
import type { Asked, Parameters, Reply, Route } from './route.ts'
import { REF } from './schemas.ts'
import { badRequest, type RefusalStatus, refuse, reply } from './status.ts'

const PATH = '/api/v1/decisions'
const LONGEST_WAIT_S = 45

const FILTERS = {
  status: {
    kind: 'word',
    says: '`pending` (unless said): what lies with people now, most costly delay first. Others: latest first.',
    words: ['pending', 'closed', 'all', ...DECISION_STATUSES],
  },
  run: { kind: 'text', says: 'Only of this run.' },
  kind: { kind: 'text', says: 'Only those that follow this template.' },
  agent: { kind: 'text', says: 'Only those that this agent raised.' },
  assignee: { kind: 'text', says: 'Only those assigned to this person or group.' },
  repo: { kind: 'text', says: 'Only from this repository.' },
  snoozed: { kind: 'flag', says: 'Snoozed ones too.' },
} as const satisfies Parameters

const PAGING = {
  cursor: { kind: 'text', says: 'From `next` of the page before.' },
  limit: { kind: 'whole', says: 'At most so many; 50 unless said.', least: 1, most: 500 },
} as const satisfies Parameters

const LISTING = { ...FILTERS, ...PAGING } as const
const PREFIX = { prefix: { kind: 'text', says: 'The beginning of an id.' } } as const satisfies Parameters
const WAITING = {
  seconds: { kind: 'number', says: 'How long to wait; 30 unless said.', least: 0, most: LONGEST_WAIT_S },
} as const satisfies Parameters

const ID = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const DONE: Reply = { status: 200, says: 'It is done.', schema: REF.Done }

export const DECISION_ROUTES: readonly Route[] = [
  reading({
    path: PATH,
    name: 'listDecisions',
    query: LISTING,
    says: 'Decisions, a page at a time.',
    reply: { status: 200, says: 'A page.', schema: REF.DecisionPage },
    refuses: [400],
    answer: async ({ c, operations }) => {
      const query = parseQuery(c.req.url, LISTING)
      if ('problem' in query) return refuse(c, badRequest(query.problem))
      const { cursor = null, limit = 50, ...filters } = query.values
      return reply(c, await operations.decisions.list({ ...asQuery(filters, 'pending'), cursor, limit }))
    },
  }),
  reading({
    path: `${PATH}/find`,
    name: 'findDecision',
    query: PREFIX,
    says: 'The one decision whose id begins so.',
    reply: { status: 200, says: 'Its id.', schema: ID },
    refuses: [404, 409],
    answer: async ({ c, operations }) =>
      reply(c, await operations.decisions.find(c.req.query('prefix') ?? '')),
  }),
  reading({
    path: `${PATH}/export`,
    name: 'exportDecisions',
    query: FILTERS,
    says: 'Decisions with their whole record, one a line; all of them unless filtered.',
    reply: {
      status: 200,
      says: 'A record on each line.',
      type: 'application/jsonl',
      schema: REF.DecisionRecord,
    },
    refuses: [400],
    answer: ({ c, operations }) => {
      const query = parseQuery(c.req.url, FILTERS)
      if ('problem' in query) return refuse(c, badRequest(query.problem))
      return exportDecisions(c, operations.decisions, asQuery({ snoozed: true, ...query.values }, 'all'))
    },
  }),
  reading({
    path: `${PATH}/{id}`,
    name: 'showDecision',
    query: {},
    says: 'One decision with its whole record.',
    reply: { status: 200, says: 'The record.', schema: REF.DecisionRecord },
    refuses: [404, 409],
    answer: (asked) => onOne(asked, (decisions, id) => decisions.show(id)),
  }),
  reading({
    path: `${PATH}/{id}/wait`,
    name: 'waitForDecision',
    query: WAITING,
    says: 'The answer to a decision from outside any run, if it comes within the time.',
    reply: {
      status: 200,
      says: 'The answer, if there is one; else only `answered`, which is null then.',
      schema: REF.Heard,
    },
    refuses: [400, 404, 409],
    answer: (asked) => {
      const query = parseQuery(asked.c.req.url, WAITING)
      if ('problem' in query) return refuse(asked.c, badRequest(query.problem))
      const { seconds = 30 } = query.values
      return onOne(asked, async (decisions, id) => {
        const answer = await decisions.wait(id, Math.round(seconds * 1000), asked.c.req.raw.signal)
        return answer ?? { answered: null }
      })
    },
  }),
  writing({
    path: PATH,
    name: 'createDecision',
    says: 'Puts a question to people, from outside any run.',
    body: { schema: BODIES.create, required: true },
    reply: { status: 201, says: 'It is open; `Location` is its address.', schema: ID },
    refuses: [400, 403, 404, 409, 413, 422],
    answer: create,
  }),
  writing({
    path: `${PATH}/{id}/answer`,
    name: 'answerDecision',
    says: 'Answers it, in the name of whoever holds the token. One answer wins; the others are told which.',
    body: { schema: BODIES.answer, required: true },
    reply: { status: 200, says: 'The answer stands.', schema: REF.Answered },
    refuses: [400, 403, 404, 409, 413, 422],
    answer: (asked) => withBody(asked, parseAnswer, (decisions, id, answer) => decisions.answer(id, answer)),
  }),
  writing({
    path: `${PATH}/{id}/undo`,
    name: 'undoDecision',
    says: 'Takes an answer back while it has reached nobody; of a batch, all that can be.',
    reply: { status: 200, says: 'Which were taken back, and for which it is too late.', schema: REF.Undone },
    refuses: [404, 409],
    answer: (asked) => onOne(asked, (decisions, id) => decisions.undo(id)),
  }),
  writing({
    path: `${PATH}/{id}/snooze`,
    name: 'snoozeDecision',
    says: 'Takes it out of the list until then.',
    body: { schema: BODIES.snooze, required: true },
    answer: (asked) =>
      withBody(asked, parseSnooze, (decisions, id, { until }) => decisions.snooze(id, until)),
  }),
  writing({
    path: `${PATH}/{id}/assign`,
    name: 'assignDecision',
    says: 'Gives it to a person or a group.',
    body: { schema: BODIES.assign, required: true },
    answer: (asked) => withBody(asked, parseAssignment, (decisions, id, { to }) => decisions.assign(id, to)),
  }),
  writing({
    path: `${PATH}/{id}/withdraw`,
    name: 'withdrawDecision',
    says: 'Closes it without an answer.',
    body: { schema: BODIES.withdraw, required: true },
    answer: (asked) =>
      withBody(asked, parseReason, (decisions, id, { reason }) => decisions.withdraw(id, reason)),
  }),
  writing({
    path: `${PATH}/{id}/retry`,
    name: 'retryDelivery',
    says: 'Tries again to deliver an answer that could not be.',
    refuses: [404, 409],
    answer: (asked) => onOne(asked, (decisions, id) => decisions.retry(id)),
  }),
  writing({
    path: `${PATH}/{id}/acted`,
    name: 'reportDeed',
    says: 'A client from outside says what it did about the answer.',
    body: { schema: BODIES.acted, required: true },
    answer: (asked) => withBody(asked, parseDeed, (decisions, id, { did }) => decisions.acted(id, did)),
  }),
]

type Common = Omit<Route, 'access' | 'answer' | 'body' | 'method'>
type ByPerson = { readonly answer: (asked: Asked) => Response | Promise<Response> }

function reading(route: Common & ByPerson): Route {
  return { ...route, method: 'get', access: 'token', body: null }
}

function writing(
  route: Pick<Common, 'name' | 'path' | 'says'> &
    Partial<Pick<Route, 'body' | 'refuses' | 'reply'>> &
    ByPerson,
): Route {
  const refuses: readonly RefusalStatus[] = [400, 404, 409, 413, 422]
  return { body: null, reply: DONE, refuses, ...route, method: 'post', access: 'token', query: {} }
}

/** What was not said is left out, and not said to be nothing. */
function asQuery(
  { status, ...filters }: Values<typeof FILTERS>,
  otherwise: DecisionQuery['status'],
): Omit<DecisionQuery, 'cursor' | 'limit'> {
  return { status: status ?? otherwise, ...filters }
}

async function onOne(
  { c, operations: { decisions } }: Asked,
  act: (decisions: Decisions, id: string) => Promise<object | Trouble>,
): Promise<Response> {
  const found = await decisions.find(c.req.param('id') ?? '')
  return 'problem' in found ? refuse(c, found) : reply(c, await act(decisions, found.id))
}

async function withBody<T extends object>(
  asked: Asked,
  parse: (body: unknown) => Parsed<T>,
  act: (decisions: Decisions, id: string, said: T) => Promise<object | Trouble>,
): Promise<Response> {
  const said = parse(await bodyOf(asked.c.req.raw))
  if ('problem' in said) return refuse(asked.c, badRequest(said.problem))
  return onOne(asked, (decisions, id) => act(decisions, id, said))
}

async function create({ c, operations, person, isOwner }: Asked): Promise<Response> {
  const order = parseOrder(await bodyOf(c.req.raw), person)
  if ('problem' in order) return refuse(c, badRequest(order.problem))
  // It would run on the host's machine, as the user who hosts.
  if (order.resume !== null && !isOwner)
    return refuse(c, {
      code: 'owner-only',
      problem:
        '`resume` names a command for the host to run: that takes the host’s own token. Leave it out and wait.',
    })
  const created = await operations.decisions.create(order)
  if ('id' in created) c.header('location', `${PATH}/${encodeURIComponent(created.id)}`)
  return reply(c, created, 201)
}
