/** What `signalbox policy` and `notify test` print with `--json`. */
import { z } from 'zod'
import { instant, textOrNull, whole } from './schema.ts'
import { ChannelTest } from './settings.ts'

const scope = z
  .record(z.string(), z.unknown())
  .describe('For which decisions, as policies.yaml has it: all of it must hold.')

const policy = z.object({
  name: z.string(),
  when: scope,
  answer: z.string().describe('An option’s key, `@retry`, or `recommended`.'),
  confidence: z.number().nullable(),
  until: z.string().describe('The last day it is in force.'),
  expiresAt: instant,
  note: z.string(),
})

const suggestion = z.object({
  policy,
  same: whole.describe('Answers that speak for it; one stroke that answered several is one.'),
  of: whole.describe('Of so many to such questions.'),
  example: z.string().describe('The latest of them.'),
  seen: z.array(z.string()).describe('Those that it was learnt from.'),
  backTest: z.object({
    answered: whole.describe('How many it would have answered.'),
    disagreed: z.array(
      z.object({
        id: z.string(),
        headline: z.string(),
        would: z.string(),
        picked: z.string(),
        edited: z.boolean(),
      }),
    ),
  }),
})

export const PRINTED_POLICY = {
  'policy-list': {
    command: 'policy list --json',
    says: 'Which policies are in force, and how often each was used.',
    schema: z.array(
      z.object({
        name: z.string(),
        state: z.enum(['in force', 'incomplete', 'expired', 'gone']),
        until: textOrNull,
        answer: textOrNull,
        when: scope.nullable(),
        used: whole,
        lastUsedAt: instant.nullable(),
      }),
    ),
  },
  'policy-check': {
    command: 'policy check --json',
    says: 'Your policies, and what is wrong with them.',
    schema: z.object({
      file: z.string(),
      policies: z.array(policy),
      diagnostics: z.array(z.looseObject({ code: z.string(), message: z.string() })),
    }),
  },
  'policy-suggest': {
    command: 'policy suggest --json',
    says: 'What your answers speak for, with what it would have got wrong.',
    schema: z.array(suggestion),
  },
  'notify-test': {
    command: 'notify test --json',
    says: 'What came of a test notice, channel by channel.',
    schema: z.array(ChannelTest),
  },
} as const
