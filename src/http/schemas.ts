/** The JSON Schemas of what this door answers with. */
import type { Answered, DecisionPage, ListedDecision } from '../host/inbox/decisions.ts'
import type { RunDetail, StoredEvent } from '../host/operations.ts'
import type { RunRow } from '../host/projection.ts'
import { URGENCIES } from '../model/decision.ts'
import {
  type Asker,
  DECISION_STATUSES,
  type DecisionRecord,
  type Shown,
  type ShownOption,
} from '../model/decision-record.ts'
import { HOLDERS } from '../model/fact.ts'
import type { Proof } from '../model/proof.ts'
import { DOORS } from './decision-bodies.ts'
import type { Schema } from './route.ts'
import {
  anything,
  flag,
  instant,
  listOf,
  map,
  number,
  object,
  oneOf,
  orNull,
  says,
  text,
  whole,
} from './schema-words.ts'

const status = oneOf(DECISION_STATUSES)
const CAUSES: readonly DecisionRecord['cause'][] = [
  'step',
  'fault',
  'proposal',
  'unrouted',
  'agent',
  'outside',
]

const asker = object<Asker>({ agent: text, program: text, version: text, model: text })
const by: Schema = {
  type: 'object',
  description: 'Who answered. It comes from the token, never from what a request says.',
  properties: { kind: oneOf(['person', 'agent', 'policy', 'signalbox']), name: text },
  required: ['kind'],
}
const optionKeys = {
  key: text,
  label: text,
  reversible: flag,
  confidence: orNull({ type: 'number', minimum: 0, maximum: 1 }),
  confirm: says('Only a person may take it; left out where that is not so.', { const: true }),
  leadsTo: says('Where the flow goes from there; empty for an agent’s own question.', text),
}
const shown = object<Shown>({
  headline: text,
  question: text,
  detail: text,
  context: map(text),
  options: listOf(object<ShownOption>({ ...optionKeys, body: text }, ['confirm'])),
  recommended: orNull(text),
  fields: listOf({ type: 'object' }),
  proposed: map(anything),
})

/** In every list and on every card. */
const recordKeys = {
  id: says('Short; a prefix will do.', text),
  stream: text,
  question: text,
  run: orNull(text),
  step: orNull(text),
  cause: oneOf(CAUSES),
  kind: says('The template it follows; empty for none.', text),
  repo: text,
  runbook: text,
  asker: orNull(asker),
  confined: says(
    'What held the agents of its run until it was asked; `none`: one of them worked without a sandbox.',
    oneOf(HOLDERS),
  ),
  digest: says('Of what is shown. Send it with an answer, and a question that has changed refuses it.', text),
  alike: says('Questions that ask the same have the same.', text),
  urgency: oneOf(URGENCIES),
  openedAt: instant,
  expiresAt: orNull(instant),
  snoozedUntil: orNull(instant),
  assignee: orNull(text),
  reminders: whole,
  status,
  by: orNull(by),
  pick: says('Empty where a person only said something.', text),
  note: text,
  edited: orNull(text),
  batch: orNull(text),
  did: says('What the agent did first after it had the answer.', text),
  supersedes: orNull(text),
  supersededBy: orNull(text),
  delivery: object<DecisionRecord['delivery']>({ failures: whole, trouble: text, nextAt: orNull(instant) }),
}

const ref = (name: keyof typeof SCHEMAS): Schema => ({ $ref: `#/components/schemas/${name}` })

export const SCHEMAS = {
  Heard: {
    type: 'object',
    properties: {
      answered: says('As a text that needs no memory; null: not yet, ask again.', orNull(text)),
      status,
      by: orNull(by),
      pick: says('Empty where a person only said something, or nobody answered.', text),
      note: text,
      edited: orNull(text),
    },
    required: ['answered'],
  },
  Trouble: {
    type: 'object',
    description: 'Why not: a code for programs and a sentence for people.',
    properties: { code: text, message: text, problems: listOf(text) },
    required: ['code', 'message'],
  },
  Done: object<{ done: true }>({ done: { const: true } }),
  DecisionRecord: object<DecisionRecord>(
    {
      ...recordKeys,
      shown,
      earlier: says(
        'What it showed before it was last looked at again; null where it never was.',
        orNull(shown),
      ),
      stages: listOf(object<DecisionRecord['stages'][number]>({ status, at: instant })),
      proof: orNull(
        object<Proof>({ door: oneOf(DOORS), call: text, prompts: listOf(text), dictated: listOf(text) }),
      ),
    },
    ['confined'],
  ),
  DecisionRow: object<ListedDecision>(
    {
      ...recordKeys,
      headline: text,
      ask: says('The question itself.', text),
      options: listOf(object<Omit<ShownOption, 'body'>>(optionKeys, ['confirm'])),
      recommended: orNull(text),
      answeredAt: orNull(instant),
      closedAt: orNull(instant),
      dictated: orNull(flag),
      group: says('How many pending ones ask the same, this one included.', whole),
    },
    ['confined'],
  ),
  DecisionPage: object<DecisionPage>({
    rows: listOf({ $ref: '#/components/schemas/DecisionRow' }),
    next: says('The cursor of the next page; null at the end.', orNull(text)),
  }),
  Answered: object<Answered>({
    answered: listOf(text),
    batch: says('For undoing them all; null for one.', orNull(text)),
    refused: listOf(object<Answered['refused'][number]>({ id: text, problem: text })),
  }),
  Undone: object<{ undone: unknown; late: unknown }>({ undone: listOf(text), late: listOf(text) }),
  RunRow: object<RunRow>({
    run: text,
    status: oneOf(['new', 'working', 'waiting', 'parked', 'ended']),
    step: orNull(text),
    visit: orNull(whole),
    end: orNull(text),
    totals: map(whole),
    budgets: map(number),
    usage: map(number),
    extended: flag,
    name: text,
    runbook: text,
    program: text,
    repo: text,
    branch: text,
    issue: orNull(object<{ id: string; title: string }>({ id: text, title: text })),
    startedAt: instant,
    changedAt: instant,
    success: orNull(flag),
    waiting: says('Questions that lie with people.', whole),
    discarded: flag,
  }),
  RunDetail: object<RunDetail>({
    row: { $ref: '#/components/schemas/RunRow' },
    placement: map(text),
    vars: map(text),
    limits: map(orNull(number)),
    questions: listOf({ type: 'object' }),
    artifacts: map(text),
  }),
  StoredEvent: object<StoredEvent>({
    type: text,
    at: instant,
    data: anything,
    position: says('Order over everything; the cursor of the stream.', whole),
    stream: text,
    version: whole,
    hash: text,
  }),
} as const satisfies Readonly<Record<string, Schema>>

export const REF = Object.fromEntries(
  (Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[]).map((name) => [name, ref(name)]),
) as Readonly<Record<keyof typeof SCHEMAS, Schema>>
