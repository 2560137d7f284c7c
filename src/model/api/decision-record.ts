/** A decision as it is told: in a list, on a card, to whoever waits for its answer. */
import { z } from 'zod'
import type { Actor, FieldValue } from '../answer.ts'
import type { Field } from '../contract.ts'
import { URGENCIES } from '../decision.ts'
import {
  type Asker,
  DECISION_STATUSES,
  type DecisionRecord as Declared,
  type DecisionRow as DeclaredRow,
  type Shown,
  type ShownCommand,
  type ShownOption,
} from '../decision-record.ts'
import { HOLDERS } from '../fact.ts'
import { DOORS, type Proof } from '../proof.ts'
import { asItIs, instant, namedTexts, type Output, schemaFor, textOrNull, whole } from './schema.ts'

const status = z.enum(DECISION_STATUSES)
const name = z.string()

const by = schemaFor<Actor>()(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('person'), name }),
    z.object({ kind: z.literal('agent'), name }),
    z.object({ kind: z.literal('policy'), name }),
    z.object({ kind: z.literal('signalbox') }),
  ]),
).describe('Who answered. It comes from the token, never from what a request says.')

const asker = schemaFor<Asker>()(
  z.object({
    agent: z.string(),
    program: z.string(),
    version: z.string(),
    model: z.string(),
    person: z.string().exactOptional().describe('Whose token asked, where it was not the owner.'),
  }),
)

const runs = z
  .array(
    schemaFor<ShownCommand>()(
      z.object({
        command: z
          .string()
          .describe('Its very words; a look-up that is not known yet, or is long, as it was written.'),
        step: z.string().describe('Empty where whoever asked from outside named it.'),
        folder: z.string().describe('Empty: the run’s own place.'),
        held: z
          .enum(['none', 'run'])
          .describe('`none`: outside any sandbox; `run`: in what holds every command of its run.'),
      }),
    ),
  )
  .exactOptional()

const option = schemaFor<ShownOption>()(
  z.object({
    key: z.string(),
    label: z.string(),
    body: z.string(),
    reversible: z.boolean(),
    confidence: z.number().min(0).max(1).nullable(),
    confirm: z
      .literal(true)
      .exactOptional()
      .describe('Only a person may take it; left out where that is not so.'),
    leadsTo: z.string().describe('Where the flow goes from there; empty for an agent’s own question.'),
    runs: runs.describe('What picking it has run at once; left out where that is nothing.'),
  }),
)

const shown = schemaFor<Shown>()(
  z.object({
    headline: z.string(),
    question: z.string(),
    detail: z.string(),
    context: namedTexts,
    options: z.array(option),
    recommended: textOrNull,
    fields: z.array(asItIs<Field>()),
    proposed: z.record(z.string(), z.unknown()),
    runs: runs.describe('What any answer has run; left out where that is nothing.'),
  }),
)

/** In every list and on every card. */
const everywhere = {
  id: z.string().describe('Short; a prefix will do.'),
  stream: z.string(),
  question: z.string(),
  run: textOrNull,
  step: textOrNull,
  cause: z.enum(['step', 'fault', 'proposal', 'unrouted', 'agent', 'outside']),
  kind: z.string().describe('The template it follows; empty for none.'),
  repo: z.string(),
  runbook: z.string(),
  asker: asker.nullable(),
  confined: z
    .enum(HOLDERS)
    .exactOptional()
    .describe(
      'What held the agents of its run until it was asked; `none`: one of them worked without a sandbox.',
    ),
  digest: z
    .string()
    .describe('Of what is shown. Send it with an answer, and a question that has changed refuses it.'),
  alike: z.string().describe('Questions that ask the same have the same.'),
  urgency: z.enum(URGENCIES),
  openedAt: instant,
  expiresAt: instant.nullable(),
  snoozedUntil: instant.nullable(),
  assignee: textOrNull,
  reminders: whole,
  status,
  by: by.nullable(),
  pick: z.string().describe('Empty where a person only said something.'),
  note: z.string(),
  edited: textOrNull,
  batch: textOrNull,
  undoableUntil: instant
    .exactOptional()
    .describe(
      'Until then the answer can be taken back, and nothing comes of it; left out where it is not held.',
    ),
  did: z.string().describe('What the agent did first after it had the answer.'),
  outran: z.array(z.string()).exactOptional().describe('What its agent did after it had asked.'),
  supersedes: textOrNull,
  supersededBy: textOrNull,
  delivery: z.object({ failures: whole, trouble: z.string(), nextAt: instant.nullable() }),
}

const proof = schemaFor<Proof>()(
  z.object({
    door: z.enum(DOORS),
    call: z.string(),
    prompts: z.array(z.string()),
    dictated: z.array(z.string()),
  }),
)

export const DecisionRecord = schemaFor<Declared>()(
  z.object({
    ...everywhere,
    shown,
    earlier: shown
      .nullable()
      .describe('What it showed before it was last looked at again; null where it never was.'),
    stages: z.array(z.object({ status, at: instant })),
    fields: z
      .record(z.string(), asItIs<FieldValue>())
      .exactOptional()
      .describe('What a person filled in of a form; left out where there is none.'),
    proof: proof.nullable(),
  }),
).meta({ id: 'DecisionRecord' })

const row = schemaFor<DeclaredRow>()(
  z.object({
    ...everywhere,
    headline: z.string(),
    ask: z.string().describe('The question itself.'),
    options: z.array(option.omit({ body: true })),
    recommended: textOrNull,
    runs: runs.describe('What any answer has run; left out where that is nothing.'),
    answeredAt: instant.nullable(),
    closedAt: instant.nullable(),
    dictated: z.boolean().nullable(),
  }),
)

const ListedDecision = row
  .extend({ group: whole.describe('How many pending ones ask the same, this one included.') })
  .meta({ id: 'DecisionRow' })
export type ListedDecision = Output<typeof ListedDecision>

export const DecisionPage = z
  .object({
    rows: z.array(ListedDecision),
    next: textOrNull.describe('The cursor of the next page; null at the end.'),
  })
  .meta({ id: 'DecisionPage' })
export type DecisionPage = Output<typeof DecisionPage>

/** What became of it: as a text that needs no memory, and as what a program can read. */
const HeardAnswer = z.object({
  answered: z.string().describe('As a text that needs no memory.'),
  status,
  by: by.nullable(),
  pick: z.string().describe('Empty where a person only said something, or nobody answered.'),
  note: z.string(),
  edited: textOrNull,
})
export type HeardAnswer = Output<typeof HeardAnswer>

export const HeardSoFar = z
  .union([HeardAnswer, z.object({ answered: z.null().describe('Not yet: ask again.') })])
  .meta({ id: 'Heard' })

export const Answered = z
  .object({
    answered: z.array(z.string()),
    batch: textOrNull.describe('For undoing them all; null for one.'),
    refused: z
      .array(z.object({ id: z.string(), problem: z.string() }))
      .describe('Those of a group that could not be answered so, and why.'),
    undoableUntil: instant
      .nullable()
      .describe('Until then it can be taken back, and nothing comes of it; null where nothing was held.'),
  })
  .meta({ id: 'Answered' })
export type Answered = Output<typeof Answered>

export const Undone = z
  .object({
    undone: z.array(z.string()),
    late: z.array(z.string()).describe('Those whose answer was delivered before.'),
    refused: z
      .array(z.object({ id: z.string(), problem: z.string() }))
      .describe('Those of a group that could not be taken back for another reason, and why.'),
  })
  .meta({ id: 'Undone' })
export type Undone = Output<typeof Undone>
