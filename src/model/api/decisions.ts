/** The routes of decisions. An id may be given by its beginning wherever one is taken. */
import { z } from 'zod'
import { DECISION_STATUSES, LONGEST_WAIT_S } from '../decision-record.ts'
import { Assignment, Deed, NewDecision, PersonAnswer, Snooze, Withdrawal } from './decision-bodies.ts'
import { Answered, DecisionPage, DecisionRecord, HeardSoFar, Undone } from './decision-record.ts'
import { json, type Routes } from './route.ts'
import { Done } from './runs.ts'
import { NO_QUERY, type Output, whole } from './schema.ts'

const text = z.string().min(1)
const status = z.enum(['pending', 'closed', 'all', ...DECISION_STATUSES])

const filters = z.strictObject({
  status: status
    .default('pending')
    .describe(
      '`pending` by default: what lies with people now, most costly delay first. Others: latest first.',
    ),
  run: text.exactOptional().describe('Only of this run.'),
  kind: text.exactOptional().describe('Only those that follow this template.'),
  agent: text.exactOptional().describe('Only those that this agent raised.'),
  assignee: text.exactOptional().describe('Only those assigned to this person or group.'),
  repo: text.exactOptional().describe('Only from this repository.'),
  snoozed: z.boolean().exactOptional().describe('Snoozed ones too.'),
})
export type DecisionFilters = Output<typeof filters>

export const WAITING = z.strictObject({
  seconds: z.number().min(0).max(LONGEST_WAIT_S).default(30).describe('How long to wait; 30 by default.'),
})

const id = z.object({ id: z.string() })
const done = { status: 200, says: 'It is done.', schema: Done } as const
const change = { query: NO_QUERY, reply: done } as const

export const DECISION_ROUTES = {
  'GET /api/v1/decisions': {
    name: 'listDecisions',
    says: 'Decisions, a page at a time.',
    access: 'look',
    query: filters.extend({
      cursor: text.exactOptional().describe('From `next` of the page before.'),
      limit: whole.min(1).max(500).default(50).describe('At most so many; 50 by default.'),
    }),
    body: null,
    reply: { status: 200, says: 'A page.', schema: DecisionPage },
    refuses: [],
  },
  'GET /api/v1/decisions/find': {
    name: 'findDecision',
    says: 'The one decision whose id begins so.',
    access: 'look',
    query: z.object({ prefix: z.string().default('').describe('The beginning of an id.') }),
    body: null,
    reply: { status: 200, says: 'Its id.', schema: id },
    refuses: [404, 409],
  },
  'GET /api/v1/decisions/export': {
    name: 'exportDecisions',
    says: 'Decisions with their whole record, one a line; all of them by default.',
    access: 'look',
    query: filters.extend({
      status: status.default('all').describe('All by default.'),
      snoozed: z.boolean().default(true).describe('Snoozed ones too.'),
    }),
    body: null,
    reply: {
      status: 200,
      says: 'A record on each line; for one that was changed in the store, `{ "leftOut": { decision, problem } }`.',
      schema: DecisionRecord,
      type: 'application/jsonl',
    },
    refuses: [],
  },
  'GET /api/v1/decisions/{id}': {
    name: 'showDecision',
    says: 'One decision with its whole record.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The record.', schema: DecisionRecord },
    refuses: [404, 409],
  },
  'GET /api/v1/decisions/{id}/wait': {
    name: 'waitForDecision',
    says: 'The answer to a decision from outside any run, if it comes within the time.',
    access: 'ask',
    query: WAITING,
    body: null,
    reply: {
      status: 200,
      says: 'The answer, if there is one; else only `answered`, which is null then.',
      schema: HeardSoFar,
    },
    refuses: [404, 409],
  },
  'POST /api/v1/decisions': {
    ...change,
    name: 'createDecision',
    access: 'ask',
    says: 'Puts a question to people, from outside any run.',
    body: json(NewDecision),
    reply: { status: 201, says: 'It is open; `Location` is its address.', schema: id },
    refuses: [404, 409, 422],
  },
  'POST /api/v1/decisions/{id}/answer': {
    ...change,
    name: 'answerDecision',
    access: 'answer',
    says: 'Answers it, in the name of whoever holds the token. One answer wins; the others are told which.',
    body: json(PersonAnswer),
    reply: { status: 200, says: 'The answer stands.', schema: Answered },
    refuses: [404, 409, 422],
  },
  'POST /api/v1/decisions/{id}/undo': {
    ...change,
    name: 'undoDecision',
    access: 'answer',
    says: 'Takes an answer back while it has reached nobody; of a batch, all that can be.',
    body: null,
    reply: { status: 200, says: 'Which were taken back, and for which it is too late.', schema: Undone },
    refuses: [404, 409],
  },
  'POST /api/v1/decisions/{id}/snooze': {
    ...change,
    name: 'snoozeDecision',
    access: 'arrange',
    says: 'Takes it out of the list until then.',
    body: json(Snooze),
    refuses: [404, 409, 422],
  },
  'POST /api/v1/decisions/{id}/assign': {
    ...change,
    name: 'assignDecision',
    access: 'arrange',
    says: 'Gives it to a person or a group.',
    body: json(Assignment),
    refuses: [404, 409, 422],
  },
  'POST /api/v1/decisions/{id}/withdraw': {
    ...change,
    name: 'withdrawDecision',
    access: 'ask',
    says: 'Closes it without an answer.',
    body: json(Withdrawal),
    refuses: [404, 409, 422],
  },
  'POST /api/v1/decisions/{id}/retry': {
    ...change,
    name: 'retryDelivery',
    access: 'arrange',
    says: 'Tries again to deliver an answer that could not be.',
    body: null,
    refuses: [404, 409],
  },
  'POST /api/v1/decisions/{id}/acted': {
    ...change,
    name: 'reportDeed',
    access: 'ask',
    says: 'A client from outside says what it did about the answer.',
    body: json(Deed),
    refuses: [404, 409, 422],
  },
} as const satisfies Routes
