/** The manual of the language, made from the same shapes that check a file (`npm run reference` writes docs/language.md). */
import { FAULT_MEANING, FAULTS } from '../../model/fault.ts'
import { FIELDS_OF } from '../interpolation.ts'
import { RUNBOOK } from './language.ts'
import type { ObjectShape, Shape } from './shape.ts'

/** Parts that get a section of their own instead of being told again at every place they stand. */
const SECTIONS = ['agents', 'setup', 'steps', 'handoffs', 'templates', 'vars', 'limits', 'ends']

export function languageReference(): string {
  const sections = SECTIONS.map((key) => {
    const shape = RUNBOOK.fields[key]!
    return [`## ${key}`, '', shape.doc, '', ...rows(shape, '', 0)].join('\n')
  })
  return [
    '# The language',
    '',
    'Every key of a runbook in its YAML form. HCL and TypeScript have the same keys; `examples/` shows them at work, and',
    '`docs/checks.md` what is said when they are wrong. This page is generated: `npm run reference`.',
    '',
    '## The file',
    '',
    RUNBOOK.doc,
    '',
    ...table(Object.entries(RUNBOOK.fields).map(([key, shape]) => ({ key, shape }))),
    '',
    sections.join('\n\n'),
    '',
    ...faults(),
    ...lookUps(),
  ].join('\n')
}

const faults = (): string[] => [
  '## Faults',
  '',
  'How a step can end without an answer. Each is routed like an answer: by the step (`on:`), else by the flow, else a',
  'person is asked the same question, with retry while interventions last, and stop.',
  '',
  '| fault | when |',
  '|---|---|',
  ...FAULTS.map((fault) => `| \`${fault}\` | ${FAULT_MEANING[fault]} |`),
  '',
]

const lookUps = (): string[] => [
  '## Look-ups',
  '',
  'In prompts, questions and commands; in what an agent `writes`, of variables and steps only. `$${` is a literal `${`. A value',
  'that may be missing needs a fallback: `${steps.review.feedback ?? "none yet"}`; so does what `setup` gave. In a command a',
  'look-up is always (part of) exactly one shell word.',
  '',
  '| look-up | what it gives |',
  '|---|---|',
  '| `${var.NAME}` | a variable of the run |',
  '| `${steps.NAME.FIELD}` | what the latest visit of a step gave: `outcome`, `notes`, its variables, fields and handoff fields; of a panel with advisers also `advice`, what they chose and said |',
  ...Object.entries(FIELDS_OF).map(([root, fields]) => `| \`\${${root}.FIELD}\` | ${fields.join(', ')} |`),
  '| `${file("PATH")}` | the text of a file in the worktree, when the step begins |',
  '',
]

function rows(shape: Shape, prefix: string, depth: number): string[] {
  const entries = flatten(shape, prefix, depth)
  return entries.length === 0 ? [] : table(entries)
}

interface Told {
  readonly key: string
  readonly shape: Shape
  /** The kinds it stands at, where there are kinds. */
  readonly at?: string
}

/** The keys below a shape, dotted; what repeats itself (`then` in `then`) is told twice at most. */
function flatten(shape: Shape, prefix: string, depth: number): Told[] {
  if (depth > 4 || (prefix.match(/then/g)?.length ?? 0) > 1) return []
  switch (shape.kind) {
    case 'object':
      return flattenObject(shape, prefix, depth)
    case 'map':
      return flatten(shape.of, `${prefix}NAME.`, depth)
    case 'place':
      return [{ key: `${prefix}NAME`, shape: shape.of }]
    case 'list':
      return flatten(shape.of, `${prefix}`, depth)
    case 'either':
      // One, or a list of them: the same keys.
      return [
        ...new Map(
          shape.of.flatMap((each) => flatten(each, prefix, depth)).map((told) => [told.key, told]),
        ).values(),
      ]
    default:
      return []
  }
}

function flattenObject(shape: ObjectShape, prefix: string, depth: number): Told[] {
  return Object.entries(shape.fields).flatMap(([key, field]): Told[] => {
    const own = { key: `${prefix}${key}`, shape: field }
    return [
      shape.kinds === undefined ? own : { ...own, at: kindsText(shape.kinds, key) },
      ...(key === 'on' ? [] : flatten(field, `${prefix}${key}.`, depth + 1)),
    ]
  })
}

function kindsText(kinds: Readonly<Record<string, readonly string[]>>, key: string): string {
  const at = Object.keys(kinds).filter((kind) => kinds[kind]!.includes(key))
  return at.length === Object.keys(kinds).length ? 'all' : at.join(', ')
}

function table(entries: readonly Told[]): string[] {
  const hasKinds = entries.some(({ at }) => at !== undefined)
  const row = (cells: readonly string[], at: string): string =>
    `| ${(hasKinds ? cells.toSpliced(1, 0, at) : cells).join(' | ')} |`
  return [
    row(['key', 'value', 'meaning'], 'kinds of step'),
    hasKinds ? '|---|---|---|---|' : '|---|---|---|',
    ...entries.map(({ key, shape, at = '' }) =>
      row([`\`${key}\``, kindOf(shape), shape.doc.replaceAll('|', '\\|')], at),
    ),
  ]
}

function kindOf(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return shape.values === undefined ? 'text' : shape.values.map((value) => `\`${value}\``).join(', ')
    case 'integer':
      return shape.max > 1_000_000 ? `whole number, ${shape.min} or more` : `${shape.min} to ${shape.max}`
    case 'number':
      return 'number'
    case 'boolean':
      return 'true, false'
    case 'duration':
      return 'duration'
    case 'any-scalar':
    case 'anything':
      return 'value'
    case 'list':
      return `list of ${kindOf(shape.of)}`
    case 'map':
    case 'place':
    case 'object':
      return 'map'
    case 'either':
      return [...new Set(shape.of.map(kindOf))].join(' or ')
  }
}
