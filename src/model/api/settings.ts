/** What is in force on a host: its agents, channels, policies and sandbox, and what its doctor finds. Addresses and secrets are in none of it. */
import { z } from 'zod'
import { json, type Routes } from './route.ts'
import { NO_QUERY, type Output, textOrNull, whole } from './schema.ts'

const texts = z.array(z.string())

const KnownAgent = z
  .object({
    name: z.string(),
    driver: z.enum(['acp', 'command', 'scripted']).nullable(),
    isDefault: z.boolean().describe('It serves `use: default`.'),
    standsFor: textOrNull.describe('The entry it is another name of.'),
    path: textOrNull.describe('Where it is; null: not installed.'),
    install: z.string().describe('How to get it.'),
    version: textOrNull,
    model: textOrNull.describe('The model that the config names for it.'),
    modelBy: textOrNull.describe('How it is told which model to work with; null: it is not.'),
    keeps: texts.describe(
      'What it keeps in the user’s home, each part with what it gets of it in its sandbox. It writes to none.',
    ),
    passes: texts.describe('Variables of the user’s that it gets beside those that every process does.'),
    probe: z
      .union([
        z.object({
          version: z.string(),
          resumes: z.enum(['resume', 'load']).nullable().describe('How it goes on with an earlier session.'),
          mcpHttp: z.boolean().describe('Whether it takes MCP servers over HTTP.'),
          images: z.boolean(),
          model: textOrNull.describe('What it works with, where it tells.'),
        }),
        z.object({ problem: z.string().describe('Why nothing is known of it.') }),
      ])
      .nullable()
      .describe('What it answered when it was last asked; null: it never was.'),
    askedAt: textOrNull.describe('ISO 8601.'),
    lacks: texts.describe('What will not work with it, or not as usual.'),
  })
  .meta({ id: 'KnownAgent' })
export type KnownAgent = Output<typeof KnownAgent>

const AgentList = z
  .object({
    agents: z.array(KnownAgent).describe('Those that are installed first.'),
    problems: texts.describe('What is wrong with the config.'),
  })
  .meta({ id: 'AgentList' })
export type AgentList = Output<typeof AgentList>

const ListedChannel = z
  .object({
    id: z.string(),
    name: z.string().describe('Its kind and its server; no address.'),
    kind: z.enum(['desktop', 'webhook', 'ntfy', 'slack']),
    audience: textOrNull.describe('A person or a group; null: everybody.'),
    leastUrgency: z.string(),
    events: texts.describe('What is told there.'),
    quiet: textOrNull.describe('When only what is urgent is told.'),
    full: z.boolean().describe('Whether contexts and notes are told too.'),
    problem: textOrNull.describe('Why it cannot be used; null: it can.'),
    inForce: z
      .boolean()
      .describe('Whether the host has it: what the config got since is taken when it next starts.'),
  })
  .meta({ id: 'ListedChannel' })
export type ListedChannel = Output<typeof ListedChannel>

export const ChannelTest = z
  .object({
    channel: z.string(),
    result: z.enum(['sent', 'failed', 'refused', 'unusable']),
    detail: z.string().describe('What came back.'),
  })
  .meta({ id: 'ChannelTest' })
export type ChannelTest = Output<typeof ChannelTest>

const PolicyTrial = z
  .object({
    answered: whole.describe('How many of all that people answered it would have answered.'),
    disagreed: whole.describe('How many of these otherwise than they did.'),
    cases: z
      .array(
        z.object({
          id: z.string(),
          headline: z.string(),
          would: z.string().describe('What it would have picked.'),
          picked: z.string().describe('What a person picked; empty where they only said something.'),
          edited: z.boolean().describe('They took the option, and made it mean something else.'),
        }),
      )
      .describe('Where it would have been wrong, the latest fifty.'),
  })
  .meta({ id: 'PolicyTrial' })
export type PolicyTrial = Output<typeof PolicyTrial>

