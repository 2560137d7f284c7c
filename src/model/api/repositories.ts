/** The user's repositories, as far as a run can be started in them: their runbooks, their issues, and what a start would come to. */
import { z } from 'zod'
import type { CapturedIssue } from '../fact.ts'
import type { Program } from '../program.ts'
import { json, type Routes } from './route.ts'
import { StartOrder } from './runs.ts'
import { asItIs, instant, NO_QUERY, namedTexts, type Output, schemaFor } from './schema.ts'

const folder = z.string({ error: 'must be an absolute path' }).regex(/^\//, 'must be an absolute path')

const KnownRepository = z
  .object({
    repo: z.string().describe('Its top level.'),
    lastRunAt: instant.nullable().describe('Null: the host was only started there.'),
  })
  .meta({ id: 'KnownRepository' })
export type KnownRepository = Output<typeof KnownRepository>

const ListedIssue = z
  .object({
    id: z.string(),
    title: z.string(),
    status: z.string().describe('As written.'),
    isDone: z.boolean(),
    labels: z.array(z.string()),
    parent: z.string().describe('The issue it is a part of; empty for none.'),
    path: z.string().describe('Relative to the repository.'),
    waitsFor: z.array(z.object({ id: z.string(), why: z.string() })),
  })
  .meta({ id: 'ListedIssue' })
export type ListedIssue = Output<typeof ListedIssue>

export const RepositoryLook = z
  .object({
    repo: z.string(),
    runbooks: z.array(z.object({ name: z.string(), file: z.string() })),
    issues: z.array(ListedIssue),
    problems: z.array(z.string()).describe('Files that cannot be read as issues, and why.'),
  })
  .meta({ id: 'RepositoryLook' })
export type RepositoryLook = Output<typeof RepositoryLook>

const IssueOrder = z.object({
  dir: folder,
  title: z.string({ error: 'must say what is to be done' }).max(500),
  body: z.string().max(200_000).default(''),
})
export type IssueOrder = Output<typeof IssueOrder>

/** What `problems` has is what a start would be refused with, in the same words. */
export const StartPlan = z
  .object({
    problems: z.array(z.string()),
    program: asItIs<Program>().nullable().describe('Null: the runbook does not pass.'),
    ground: z
      .object({ repo: z.string(), base: z.string(), baseCommit: z.string() })
      .nullable()
      .describe('Null, like the rest: something is in the way.'),
    issue: schemaFor<CapturedIssue>()(
      z.object({
        id: z.string(),
        title: z.string(),
        status: z.string(),
        parent: z.string(),
        labels: z.string(),
        body: z.string(),
        path: z.string(),
      }),
    ).nullable(),
    agents: namedTexts.describe('Agent → the program that serves it.'),
  })
  .meta({ id: 'StartPlan' })
export type StartPlan = Output<typeof StartPlan>

const RunbookText = z
  .object({
    file: z.string(),
    text: z.string().describe('As the file is now.'),
    changedAt: instant.describe('When the file was last written.'),
    startedAt: instant.describe('When the run began.'),
  })
  .meta({ id: 'RunbookText' })
export type RunbookText = Output<typeof RunbookText>

export const REPOSITORY_ROUTES = {
  'GET /api/v1/repositories': {
    name: 'listRepositories',
    says: 'Where runs were started, the latest first, and where the host was. Only for the owner.',
    access: 'owner',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The repositories.', schema: z.array(KnownRepository) },
    refuses: [],
  },
  'GET /api/v1/repositories/look': {
    name: 'lookAtRepository',
    says: 'The runbooks and issues of the repository that a folder belongs to. Only for the owner.',
    access: 'owner',
    query: z.strictObject({ dir: folder.describe('In the repository.') }),
    body: null,
    reply: { status: 200, says: 'What is there.', schema: RepositoryLook },
    refuses: [422],
  },
  'POST /api/v1/repositories/issues': {
    name: 'createIssue',
    says: 'Writes a new issue into the repository’s folder, under the next free number. Only for the owner.',
    access: 'owner',
    query: NO_QUERY,
    body: json(IssueOrder),
    reply: { status: 201, says: 'It is written.', schema: ListedIssue },
    refuses: [422],
  },
  'POST /api/v1/preflight': {
    name: 'preflightRun',
    says: 'What starting a run would come to, or be refused with. Starts nothing. Only for the owner.',
    access: 'owner',
    query: NO_QUERY,
    body: json(StartOrder),
    reply: { status: 200, says: 'The plan.', schema: StartPlan },
    refuses: [],
  },
  'GET /api/v1/runs/{run}/runbook': {
    name: 'readRunbook',
    says: 'The text of the runbook that a run was started with, as its file is now.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The text.', schema: RunbookText },
    refuses: [404],
  },
} as const satisfies Routes
