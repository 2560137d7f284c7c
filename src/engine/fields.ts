/** The fields of an answer or of a handoff, read one by one: each gives a value, or what is wrong with it. */
import { type FieldValue, type Finding, SEVERITIES, type Severity } from '../model/answer.ts'
import { firstCharacters, longerThan } from '../model/characters.ts'
import type { Field } from '../model/contract.ts'

export const LONGEST_TEXT = 100_000
const MOST_ITEMS = 1000

export function readFields(
  fields: readonly Field[],
  value: Readonly<Record<string, unknown>>,
  required: (field: Field) => boolean,
  problems: string[],
): Record<string, FieldValue> {
  const read: Record<string, FieldValue> = {}
  for (const field of fields) {
    const given = value[field.name]
    if (given === undefined || given === null || given === '') {
      if (required(field)) problems.push(`\`${field.name}\` is missing.`)
      continue
    }
    const result = readField(field, given)
    if (typeof result === 'string') problems.push(`\`${field.name}\` ${result}`)
    else read[field.name] = result.value
  }
  return read
}

/** The value, or what is wrong with it. */
function readField(field: Field, given: unknown): { value: FieldValue } | string {
  switch (field.type) {
    case 'text':
    case 'file':
      if (typeof given !== 'string') return `is ${typeOf(given)}, not a text.`
      return longerThan(given, LONGEST_TEXT) ? `is longer than ${LONGEST_TEXT} characters.` : { value: given }
    case 'number':
      return typeof given === 'number' && Number.isFinite(given)
        ? { value: given }
        : `is ${typeOf(given)}, not a number.`
    case 'boolean':
      return typeof given === 'boolean' ? { value: given } : `is ${typeOf(given)}, not true or false.`
    case 'choice':
      return typeof given === 'string' && field.choices.includes(given)
        ? { value: given }
        : `is ${typeof given === 'string' ? `"${short(given)}"` : typeOf(given)}, not one of ${field.choices.join(', ')}.`
    case 'list':
      if (!Array.isArray(given) || given.some((item) => typeof item !== 'string'))
        return 'is not a list of texts.'
      if (given.length > MOST_ITEMS) return `has more than ${MOST_ITEMS} items.`
      return offeredIn(field, given as string[])
    case 'findings':
      return readFindings(given)
  }
}

/** A list with choices is some of them. */
function offeredIn({ choices }: Field, given: readonly string[]): { value: FieldValue } | string {
  const odd = choices.length === 0 ? undefined : given.find((item) => !choices.includes(item))
  return odd === undefined
    ? { value: given }
    : `has "${short(odd)}", which is not one of ${choices.join(', ')}.`
}

function readFindings(given: unknown): { value: Finding[] } | string {
  if (!Array.isArray(given)) return 'is not a list of findings.'
  if (given.length > MOST_ITEMS) return `has more than ${MOST_ITEMS} items.`
  const findings: Finding[] = []
  for (const [index, item] of given.entries()) {
    if (!isRecord(item)) return `has a finding (number ${index + 1}) that is not an object.`
    const { id, title, severity = 'major', status = 'open', file = '', detail = '' } = item
    const isKnown = typeof id === 'string' && id !== ''
    if (typeof title !== 'string' ? !isKnown : title === '' && !isKnown)
      return `has a finding (number ${index + 1}) without a \`title\`.`
    if (!SEVERITIES.includes(severity as Severity))
      return `has a finding (number ${index + 1}) whose \`severity\` is not one of ${SEVERITIES.join(', ')}.`
    if (status !== 'open' && status !== 'fixed')
      return `has a finding (number ${index + 1}) whose \`status\` is neither open nor fixed.`
    findings.push({
      id: isKnown ? id : '',
      title: typeof title === 'string' ? title : '',
      severity: severity as Severity,
      status,
      file: typeof file === 'string' ? file : '',
      detail: typeof detail === 'string' ? detail : '',
    })
  }
  return { value: findings }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return `the ${typeof value} ${short(JSON.stringify(value) ?? '')}`
}

export const short = (text: string, most = 80): string =>
  longerThan(text, most) ? `${firstCharacters(text, most)}…` : text
