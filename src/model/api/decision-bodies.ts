/** What is sent about a decision. */
import { z } from 'zod'
import { CAPS, decisionSchema, EXAMPLE_DECISION } from '../decision.ts'
import { LONGEST_HOLD_MS } from '../decision-command.ts'
import { DOORS } from '../proof.ts'
import { type Input, type Output, textOrNull } from './schema.ts'

const { properties, ...decision } = decisionSchema([])

/** What an agent puts before a person. Judged by what every door judges it by; which kinds there are is the runbook's to say. */
export const DecisionPayload = z.unknown().meta({
  ...decision,
  properties: { ...(properties as object), kind: { type: 'string', maxLength: CAPS.kind } },
})

export const NewDecision = z.object({
  decision: DecisionPayload.refine(
    (given) => given !== undefined,
    `must be the decision itself: ${JSON.stringify({ decision: EXAMPLE_DECISION })}`,
  ),
  asker: z
    .object({
      agent: z.string().exactOptional(),
      program: z.string().default(''),
      version: z.string().default(''),
      model: z.string().default(''),
    })
    .default({ program: '', version: '', model: '' }),
  door: z.enum(DOORS).default('http'),
  resume: z
    .object(
      { argv: z.array(z.string()).min(1, 'must name a program, and its arguments'), cwd: z.string() },
      { error: 'must be { "argv": ["program", "argument"], "cwd": "/a/folder" }' },
    )
    .nullable()
    .default(null)
    .describe(
      'Run with the answer on its standard input; left out by a client that waits. Only from the owner.',
    ),
  repo: z.string({ error: 'must be a path' }).default('').describe('Where the client works.'),
})
export type NewDecision = Output<typeof NewDecision>

const answer = z.strictObject({
  pick: z
    .string({ error: 'must be the key of an option (left out: words only)' })
    .default('')
    .describe('An option’s key, `@retry` or `@stop`; left out for words only.'),
  note: z.string().default(''),
  fields: z.record(z.string(), z.unknown()).default({}),
  edited: textOrNull.default(null).describe('What the picked option shall mean instead.'),
  digest: textOrNull.default(null).describe('The digest of what was seen; left out: whatever is there.'),
  together: z.boolean().default(false).describe('All pending ones that ask the same, too.'),
  holdMs: z
    .int({ error: `must be a whole number of milliseconds, at most ${LONGEST_HOLD_MS}` })
    .min(0, 'must not be less than 0')
    .max(LONGEST_HOLD_MS, `must be at most ${LONGEST_HOLD_MS}`)
    .exactOptional()
    .describe('For how long it can be taken back before anything comes of it; left out: not at all.'),
})

/** Strict: with a key passed over, it would be another answer than the one that was meant. */
export const PersonAnswer = z.preprocess(withoutSender, answer)
export type PersonAnswer = Output<typeof PersonAnswer>

/** Who answers is known by the token, whatever is said about it. */
function withoutSender(given: Input<typeof answer>): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const { by: _, person: __, ...rest } = given as Record<string, unknown>
  return rest
}

const AN_INSTANT = 'must be an instant, in milliseconds or as "2030-01-31T09:00:00Z", or null to wake it'

export const Snooze = z.object({
  until: z
    .union([z.int(), z.string().regex(/^\d{4}-/, AN_INSTANT), z.null()], { error: AN_INSTANT })
    .transform((until) => (typeof until === 'string' ? Date.parse(until) : until))
    .refine((until) => until === null || until > 0, AN_INSTANT)
    .describe('An instant in milliseconds or as ISO 8601; null wakes it.'),
})

export const Assignment = z.object({
  to: z
    .string({ error: 'must name a person or a group, or be null for whoever is there' })
    .min(1, 'must name a person or a group, or be null for whoever is there')
    .nullable()
    .describe('A person or a group; null for whoever is there.'),
})

export const Withdrawal = z.object({ reason: z.string().default('') })

export const Deed = z.object({
  did: z
    .string({ error: 'must say what was done about the answer' })
    .regex(/\S/, 'must say what was done about the answer')
    .describe('What was done about the answer.'),
})
