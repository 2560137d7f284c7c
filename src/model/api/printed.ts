/**
 * What commands print with `--json`, each declared once: `schema/json/` and docs/json.md are made from it, and a test holds
 * what is printed against it. Keys are added in later versions; none changes its meaning.
 */
import { z } from 'zod'
import type { Certificate as DeclaredCertificate } from '../certificate.ts'
import type { Diagnostic as DeclaredDiagnostic } from '../diagnostic.ts'
import { DecisionPage, DecisionRecord } from './decision-record.ts'
import { RunHistories } from './history.ts'
import { PRINTED_COURSE } from './printed-course.ts'
import { PRINTED_POLICY } from './printed-policy.ts'
import { RunDetail, RunRow } from './runs.ts'
import { instant, schemaFor, textOrNull, whole } from './schema.ts'

const texts = z.array(z.string())

const diagnostic = schemaFor<DeclaredDiagnostic>()(
  z.object({
    code: z.string().describe('docs/checks.md has a section for each.'),
    severity: z.enum(['error', 'warning']),
    file: z.string(),
    at: z.object({ line: whole, column: whole }),
    path: z.string(),
    message: z.string(),
    help: z.string().exactOptional(),
    trail: texts.exactOptional(),
  }),
)

const worst = z.object({
  visits: z.number(),
  dispatches: z.number(),
  questions: z.number(),
  flowQuestions: z.number(),
  agentQuestions: z.number(),
})

const certificate = schemaFor<DeclaredCertificate>()(
  z.object({
    runbook: z.string(),
    digest: z.string(),
    exact: z.boolean().describe('Whether the numbers are exact worst cases; else they are bounds.'),
    worst,
    faultless: worst,
    steps: z.array(
      z.object({
        step: z.string(),
        kind: z.enum(['agent', 'check', 'decide', 'flow', 'panel']),
        visits: z.number(),
        dispatchesPerVisit: z.number(),
        questionsPerVisit: z.number(),
      }),
    ),
    budgets: z.record(z.string(), z.number()),
    ends: texts,
    matrix: z.array(
      z.object({
        step: z.string(),
        outcome: z.string(),
        label: z.string(),
        kind: z.enum(['answer', 'fault', 'person']),
        origin: z.enum(['step', 'flow', 'built-in']),
        route: z.string(),
      }),
    ),
    states: z.number(),
    longestPath: texts,
    roles: z.array(
      z.object({
        agent: z.string(),
        writes: texts.nullable(),
        network: z.union([z.enum(['off', 'on']), texts]).nullable(),
        git: z.enum(['read', 'write']).nullable(),
        judge: textOrNull,
      }),
    ),
    changesIssues: texts.describe('Steps whose command changes issues.'),
  }),
)

const share = z.object({ taken: whole, of: whole })
const calibration = share.extend({ byConfidence: z.record(z.string(), share) })
const groups = z.array(calibration.extend({ name: z.string() }))
const spread = z.object({ medianMs: z.number().nullable(), p90Ms: z.number().nullable() })

const issue = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  dependsOn: texts,
  parent: z.string(),
  labels: texts,
  category: z.string(),
  body: z.string().describe('All below the front matter.'),
  description: z.string().describe('The body without comments and without the list of sub-issues.'),
  criteria: z.array(z.object({ number: whole, text: z.string(), isMet: z.boolean() })),
  comments: z.array(
    z.object({
      at: z.string().describe('As it stands there: `2026-05-08 13:02 UTC`.'),
      by: z.string(),
      text: z.string(),
    }),
  ),
  path: z.string(),
  waitsFor: z
    .array(z.object({ id: z.string(), why: z.string() }))
    .describe('Those it depends on that are not done.'),
  subIssues: z.array(z.object({ id: z.string(), title: z.string(), status: z.string() })),
})

