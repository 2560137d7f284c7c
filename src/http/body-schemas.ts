/** The JSON Schemas of what this door is sent. Help for whoever fills it in; the parsers judge. */
import { CAPS, decisionSchema } from '../model/decision.ts'
import { DOORS } from './decision-bodies.ts'
import type { Schema } from './route.ts'
import { anything, flag, listOf, map, number, oneOf, orNull, says, text } from './schema-words.ts'

/** A body of which nothing is required unless said. */
const body = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
})

export const BODIES = {
  start: body({ runbook: text, dir: text, base: orNull(text), issue: orNull(text), vars: map(text) }, [
    'runbook',
    'dir',
  ]),
  action: body(
    {
      kind: oneOf(['cancel', 'retry', 'move', 'extend', 'discard', 'answer']),
      reason: text,
      to: text,
      budget: text,
      amount: number,
      question: text,
      extra: orNull(oneOf(['@retry', '@stop'])),
      given: { type: 'object' },
      note: text,
    },
    ['kind'],
  ),
  create: body(
    {
      decision: {
        ...decisionSchema([]),
        properties: {
          ...(decisionSchema([])['properties'] as object),
          kind: { type: 'string', maxLength: CAPS.kind },
          supersedes: says('The open decision that this one takes the place of.', text),
        },
      },
      asker: body({ agent: text, program: text, version: text, model: text }),
      door: oneOf(DOORS),
      resume: says(
        'Run with the answer on its standard input; left out by a client that waits. Only with the host’s own token.',
        orNull(body({ argv: listOf(text), cwd: text }, ['argv', 'cwd'])),
      ),
      repo: says('Where the client works.', text),
    },
    ['decision'],
  ),
  answer: body({
    pick: says('An option’s key, `@retry` or `@stop`; left out for words only.', text),
    note: text,
    fields: map(anything),
    edited: says('What the picked option shall mean instead.', orNull(text)),
    digest: says('The digest of what was seen; left out: whatever is there.', orNull(text)),
    together: says('All pending ones that ask the same, too.', flag),
  }),
  snooze: body(
    {
      until: says('An instant in milliseconds or as ISO 8601; null wakes it.', {
        type: ['integer', 'string', 'null'],
      }),
    },
    ['until'],
  ),
  assign: body({ to: says('A person or a group; null for whoever is there.', orNull(text)) }, ['to']),
  withdraw: body({ reason: text }),
  acted: body({ did: says('What was done about the answer.', text) }, ['did']),
} as const