const ListedPolicy = z
  .object({
    name: z.string(),
    state: z
      .enum(['in force', 'incomplete', 'expired', 'gone'])
      .describe(
        '`incomplete`: it does not say enough to answer anything; `gone`: it has answered, and is not in the file any more.',
      ),
    until: textOrNull,
    answer: textOrNull,
    when: textOrNull.describe('For which decisions.'),
    used: whole,
    lastUsedAt: whole.nullable(),
    backTest: PolicyTrial.nullable().describe('Null where it is gone.'),
  })
  .meta({ id: 'ListedPolicy' })
export type ListedPolicy = Output<typeof ListedPolicy>

const SuggestedPolicy = z
  .object({
    name: z.string(),
    until: z.string(),
    answer: z.string(),
    when: z.string(),
    same: whole.describe('Answers that speak for it.'),
    of: whole.describe('Of so many to such questions.'),
    backTest: PolicyTrial,
  })
  .meta({ id: 'SuggestedPolicy' })
export type SuggestedPolicy = Output<typeof SuggestedPolicy>

const PolicyReport = z
  .object({
    file: z.string().describe('Where they are written.'),
    problems: texts.describe('What is wrong with it: then none is applied.'),
    policies: z.array(ListedPolicy),
    suggested: z.array(SuggestedPolicy).describe('What the answers of the last thirty days speak for.'),
  })
  .meta({ id: 'PolicyReport' })
export type PolicyReport = Output<typeof PolicyReport>

const HostFinding = z
  .object({ about: z.string(), state: z.enum(['good', 'note', 'bad']), text: z.string() })
  .meta({ id: 'HostFinding' })
export type HostFinding = Output<typeof HostFinding>

export const SETTINGS_ROUTES = {
  'GET /api/v1/settings/agents': {
    name: 'listAgents',
    says: 'The agents that the owner’s config and this machine have, and what each can do. None is started but for its version.',
    access: 'owner',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The agents.', schema: AgentList },
    refuses: [404],
  },
  'POST /api/v1/settings/agents/{agent}/probe': {
    name: 'probeAgent',
    says: 'Starts an agent, asks it what it can do, and ends it. No model is asked anything.',
    access: 'owner',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The agent.', schema: KnownAgent },
    refuses: [404],
  },
  'GET /api/v1/settings/channels': {
    name: 'listChannels',
    says: 'Where people are told of decisions.',
    access: 'owner',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The channels.', schema: z.array(ListedChannel) },
    refuses: [404],
  },
  'POST /api/v1/settings/channels/{channel}/test': {
    name: 'testChannel',
    says: 'Sends a test notice to a channel, now, and says what came of it.',
    access: 'owner',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'What came of it.', schema: ChannelTest },
    refuses: [404],
  },
  'GET /api/v1/settings/policies': {
    name: 'listPolicies',
    says: 'The answers that are given without asking anybody, and those that could be; each held against what people answered.',
    access: 'look',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'The policies.', schema: PolicyReport },
    refuses: [404],
  },
  'POST /api/v1/settings/policies': {
    name: 'ratifyPolicy',
    says: 'Adds a suggested policy to the owner’s.',
    access: 'owner',
    query: NO_QUERY,
    body: json(z.strictObject({ name: z.string({ error: 'must name a suggested policy' }) })),
    reply: {
      status: 201,
      says: 'It is in force.',
      schema: z.object({ name: z.string(), until: z.string() }),
    },
    refuses: [404],
  },
  'GET /api/v1/settings/sandbox': {
    name: 'describeSandbox',
    says: 'What holds the processes of runs, and what they may see and reach.',
    access: 'owner',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'What is in force.', schema: z.array(HostFinding) },
    refuses: [404],
  },
  'GET /api/v1/settings/doctor': {
    name: 'runDoctor',
    says: 'What `signalbox doctor` finds. It reads the whole record, in a process of its own.',
    access: 'owner',
    query: NO_QUERY,
    body: null,
    reply: { status: 200, says: 'What it found.', schema: z.array(HostFinding) },
    refuses: [404, 500],
  },
} as const satisfies Routes
