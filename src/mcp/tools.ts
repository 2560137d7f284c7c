/**
 * The tools as agents read them. When to ask is said by the shape of the situation, and never by a mood ("when in
 * doubt"); every example is made from the contract that judges the call.
 */
import type { AskedOfAgent } from '../host/session/agent-door.ts'
import { decisionSchema, EXAMPLE_DECISION } from '../model/decision.ts'
import { LONGEST_WAIT_S } from '../model/decision-record.ts'
import type { AgentTool } from '../model/tool.ts'
import { visibleJson } from '../model/visible-text.ts'

export const REPORT = 'report_outcome' satisfies AgentTool
export const CREATE = 'create_decision' satisfies AgentTool
export const WAIT = 'wait_decision' satisfies AgentTool
export const HAND_OFF = 'hand_off' satisfies AgentTool
export const READ_RUN = 'read_run' satisfies AgentTool
export const LIST_RUNS = 'list_runs'

// With these, agents call without asking for permission first.
export const HARMLESS = { destructiveHint: false, openWorldHint: false }

export const reportTool = (asked: AskedOfAgent | null) => ({
  name: REPORT,
  title: 'Report the outcome of your step',
  description: [
    'Your answer to what this step asks. Call it once, when the work is done; then end your turn. A wrong answer is told to you with what would be right.',
    ...(asked === null ? [] : ['', 'For example:', JSON.stringify(asked.example)]),
  ].join('\n'),
  // Plain JSON, by a type that says less.
  inputSchema: (asked?.schema ?? { type: 'object' }) as { type: 'object' },
  annotations: { ...HARMLESS, idempotentHint: true },
})

export interface DecisionKind {
  readonly name: string
  readonly hint: string
  readonly requires: readonly string[]
}

export interface Creating {
  readonly kinds: readonly DecisionKind[]
  /** How the answer comes: as the next message of a run's agent, or to a client who waits or named a command. */
  readonly after: 'turn' | 'wait'
}

export function createTool({ kinds, after }: Creating) {
  const { properties, ...schema } = decisionSchema(kinds.map(({ name }) => name))
  return {
    name: CREATE,
    title: 'Put a decision to a person',
    description: [
      WHEN,
      AFTER[after],
      '',
      'Kinds:',
      ...kinds.map(
        ({ name, hint, requires }) =>
          `- ${name}: ${hint}${requires.length === 0 ? '' : ` Evidence needed: ${requires.join(', ')}.`}`,
      ),
      '',
      'For example:',
      JSON.stringify(EXAMPLE_DECISION),
    ].join('\n'),
    inputSchema: {
      ...schema,
      properties: { ...(properties as object), ...(after === 'wait' ? RESUME : {}) },
    } as { type: 'object' },
    annotations: HARMLESS,
  }
}

const WHEN = [
  'Call this when both are true:',
  '1. You can name two to six concrete alternatives, and would really do any of them next.',
  '2. The choice is a person’s: it changes what they get, what it costs, or something that cannot be undone, and neither the task nor the repository settles it.',
  'Two ways with different costs, a task that can be read in two ways, a step that cannot be undone: call this before you go on, instead of choosing in silence or asking in prose.',
  'What you can find out by looking, or what the task says already, you decide yourself; and it is never a way to report what you did.',
].join('\n')

const AFTER = {
  turn: 'It returns at once. End your turn then; the answer comes as your next message.',
  wait: `It returns at once with an id. Fetch the answer with ${WAIT}, or name a command under \`resume\` that is run with the answer on its standard input.`,
} as const

const RESUME = {
  resume: {
    type: 'object',
    description: 'A command to be run with the answer on its standard input, for whoever will not wait.',
    properties: {
      command: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'The program and its arguments.',
      },
      cwd: {
        type: 'string',
        description: 'Where it is run: an absolute path; where this server was started by default.',
      },
    },
    required: ['command'],
  },
}

export const WAIT_TOOL = {
  name: WAIT,
  title: 'Wait for the answer to a decision',
  description: `Waits at most ${LONGEST_WAIT_S} seconds for the answer to a decision that you raised; an answer that is there already comes at once.`,
  inputSchema: {
    type: 'object' as const,
    properties: {
      decision: { type: 'string', description: `The id that ${CREATE} gave.` },
      seconds: { type: 'number', minimum: 0, maximum: LONGEST_WAIT_S },
    },
    required: ['decision'],
  },
  annotations: { ...HARMLESS, readOnlyHint: true },
}

/** What `wait_decision` was called with. */
export function decisionOf({
  decision,
  seconds,
}: Readonly<Record<string, unknown>>):
  | { readonly decision: string; readonly waitMs: number }
  | { readonly problem: string } {
  if (typeof decision !== 'string' || decision === '')
    return {
      problem: `\`decision\` must be the id that ${CREATE} gave, not ${JSON.stringify(decision) ?? 'nothing'}. For example: {"decision": "4f1c09a2be", "seconds": 30}`,
    }
  const wanted = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : LONGEST_WAIT_S
  return { decision, waitMs: Math.min(Math.max(0, wanted), LONGEST_WAIT_S) * 1000 }
}

export const stillOpen = (decision: string, then: string): string => `${decision} is still open. ${then}`

export function handOffTool(handoff: AskedOfAgent['handoff']) {
  const description =
    handoff === null
      ? `This step has no handoff; what you have to say to whoever comes next stands in the notes of ${REPORT}.`
      : [
          `Hands over the ${handoff.name}, ahead of your answer: judged at once and kept. ${REPORT} is still to come, and need not bring it again.`,
          '',
          'For example:',
          JSON.stringify(handoff.example),
        ].join('\n')
  return {
    name: HAND_OFF,
    title: 'Hand over to the next step',
    description,
    inputSchema: (handoff?.schema ?? { type: 'object', properties: {} }) as { type: 'object' },
    annotations: { ...HARMLESS, idempotentHint: true },
  }
}

export const said = (what: unknown, as: 'answer' | 'error' = 'answer') => ({
  content: [
    {
      type: 'text' as const,
      text: typeof what === 'string' ? what : visibleJson(JSON.stringify(what, null, 2)),
    },
  ],
  isError: as === 'error',
})
