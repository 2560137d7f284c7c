/**
 * Holds what came in against the contract. Five results, and for the three bad ones a message that states what was
 * asked, what was given and a correct example. Unknown extra keys are ignored, never refused.
 */
import {
  type Answer,
  type FieldValue,
  type Finding,
  type Given,
  SEVERITIES,
  type Severity,
  type Validity,
} from '../model/answer.ts'
import { firstCharacters, longerThan } from '../model/characters.ts'
import { asksNothing, type Contract, DONE, type Field, outcomeOf, outcomesOf } from '../model/contract.ts'
import { orNear } from '../model/nearest.ts'
import { demandsOf, EXAMPLE_FINDING, exampleAnswer } from './contract-text.ts'
import { sameAs } from './settle.ts'

type Wrong = Exclude<Validity, 'not-required' | 'valid' | 'out-of-bounds'>

export type Validated =
  | { readonly validity: 'not-required' | 'valid'; readonly answer: Answer }
  | { readonly validity: Wrong; readonly message: string }

export interface Expectation {
  readonly contract: Contract
  /** Findings of earlier rounds, and the outcomes that must say what became of those still open. */
  readonly known: readonly Finding[]
  readonly settleOn: string | null
  readonly looping: readonly string[]
  /** The handoff is past its nudges: notes, or nothing, will do where the flow says so. */
  readonly lenient: boolean
}

const LONGEST_TEXT = 100_000
const MOST_ITEMS = 1000

export function validateAnswer(expected: Expectation, given: Given): Validated {
  const { contract } = expected
  if (asksNothing(contract)) return { validity: 'not-required', answer: bare(given) }
  // Where only a handoff was asked for and it may be missing in the end, so may all of the answer.
  if (given.kind === 'nothing' && expected.lenient && contract.variables.length === 0) {
    const empty = validateAnswer(expected, { kind: 'value', value: {} })
    if ('answer' in empty) return empty
  }
  if (given.kind === 'nothing') return refuse(expected, 'missing-file', ['There was no answer.'], given)
  if (given.kind === 'malformed')
    return refuse(expected, 'invalid-value', ['The answer is not JSON, so none of it could be read.'], given)
  if (!isRecord(given.value))
    return refuse(expected, 'invalid-value', ['The answer must be one JSON object.'], given)

  const value = given.value
  const problems: string[] = []
  const choices: Record<string, string> = {}
  let missing = false
  for (const { name, options } of contract.variables) {
    const chosen = value[name]
    const known = options.map((option) => option.value)
    if (chosen === undefined || chosen === null) {
      problems.push(`\`${name}\` is missing.`)
      missing = true
    } else if (typeof chosen !== 'string') problems.push(`\`${name}\` is ${typeOf(chosen)}, not a text.`)
    else if (!known.includes(chosen)) {
      problems.push(
        `\`${name}\` is "${short(chosen)}", which is not one of the options${orNear(chosen, known)}`,
      )
    } else choices[name] = chosen
  }
  if (problems.length > 0)
    return refuse(expected, missing ? 'missing-variable' : 'invalid-value', problems, given)

  const outcome = outcomeOf(contract, choices)
  if (outcome === null)
    return refuse(expected, 'invalid-value', ['No row of the table fits these choices.'], given)
  const fields = readFields(contract.fields, value, (field) => field.requiredFor.includes(outcome), problems)
  problems.push(...findingProblems(expected, outcome, fields))
  const handoff = readHandoff(contract, value, expected.lenient, problems)
  if (problems.length > 0) return refuse(expected, 'invalid-value', problems, given, outcome)
  return { validity: 'valid', answer: { outcome, choices, fields, notes: notesOf(value), handoff } }
}

function readFields(
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
      return given.length > MOST_ITEMS ? `has more than ${MOST_ITEMS} items.` : { value: given as string[] }
    case 'findings':
      return readFindings(given)
  }
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

