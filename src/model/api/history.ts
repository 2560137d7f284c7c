/** What runs on an issue left, for whoever works on it next: shape and route. */
import { z } from 'zod'
import type { Routes } from './route.ts'
import { instant, type Output, textOrNull, whole } from './schema.ts'

const SaidAtStep = z.object({
  step: z.string(),
  visit: whole,
  outcome: z.string(),
  by: z.string(),
  text: z.string().describe('What it gave as reasons: its fields, notes or what went wrong.'),
})

const IssueNote = z.object({
  issue: z.string(),
  by: z.string().describe('The run, and the name that its command wrote over it.'),
  text: z.string(),
})

const RunHistory = z
  .object({
    run: z.string(),
    name: z.string().describe('Of the runbook.'),
    status: z.enum(['new', 'working', 'waiting', 'parked', 'taken', 'ended']),
    end: textOrNull,
    success: z.boolean().nullable(),
    startedAt: instant,
    changedAt: instant,
    why: z.string().describe('What led to its end, or where it is.'),
    said: z.array(SaidAtStep).describe('The last that its steps gave as reasons, latest last.'),
    branch: textOrNull.describe('Where its work is; null where it was discarded.'),
    landed: z.object({ into: z.string(), commit: z.string() }).nullable(),
    changed: z
      .array(z.object({ step: z.string(), visit: whole, issues: z.array(z.string()), commit: z.string() }))
      .describe('Its changes of issues.'),
    comments: z.array(IssueNote).describe('What it said about issues.'),
  })
  .meta({ id: 'RunHistory' })
export type RunHistory = Output<typeof RunHistory>

export const RunHistories = z.array(RunHistory)

export const HistoryQuery = z.object({
  issue: z.string().default('').describe('The id of an issue.'),
  repo: z.string().default('').describe('The top of the checkout that runs were started in; empty: any.'),
})
export type HistoryQuery = Output<typeof HistoryQuery>

export const HISTORY_ROUTES = {
  'GET /api/v1/history': {
    name: 'listHistory',
    says: 'What runs on an issue left, latest first.',
    access: 'look',
    query: HistoryQuery,
    body: null,
    reply: { status: 200, says: 'At most twenty of them.', schema: RunHistories },
    refuses: [],
  },
} as const satisfies Routes
