/** One property of a form, as agents send it: the field a person fills in, and the values that can go back. */
import type { FieldValue } from '../../model/answer.ts'
import { firstCharacters } from '../../model/characters.ts'
import type { FieldType } from '../../model/contract.ts'
import { list, record, string } from './session-update.ts'

export interface FormChoice {
  readonly key: string
  /** As the form calls it, whole. */
  readonly name: string
  readonly label: string
  /** What else was said of it. */
  readonly body: string
  readonly value: string | boolean
}

export interface FormProperty {
  readonly type: FieldType
  readonly title: string
  readonly description: string
  /** Both, and what may be chosen. */
  readonly say: string
  /** Empty for what is typed. */
  readonly options: readonly FormChoice[]
  readonly proposed: FieldValue | null
}

const MAX_CHOICES = 50
const MAX_LABEL = 40

export function readProperty(given: unknown): FormProperty | { readonly problem: string } {
  const property = record(given)
  const kind = kindOf(property)
  if ('problem' in kind) return kind
  const { type, options, limits } = kind
  const title = string(property['title']) ?? ''
  const description = string(property['description']) ?? ''
  const say = [
    [title, description].filter((text) => text !== '').join(': '),
    limits,
    ...(type === 'boolean' ? [] : options.map((option) => choiceText(option, type))),
  ]
  return {
    type,
    title,
    description,
    say: say.filter((text) => text !== '').join('\n'),
    options,
    proposed: proposedOf(type, property['default']),
  }
}

/** A person sees the values; this says what else there is to each. */
function choiceText({ value, name, body }: FormChoice, type: FieldType): string {
  const about = [name, body].filter((text, index, all) => text !== value && all.indexOf(text) === index)
  if (about.length > 0) return `- ${value}: ${about.join('\n')}`
  return type === 'list' ? `- ${value}` : ''
}

type Kind = Pick<FormProperty, 'type' | 'options'> & { readonly limits: string }

function kindOf(property: Readonly<Record<string, unknown>>): Kind | { readonly problem: string } {
  const named = string(property['type']) ?? 'something without a type'
  switch (named) {
    case 'string': {
      const choices = choicesIn(property)
      if (choices === null) return { type: 'text', options: [], limits: '' }
      return 'problem' in choices ? choices : { type: 'choice', limits: '', ...choices }
    }
    case 'boolean':
      return { type: 'boolean', options: YES_AND_NO, limits: '' }
    case 'number':
    case 'integer':
      return { type: 'number', options: [], limits: limitsOf(named, property) }
    case 'array': {
      const items = record(property['items'])
      const choices = choicesIn(items)
      if (choices === null)
        return items['type'] === 'string'
          ? { type: 'list', options: [], limits: '' }
          : { problem: `is a list of something else than texts. ${WHAT_FITS}` }
      return 'problem' in choices ? choices : { type: 'list', limits: '', ...choices }
    }
    default:
      return { problem: `is ${named === 'object' ? 'an object' : named}. ${WHAT_FITS}` }
  }
}

const WHAT_FITS =
  'A form that a person fills in has texts, numbers, yes or no, and choices among texts: no objects and no lists of them.'

const YES_AND_NO: readonly FormChoice[] = [
  { key: 'yes', name: 'Yes', label: 'Yes', body: '', value: true },
  { key: 'no', name: 'No', label: 'No', body: '', value: false },
]

/** Null for what is no choice. */
function choicesIn(
  property: Readonly<Record<string, unknown>>,
): { readonly options: readonly FormChoice[] } | { readonly problem: string } | null {
  const titled = property['oneOf'] ?? property['anyOf']
  const plain = property['enum']
  const among = Array.isArray(titled) ? titled : Array.isArray(plain) ? plain : null
  if (among === null) return null
  if (among.length === 0 || among.length > MAX_CHOICES)
    return { problem: `is a choice among ${among.length}; a person can choose among 1 to ${MAX_CHOICES}.` }
  const options = among.map((each: unknown, index) => choiceOf(each, index))
  return options.some((option) => option === null)
    ? { problem: 'is a choice among other things than texts.' }
    : { options: options.filter((option) => option !== null) }
}

/** A value may be any text; the key of an option is typed and shown. */
function choiceOf(given: unknown, index: number): FormChoice | null {
  const { const: titled, title, description, _meta } = record(given)
  const value = string(given) ?? string(titled)
  if (value === null || value === '') return null
  const name = string(title)?.trim() || value
  // Some put what they say of a choice into its title.
  const label = name.length > MAX_LABEL && value.length <= MAX_LABEL ? value : name
  const about = [string(description) ?? '', ...textsIn(_meta).filter((text) => !name.includes(text))]
  const said = about.filter((text) => text.trim() !== '')
  const body = label === name && name.length <= MAX_LABEL ? said : [name, ...said]
  return {
    key: `choice-${index + 1}`,
    name,
    label: firstCharacters(label, MAX_LABEL),
    body: body.join('\n\n') || name,
    value,
  }
}

/** What is told beside the schema, such as a preview. */
function textsIn(meta: unknown, depth = 0): readonly string[] {
  if (typeof meta === 'string') return [meta]
  if (typeof meta !== 'object' || meta === null || depth > 2) return []
  return Object.values(meta).flatMap((each) => textsIn(each, depth + 1))
}

function limitsOf(kind: string, { minimum, maximum }: Readonly<Record<string, unknown>>): string {
  const parts = [
    kind === 'integer' ? 'a whole number' : '',
    typeof minimum === 'number' ? `at least ${minimum}` : '',
    typeof maximum === 'number' ? `at most ${maximum}` : '',
  ].filter((part) => part !== '')
  return parts.join(', ')
}

function proposedOf(type: FieldType, given: unknown): FieldValue | null {
  if (type === 'number') return typeof given === 'number' && Number.isFinite(given) ? given : null
  if (type === 'boolean') return typeof given === 'boolean' ? given : null
  if (type === 'list')
    return Array.isArray(given) ? list(given).filter((each) => typeof each === 'string') : null
  return typeof given === 'string' && given !== '' ? given : null
}
