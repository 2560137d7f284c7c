/**
 * What an agent puts before a person: a headline, a question, two to six ways to go on, and what it would choose. One
 * declaration of the limits: the validator, the tool's schema and the example are all made from it. Lengths are in
 * characters.
 */
import { longerThan } from './characters.ts'
import type { DecisionForm } from './decision-form.ts'
import { parseDuration } from './duration.ts'
import { list } from './nearest.ts'

export const DECISION_SCHEMA = 1

/** Of an answer; as generous as what a question may bring with it. */
const ANSWER_CAPS = { note: 4096, edited: 2048 } as const

/** What is too long about it, as a sentence; null where nothing is. */
export function overlong(answer: { readonly note: string; readonly edited?: string | null }): string | null {
  for (const name of ['note', 'edited'] as const)
    if (longerThan(answer[name] ?? '', ANSWER_CAPS[name]))
      return `\`${name}\` may have ${ANSWER_CAPS[name]} characters. Keep it short, or name a file.`
  return null
}

export const CAPS = {
  headline: 80,
  question: 120,
  label: 40,
  body: 2048,
  context: 4096,
  kind: 40,
  key: 40,
  evidence: 4096,
} as const

/** What Signalbox itself asks on an agent's behalf: all of the request is its context. */
export const PERMISSION_KIND = 'permission'
export const MAX_PERMISSION_CONTEXT = 65_536

const MOST_OPTIONS = 6
const LEAST_OPTIONS = 2
const MOST_EVIDENCE = 10

export const URGENCIES = ['low', 'normal', 'high'] as const
export type Urgency = (typeof URGENCIES)[number]

/** Keys that mean something to Signalbox itself. */
export const RESERVED_KEYS = ['other', 'none', 'undo', 'snooze', 'assign', 'withdraw'] as const

export interface DecisionOption {
  readonly key: string
  readonly label: string
  /** What will be done if it is picked. */
  readonly body: string
  readonly reversible: boolean
  /** How sure the agent is that this is right, from 0 to 1; null where it does not say. */
  readonly confidence: number | null
  /** Why it counts as irreversible whatever the agent says. */
  readonly danger?: string
}

export interface Decision {
  readonly schema: typeof DECISION_SCHEMA
  /** The template it follows; empty for none. */
  readonly kind: string
  readonly headline: string
  readonly question: string
  readonly context: string
  readonly options: readonly DecisionOption[]
  readonly recommended: string | null
  readonly urgency: Urgency
  /** How long it may wait; null: as long as it takes. */
  readonly deadlineMs: number | null
  /** Named texts that speak for or against: what a template requires stands here. */
  readonly evidence: Readonly<Record<string, string>>
  /** Only a form of an agent's protocol has one. */
  readonly form?: DecisionForm
}

export type ParsedDecision = { readonly decision: Decision } | { readonly problems: readonly string[] }

type Fields = Readonly<Record<string, unknown>>

/** Unknown extra keys are ignored; everything else that is wrong is told at once. */
export function parseDecision(given: unknown): ParsedDecision {
  if (!isFields(given))
    return { problems: ['A decision is an object with `headline`, `question` and `options`.'] }
  const problems: string[] = []
  const wrong = (problem: string): void => {
    problems.push(problem)
  }
  const schema = given['schema'] ?? DECISION_SCHEMA
  if (schema !== DECISION_SCHEMA) wrong(`\`schema\` must be ${DECISION_SCHEMA}, or be left out.`)
  const text = (name: keyof typeof CAPS, needed: boolean): string => textOf(given, name, { needed, wrong })
  const kind = text('kind', false)
  if (kind !== '' && !SLUG.test(kind)) wrong('`kind` must be a short name: small letters, digits and dashes.')
  const options = optionsOf(given['options'], wrong)
  const decision: Decision = {
    schema: DECISION_SCHEMA,
    kind,
    headline: text('headline', true),
    question: text('question', true),
    context: text('context', false),
    options,
    recommended: recommendedOf(given, options, wrong),
    urgency: urgencyOf(given['urgency'], wrong),
    deadlineMs: deadlineOf(given['deadline'], wrong),
    evidence: evidenceOf(given['evidence'], wrong),
  }
  return problems.length > 0 ? { problems } : { decision }
}

type Wrong = (problem: string) => void

function textOf(
  given: Fields,
  name: keyof typeof CAPS,
  { needed, wrong, where = '' }: { readonly needed: boolean; readonly wrong: Wrong; readonly where?: string },
): string {
  const value = given[name]
  const label = `\`${where}${name}\``
  if (value === undefined || value === null) {
    if (needed) wrong(`${label} is missing.`)
    return ''
  }
  if (typeof value !== 'string') {
    wrong(`${label} must be a text, not ${typeof value}.`)
    return ''
  }
  if (needed && value.trim() === '') wrong(`${label} is empty.`)
  const most = name === 'context' && given['kind'] === PERMISSION_KIND ? MAX_PERMISSION_CONTEXT : CAPS[name]
  if (longerThan(value, most))
    wrong(`${label} may have ${most} characters and has ${Array.from(value).length}.`)
  return value
}

/** Dashes and underscores join words; a key is typed and shown. */
const SLUG = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/

