/** What a person does with a run's work: look at it, land it. Shapes and routes. */
import { z } from 'zod'
import { json, type Routes } from './route.ts'
import { type Output, textOrNull, whole } from './schema.ts'

const flag = z.boolean().catch(false)

const commit = z.string().regex(/^[0-9a-f]{4,64}$/, 'must be a commit')

const DiffPart = z.object({
  step: textOrNull.describe('Null: all that the run changed.'),
  visit: whole.nullable(),
  from: z.string(),
  to: z.string(),
  text: z
    .string()
    .describe('A patch as git writes it, cut off after 1 MiB; or which files, and how much of them.'),
})

export const RunDiff = z
  .object({ run: z.string(), from: z.string(), to: z.string(), parts: z.array(DiffPart) })
  .meta({ id: 'RunDiff' })
export type RunDiff = Output<typeof RunDiff>

const LAND_WAYS = ['merge', 'squash', 'cherry-pick'] as const

export const LandOrder = z.object({
  how: z.enum(LAND_WAYS).default('merge'),
  into: textOrNull.default(null).describe('A branch of yours; the one the run came from by default.'),
  unfinished: z.boolean().default(false).describe('Also where the run goes on.'),
  gates: z.enum(['put', 'skip']).default('put'),
  message: z.string().max(10_000).default(''),
})
export type LandOrder = Output<typeof LandOrder>

const Landed = z.object({
  state: z.literal('landed'),
  into: z.string(),
  commit: z.string().describe('Where the branch stands now.'),
  before: z.string(),
  how: z.enum(['fast-forward', ...LAND_WAYS, 'nothing']).describe('`nothing`: the branch had all of it.'),
  gates: whole.describe('How many gates it passed for this.'),
  checkout: textOrNull.describe('The checkout of yours that was brought along.'),
  issues: whole.describe('How many of its changes of issues came along, as commits of their own.'),
  redefined: z
    .array(z.object({ gate: z.string(), files: z.array(z.string()) }))
    .describe('Gates whose meaning this changes: files that say what they run are among what was landed.'),
  issuesWait: textOrNull.describe('Why its changes of issues did not come along, where they did not.'),
})

export const Landing = z
  .discriminatedUnion('state', [
    Landed,
    z.object({ state: z.literal('going-on') }).describe('Its gates take longer: ask again, and wait on.'),
  ])
  .meta({ id: 'Landing' })
export type Landing = Output<typeof Landing>

const WordOrder = z.object({ text: z.string({ error: 'must be what to say' }) })

export const WordSaid = z
  .object({
    word: z.string().describe('How the record calls it.'),
    to: z
      .array(z.string())
      .describe('The agents that are told it with their next turn; none: kept for the next one.'),
  })
  .meta({ id: 'WordSaid' })
export type WordSaid = Output<typeof WordSaid>

export const RunUpdate = z
  .object({
    state: z
      .enum(['merged', 'asked', 'nothing'])
      .describe(
        '`asked`: somebody is at work, so it is done when their turn ends. `nothing`: it had all of it.',
      ),
    from: z.string().describe('The branch it came from.'),
    commits: whole.describe('How many that branch got since.'),
    commit: z.string().describe('The run’s last.'),
    agents: z.array(z.string()).describe('Who is at work.'),
  })
  .meta({ id: 'RunUpdate' })
export type RunUpdate = Output<typeof RunUpdate>

const TakeOrder = z.object({ reason: z.string().default('') })

export const TakenRun = z
  .object({
    run: z.string(),
    worktree: z.string().describe('Where to work.'),
    branch: z.string(),
    step: z.string(),
    visit: whole,
  })
  .meta({ id: 'TakenRun' })
export type TakenRun = Output<typeof TakenRun>

export const ResumeOrder = z.object({
  how: z
    .enum(['answered', 'back'])
    .default('answered')
    .describe('`answered`: what was done is the step’s work; `back`: the agent goes on with it.'),
  pick: textOrNull.default(null).describe('The outcome, where the step asks for one.'),
  fields: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('What else the step asks; its handoff as `handoff`.'),
  note: z.string().default(''),
})
export type ResumeOrder = Output<typeof ResumeOrder>

export const Resumed = z
  .discriminatedUnion('state', [
    z.object({
      state: z.literal('resumed'),
      commit: z.string(),
      changes: z.string().describe('What was done by hand, by file.'),
      gates: whole.describe('How many gates it passed.'),
      step: textOrNull.describe('Where the run is now.'),
      end: textOrNull,
    }),
    z.object({ state: z.literal('going-on') }).describe('Its gates take longer: ask again, and wait on.'),
  ])
  .meta({ id: 'Resumed' })
export type Resumed = Output<typeof Resumed>

export const COURSE_ROUTES = {
  'GET /api/v1/runs/{run}/diff': {
    name: 'diffRun',
    says: 'What a run changed: all of it, step by step, or between two of its commits.',
    access: 'look',
    query: z.strictObject({
      step: z.string().exactOptional().describe('Only what this step did.'),
      steps: flag.describe('Each step’s share by itself.'),
      stat: flag.describe('Only which files, and how much of them.'),
      from: commit
        .exactOptional()
        .describe('A commit of the run, by its beginning. Left out: what it began with.'),
      to: commit.exactOptional().describe('Another. Left out: its last.'),
    }),
    body: null,
    reply: { status: 200, says: 'The changes.', schema: RunDiff },
    refuses: [404, 409, 422],
  },
  'POST /api/v1/runs/{run}/land': {
    name: 'landRun',
    says: 'Puts a run’s gates to its work as it would be in a branch of yours, then moves that branch. Only for the owner.',
    access: 'owner',
    query: z.object({}),
    body: json(LandOrder),
    reply: { status: 200, says: 'It is landed, or its gates still run.', schema: Landing },
    refuses: [404, 409, 422],
  },
  'POST /api/v1/runs/{run}/words': {
    name: 'sayToRun',
    says: 'Says something to the agents at work, or to the next one.',
    access: 'steer',
    query: z.object({}),
    body: json(WordOrder),
    reply: { status: 201, says: 'It is in the record, and told with their next turn.', schema: WordSaid },
    refuses: [404, 409, 422],
  },
  'POST /api/v1/runs/{run}/update': {
    name: 'updateRun',
    says: 'Brings what the branch a run came from got since into the run.',
    access: 'steer',
    query: z.object({}),
    body: null,
    reply: { status: 200, says: 'It is brought in, or will be.', schema: RunUpdate },
    refuses: [404, 409],
  },
  'POST /api/v1/runs/{run}/take': {
    name: 'takeRun',
    says: 'Takes a run over by hand: its agents are ended, its clocks stand still, and its worktree is yours.',
    access: 'steer',
    query: z.object({}),
    body: json(TakeOrder),
    reply: { status: 200, says: 'Where to work.', schema: TakenRun },
    refuses: [404, 409],
  },
  'POST /api/v1/runs/{run}/resume': {
    name: 'resumeRun',
    says: 'Takes what was done by hand as the step’s work, once its gate has passed on it; or gives it back to the agent.',
    access: 'steer',
    query: z.object({}),
    body: json(ResumeOrder),
    reply: { status: 200, says: 'It goes on, or its gates still run.', schema: Resumed },
    refuses: [404, 409, 422],
  },
} as const satisfies Routes