/** Of each command what it prints; the names of files. */
export const PRINTED = {
  ps: { command: 'ps --json', says: 'Runs, latest first.', schema: z.array(RunRow) },
  show: {
    command: 'show RUN --json',
    says: 'One run, with every event as it stands in the journal.',
    schema: RunDetail.extend({
      drift: textOrNull.describe('How the runbook differs from the file it came from.'),
      events: z.array(z.looseObject({ type: z.string(), at: instant })),
    }),
  },
  run: {
    command: 'run RUNBOOK --detach --json',
    says: 'The run that was started.',
    schema: z.object({ run: z.string() }),
  },
  'decision-list': {
    command: 'decision list --json',
    says: 'What waits, or what became of it; `inbox --json` prints the same.',
    schema: DecisionPage,
  },
  'decision-show': {
    command: 'decision show DECISION --json',
    says: 'One decision with all that became of it; of a run, a list of them.',
    schema: z.union([DecisionRecord, z.array(DecisionRecord)]),
  },
  check: {
    command: 'check RUNBOOK… --json',
    says: 'For each runbook what is wrong, and what is proved.',
    schema: z.array(
      z.object({
        file: z.string(),
        ok: z.boolean(),
        diagnostics: z.array(diagnostic),
        certificate: certificate.nullable(),
      }),
    ),
  },
  rehearse: {
    command: 'rehearse RUNBOOK --json',
    says: 'What the rehearsal walked and measured.',
    schema: z.object({
      runbook: z.string(),
      states: whole,
      moves: whole,
      complete: z.boolean(),
      stopped: z.enum(['states', 'memory']).nullable(),
      waiting: whole,
      ends: z.array(z.object({ end: z.string(), moves: whole })),
      routes: z.object({ taken: whole, all: whole, missed: texts }),
      worst: worst.nullable(),
      visits: z.record(z.string(), z.number()),
      exact: z.boolean(),
      disagreements: texts,
      problems: z.array(z.object({ message: z.string(), way: texts })),
    }),
  },
  doctor: {
    command: 'doctor --json',
    says: 'What is in force, and what is wrong.',
    schema: z.array(
      z.object({ about: z.string(), state: z.enum(['good', 'note', 'bad']), text: z.string() }),
    ),
  },
  agents: {
    command: 'agents --json',
    says: 'Which agents there are, and what they can do.',
    schema: z.object({
      default: textOrNull,
      agents: z.array(
        z.looseObject({
          name: z.string(),
          driver: z.enum(['acp', 'command', 'scripted']).nullable(),
          isDefault: z.boolean(),
          standsFor: textOrNull,
          path: textOrNull,
          install: z.string(),
          version: textOrNull,
          probe: z.looseObject({}).nullable(),
          askedAt: textOrNull,
          lacks: texts,
        }),
      ),
      diagnostics: z.array(diagnostic),
    }),
  },
  insights: {
    command: 'insights --json',
    says: 'What answers cost and teach.',
    schema: z.object({
      since: instant,
      decisions: whole,
      byPerson: whole,
      byPolicy: whole,
      ended: z.record(z.string(), whole),
      overAsked: z.number(),
      timeToAnswer: spread,
      calibration: z.object({
        all: calibration,
        agents: groups,
        programs: groups,
        models: groups,
        kinds: groups,
      }),
      runs: z.object({
        finished: whole,
        attention: spread.extend({ meanMs: z.number().nullable() }),
        questions: z.array(z.looseObject({ name: z.string(), program: z.string() })),
      }),
    }),
  },
  'issue-list': {
    command: 'issue list --json',
    says: 'The issues of the repository, and files that are none; `issue split` prints those that it filed.',
    schema: z.object({ issues: z.array(issue), problems: z.array(z.object({ problem: z.string() })) }),
  },
  'issue-show': {
    command: 'issue show ID --json',
    says: 'One issue; `issue new`, `edit`, `comment` and `status` print the same.',
    schema: issue,
  },
  'issue-next': {
    command: 'issue next --json',
    says: 'Which issue to begin with, and which could be begun, are under way or wait for others.',
    schema: z.object({ next: issue.nullable(), ready: texts, underWay: texts, waiting: texts }),
  },
  history: {
    command: 'history --issue ID --json',
    says: 'What runs on an issue left, latest first; at most twenty of them.',
    schema: RunHistories,
  },
  'issue-sync': {
    command: 'issue sync --json',
    says: 'What was brought to the branch one stands on of what runs changed of issues.',
    schema: z.object({
      branch: z.string(),
      commit: z.string().describe('Where it stands now; the same as before where nothing waited.'),
      before: z.string(),
      commits: whole,
      issues: texts.describe('Ids of the issues that changed by it.'),
    }),
  },
  'issue-preflight': {
    command: 'issue preflight ID --json',
    says: 'What keeps work on an issue from beginning here, the worst first.',
    schema: z.object({
      issue: z.string(),
      ready: z.boolean(),
      problems: z.array(z.object({ code: z.string(), problem: z.string(), exit: whole })),
    }),
  },
  people: {
    command: 'people --json',
    says: 'Who may answer.',
    schema: z.array(z.object({ name: z.string(), groups: texts, owner: z.boolean(), may: texts })),
  },
  logs: {
    command: 'logs RUN --json',
    says: 'What agents and commands said, a line each.',
    schema: z.object({
      at: instant,
      step: z.string(),
      visit: whole,
      who: z.string(),
      kind: z.enum(['text', 'thought', 'tool', 'output', 'note']),
      text: z.string(),
    }),
  },
  ...PRINTED_COURSE,
  ...PRINTED_POLICY,
} as const satisfies Readonly<
  Record<string, { readonly command: string; readonly says: string; readonly schema: z.ZodType }>
>

export function printedSchema(name: keyof typeof PRINTED): object {
  const { command, says, schema } = PRINTED[name]
  return {
    title: `signalbox ${command}`,
    description: says,
    ...z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }),
  }
}

export const printedReference = (): string =>
  [
    '# What `--json` prints',
    '',
    'Every read takes `--json`. Each has a JSON Schema (2020-12) in `schema/json/`, which comes with the package; a test holds what is printed',
    'against it. Instants are milliseconds since 1970. Keys may be added in a later version; none changes its meaning. What goes wrong is told on',
    'standard error, as a sentence, with an exit code (0 ok, 1 failed, 2 usage, 3 waiting for a person): then nothing is printed that is not JSON.',
    'This page is generated: `npm run reference`.',
    '',
    '| command | what it prints | schema |',
    '|---|---|---|',
    ...Object.entries(PRINTED).map(
      ([name, { command, says }]) =>
        `| \`signalbox ${command}\` | ${says} | [${name}](../schema/json/${name}.schema.json) |`,
    ),
    '',
    'What is done to a decision (`decision answer`, `undo`, `snooze`, `assign`, `withdraw`, `retry`) prints the decision as `decision show` does, or what',
    'was answered; [HTTP](http.md) says the same in its OpenAPI document, at `/api/v1/openapi.json`.',
    '',
  ].join('\n')