function optionsOf(given: unknown, wrong: Wrong): DecisionOption[] {
  if (!Array.isArray(given) || given.length < LEAST_OPTIONS || given.length > MOST_OPTIONS) {
    const had = Array.isArray(given) ? ` There are ${given.length}.` : ''
    wrong(`\`options\` must be a list of ${LEAST_OPTIONS} to ${MOST_OPTIONS}.${had}`)
    return []
  }
  const options = given.flatMap((option: unknown, index) => {
    const where = `options[${index}].`
    if (!isFields(option)) {
      wrong(`\`options[${index}]\` must be an object with \`key\` and \`label\`.`)
      return []
    }
    const key = textOf(option, 'key', { needed: true, wrong, where })
    if (key !== '' && !SLUG.test(key))
      wrong(
        `\`${where}key\` must be a short name (small letters, digits, dashes), not "${key.slice(0, 60)}".`,
      )
    if ((RESERVED_KEYS as readonly string[]).includes(key))
      wrong(`\`${where}key\` must not be ${key}: ${list([...RESERVED_KEYS])} mean something else.`)
    return [
      {
        key,
        label: textOf(option, 'label', { needed: true, wrong, where }),
        body: textOf(option, 'body', { needed: false, wrong, where }),
        reversible: flagOf(option['reversible'], `${where}reversible`, wrong),
        confidence: confidenceOf(option['confidence'], `${where}confidence`, wrong),
      },
    ]
  })
  const twice = options
    .map(({ key }) => key)
    .find((key, index, keys) => key !== '' && keys.indexOf(key) !== index)
  if (twice !== undefined) wrong(`Two options have the key "${twice}".`)
  return options
}

function recommendedOf(given: Fields, options: readonly DecisionOption[], wrong: Wrong): string | null {
  const value = given['recommended'] ?? given['recommended_key'] ?? null
  if (value === null) return null
  const keys = options.map(({ key }) => key)
  if (typeof value === 'string' && keys.includes(value)) return value
  wrong(`\`recommended\` must be one of the keys: ${keys.join(', ')}.`)
  return null
}

function flagOf(value: unknown, where: string, wrong: Wrong): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? true
  wrong(`\`${where}\` must be true or false.`)
  return true
}

function confidenceOf(value: unknown, where: string, wrong: Wrong): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  wrong(`\`${where}\` must be a number from 0 to 1.`)
  return null
}

function urgencyOf(value: unknown, wrong: Wrong): Urgency {
  if (value === undefined || value === null) return 'normal'
  const found = URGENCIES.find((urgency) => urgency === value)
  if (found === undefined) wrong(`\`urgency\` must be one of ${URGENCIES.join(', ')}.`)
  return found ?? 'normal'
}

function deadlineOf(value: unknown, wrong: Wrong): number | null {
  if (value === undefined || value === null) return null
  const deadlineMs = typeof value === 'string' ? parseDuration(value) : null
  if (deadlineMs === null || deadlineMs === 0) wrong('`deadline` must be a duration such as 30m, 2h or 1d.')
  return deadlineMs
}

function evidenceOf(value: unknown, wrong: Wrong): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {}
  if (!isFields(value) || Object.keys(value).length > MOST_EVIDENCE) {
    wrong(`\`evidence\` must map at most ${MOST_EVIDENCE} names to texts.`)
    return {}
  }
  const evidence: Record<string, string> = {}
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') wrong(`\`evidence.${name}\` must be a text.`)
    else if (longerThan(text, CAPS.evidence))
      wrong(`\`evidence.${name}\` may have ${CAPS.evidence} characters.`)
    else evidence[name] = text
  }
  return evidence
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As a tool takes it. Help for whoever fills it in; `parseDecision` judges. */
export function decisionSchema(kinds: readonly string[]): {
  readonly type: 'object'
  readonly [key: string]: unknown
} {
  const text = (maxLength: number, description: string) => ({ type: 'string', maxLength, description })
  return {
    type: 'object',
    properties: {
      headline: text(CAPS.headline, 'What it is about, as a title.'),
      question: text(CAPS.question, 'The question itself, one sentence.'),
      context: text(CAPS.context, 'What a person must know to decide without asking back.'),
      kind: { type: 'string', enum: kinds, description: 'The template it follows, if one fits.' },
      options: {
        type: 'array',
        minItems: LEAST_OPTIONS,
        maxItems: MOST_OPTIONS,
        description: 'The ways to go on. Each must be something you would really do if it is picked.',
        items: {
          type: 'object',
          properties: {
            key: text(CAPS.key, 'A short name: small letters, digits, dashes.'),
            label: text(CAPS.label, 'A few words, as on a button.'),
            body: text(CAPS.body, 'What you will do if it is picked.'),
            reversible: { type: 'boolean', description: 'False if it cannot be undone.' },
            confidence: {
              type: 'number',
              minimum: 0,
              maximum: 1,
              description: 'How sure you are that it is right.',
            },
          },
          required: ['key', 'label'],
        },
      },
      recommended: { type: 'string', description: 'The key you would pick.' },
      urgency: { type: 'string', enum: URGENCIES },
      deadline: { type: 'string', description: 'How long it may wait: 30m, 2h, 1d.' },
      evidence: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Named texts; what the kind requires stands here.',
      },
      supersedes: {
        type: 'string',
        description: 'The id of a decision of yours that is still open and that this one replaces.',
      },
    },
    required: ['headline', 'question', 'options'],
  }
}

/** One that would be accepted anywhere. */
export const EXAMPLE_DECISION = {
  headline: 'Which store for sessions?',
  question: 'Where should sessions be kept?',
  context: 'Both pass the tests. The service runs on one machine today.',
  options: [
    {
      key: 'sqlite',
      label: 'SQLite file',
      body: 'Keep sessions in the file there is.',
      reversible: true,
      confidence: 0.8,
    },
    {
      key: 'redis',
      label: 'Redis',
      body: 'Add Redis and keep sessions there.',
      reversible: true,
      confidence: 0.2,
    },
  ],
  recommended: 'sqlite',
  urgency: 'normal',
} as const