/** An answer that would go round the loop again says what is open, and what became of what was open before. */
function findingProblems(
  expected: Expectation,
  outcome: string,
  fields: Record<string, FieldValue>,
): string[] {
  const { settleOn, looping, known } = expected
  if (settleOn === null || !looping.includes(outcome)) return []
  const reported = (fields[settleOn] ?? []) as readonly Finding[]
  if (!reported.some((finding) => finding.status === 'open'))
    return [
      `\`${settleOn}\` must name at least one open finding when the answer is ${outcome}: say what must change.`,
    ]
  const nameless = reported.find(
    (finding) => finding.title === '' && !known.some(({ id }) => id === finding.id),
  )
  if (nameless !== undefined)
    return [
      `\`${settleOn}\` names "${short(nameless.id)}", which is no earlier finding, and gives it no title.`,
    ]
  const marked = new Set(reported.map((finding) => sameAs(known, finding)))
  const unmarked = known.filter((earlier) => earlier.status === 'open' && !marked.has(earlier))
  if (unmarked.length === 0) return []
  return [
    `\`${settleOn}\` must say of each earlier finding whether it is fixed. Not mentioned: ${unmarked
      .map((finding) => `${finding.id} (${short(finding.title)})`)
      .join(', ')}. For example {"id": "${unmarked[0]!.id}", "status": "fixed"}.`,
  ]
}

function readHandoff(
  contract: Contract,
  value: Readonly<Record<string, unknown>>,
  lenient: boolean,
  problems: string[],
) {
  const { handoff } = contract
  if (handoff === null) return null
  const { name, version } = handoff
  const given = value['handoff']
  const wrong: string[] = []
  const values = isRecord(given)
    ? readFields(handoff.fields, given, (field) => field.requiredFor.length > 0, wrong)
    : {}
  if (!isRecord(given)) wrong.push('`handoff` is missing.')
  if (wrong.length === 0) return { name, version, quality: 'full', values } as const
  if (lenient && handoff.partial && notesOf(value) !== '')
    return { name, version, quality: 'partial', values } as const
  if (lenient && handoff.fallback !== null) return { name, version, quality: 'fallback', values: {} } as const
  problems.push(...wrong)
  return null
}

function refuse(
  expected: Expectation,
  validity: Wrong,
  problems: readonly string[],
  given: Given,
  outcome?: string,
): Validated {
  const message = [
    'Your answer does not fit what was asked.',
    '',
    'What is wrong:',
    ...problems.map((problem) => `- ${problem}`),
    '',
    'What was asked:',
    ...demandsOf(expected.contract).map((demand) => `- ${demand}`),
    '',
    `What you gave: ${givenText(given)}`,
    '',
    'A correct answer:',
    '```json',
    JSON.stringify(exampleFor(expected, outcome)),
    '```',
  ].join('\n')
  return { validity, message }
}

/** An example that would be accepted here, with what became of earlier findings. */
function exampleFor(
  { contract, settleOn, looping, known }: Expectation,
  outcome?: string,
): Record<string, unknown> {
  const target = outcome ?? outcomesOf(contract)[0]!
  const example = exampleAnswer(contract, target)
  if (settleOn === null || !looping.includes(target)) return example
  const fixed = known.flatMap(({ id, status }) => (status === 'open' ? [{ id, status: 'fixed' }] : []))
  return { ...example, [settleOn]: [...fixed, EXAMPLE_FINDING] }
}

function givenText(given: Given): string {
  if (given.kind === 'nothing') return 'nothing.'
  const text = given.kind === 'malformed' ? given.text : JSON.stringify(given.value)
  return short(text ?? String(undefined), 400)
}

function bare(given: Given): Answer {
  const notes = given.kind === 'value' && isRecord(given.value) ? notesOf(given.value) : ''
  return { outcome: DONE, choices: {}, fields: {}, notes, handoff: null }
}

const notesOf = (value: Readonly<Record<string, unknown>>): string =>
  typeof value['notes'] === 'string' ? firstCharacters(value['notes'], LONGEST_TEXT) : ''

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return `the ${typeof value} ${short(JSON.stringify(value) ?? '')}`
}

const short = (text: string, most = 80): string =>
  longerThan(text, most) ? `${firstCharacters(text, most)}…` : text
