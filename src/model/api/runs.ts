/** Runs: what is sent about them, what is told of them, and their routes. */
import { z } from 'zod'
import type { Placement } from '../fact.ts'
import { PROJECT_COMMANDS } from '../project-command.ts'
import type { QuestionCard } from '../question-card.ts'
import { json, type Routes } from './route.ts'
import { asItIs, instant, NO_QUERY, namedTexts, type Output, schemaFor, textOrNull, whole } from './schema.ts'

const path = z.string({ error: 'must be an absolute path' }).regex(/^\//, 'must be an absolute path')

/** A runbook by its file: whoever hosts reads and compiles it. */
export const StartOrder = z.object({
  runbook: path,
  dir: path,
  base: textOrNull.default(null),
  issue: textOrNull.default(null),
  vars: namedTexts.default({}),
})
export type StartOrder = Output<typeof StartOrder>

const reason = z.string().default('')
const KIND =
  'must be one of cancel, retry, move, extend, discard (what a run asks is answered at /api/v1/decisions/ID/answer)'

export const Action = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.enum(['cancel', 'retry']), reason }),
    z.object({ kind: z.literal('move'), to: z.string({ error: 'must name a step' }), reason }),
    z.object({
      kind: z.literal('extend'),
      budget: z.string({ error: 'must name a budget' }),
      amount: z.number(),
      reason,
    }),
    z.object({
      kind: z.literal('discard'),
      unmerged: z.boolean().default(false).describe('Also what its branch has not got.'),
    }),
  ],
  { error: KIND },
)
export type Action = Output<typeof Action>

export const RunRow = z
  .object({
    run: z.string(),
    status: z.enum(['new', 'working', 'waiting', 'parked', 'taken', 'ended']),
    takenBy: z.string().exactOptional().describe('Who works at it by hand.'),
    step: textOrNull,
    visit: whole.nullable(),
    enteredAt: instant.nullable().describe('When it came to the step it is at.'),
    end: textOrNull,
    totals: z.object({ visits: whole, dispatches: whole, flowQuestions: whole, agentQuestions: whole }),
    budgets: z.record(z.string(), z.number()),
    counters: z.record(z.string(), z.number()).describe('How often each bound of a route was used.'),
    usage: z.object({ costUsd: z.number(), tokens: z.number(), unpriced: z.number() }),
    extended: z.boolean(),
    name: z.string(),
    runbook: z.string(),
    program: z.string(),
    repo: z.string(),
    branch: z.string(),
    issue: z.object({ id: z.string(), title: z.string() }).nullable(),
    startedAt: instant,
    changedAt: instant,
    success: z.boolean().nullable(),
    waiting: whole.describe('Questions that lie with people.'),
    waitsForDay: z.boolean().describe('The limit of the day has parked an agent of it.'),
    discarded: z.boolean(),
  })
  .meta({ id: 'RunRow' })
export type RunRow = Output<typeof RunRow>

const placement = schemaFor<Placement>()(
  z.object({
    repo: z.string(),
    gitDir: z.string(),
    base: z.string(),
    baseCommit: z.string(),
    branch: z.string(),
    worktree: z.string(),
    port: whole.exactOptional(),
    commands: z.partialRecord(z.enum(PROJECT_COMMANDS), z.string()).exactOptional(),
    setupNeeds: z.array(z.string()).exactOptional(),
  }),
)

/** How its work stands to the branch it came from. */
export const RunWork = z
  .object({
    commit: z.string().describe('Its last.'),
    into: z.string().describe('The branch it came from.'),
    tip: z.string().describe('Where that branch is now.'),
    ahead: whole.describe('Commits that only the run has.'),
    behind: whole.describe('Commits that the branch got since.'),
    merged: z.boolean().describe('The branch has all of it, however it came there.'),
  })
  .meta({ id: 'RunWork' })
export type RunWork = Output<typeof RunWork>

export const RunDetail = z
  .object({
    row: RunRow,
    placement,
    vars: namedTexts,
    limits: z.object({ costUsd: z.number().nullable(), tokens: z.number().nullable() }),
    questions: z.array(asItIs<QuestionCard>()).describe('To be read: they are answered as decisions.'),
    artifacts: namedTexts,
    work: RunWork.nullable().describe(
      'Null where it cannot be told: nothing is done yet, or it is discarded.',
    ),
  })
  .meta({ id: 'RunDetail' })
export type RunDetail = Output<typeof RunDetail>

/** Of whatever can be done and has nothing to tell. */
export const Done = z.object({ done: z.literal(true) }).meta({ id: 'Done' })

const MOST_RUNS = 1000
const DEFAULT_RUNS = 100
const found = z.object({ run: z.string() })

export const RUN_ROUTES = {
  'GET /api/v1/runs': {
    name: 'listRuns',
    says: 'Runs, latest first.',
    access: 'look',
    query: z.strictObject({
      all: z.boolean().catch(false).describe('Ended ones too.'),
      limit: z
        .preprocess(atMost(MOST_RUNS), whole.min(1).max(MOST_RUNS))
        .catch(DEFAULT_RUNS)
        .describe(`At most so many; ${DEFAULT_RUNS} by default.`),
    }),
    body: null,
    reply: { status: 200, says: 'The runs.', schema: z.array(RunRow) },
    refuses: [],
  },
  'POST /api/v1/runs': {
    name: 'startRun',
    says: 'Starts a run of a runbook that lies on the host’s machine. Only for the owner.',
    access: 'owner',
    query: NO_QUERY,
    body: json(StartOrder),
    reply: { status: 201, says: 'The run has begun.', schema: found },
    refuses: [422],
  },
  'GET /api/v1/find': {
    name: 'findRun',
    says: 'The one run whose id begins so.',
    access: 'look',
    query: z.object({ prefix: z.string().default('').describe('The beginning of an id.') }),
    body: null,
    reply: { status: 200, says: 'Its id.', schema: found },
    refuses: [404, 409],
  },
  'GET /api/v1/runs/{run}': {
    name: 'showRun',
    says: 'Where a run is and what it left. The beginning of its id will do.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The run.', schema: RunDetail },
    refuses: [404, 409],
  },
  'POST /api/v1/runs/{run}/actions': {
    name: 'actOnRun',
    says: 'Cancels, retries, moves, extends or discards a run.',
    access: 'steer',
    query: NO_QUERY,
    body: json(Action),
    reply: { status: 200, says: 'It is done.', schema: Done },
    refuses: [404, 409, 422],
  },
} as const satisfies Routes

/** Whoever asks for more than there can be gets as much as there can be. */
function atMost(most: number): (given: number) => number {
  return (given) => (typeof given === 'number' ? Math.min(given, most) : given)
}
