/**
 * Holds what came in against the contract. Five results, and for the three bad ones a message that states what was
 * asked, what was given and a correct example. Unknown extra keys are ignored, never refused.
 */
import type { Answer, FieldValue, Finding, RawAnswer, Validity } from '../model/answer.ts'
import { firstCharacters } from '../model/characters.ts'
import { combinationsFor, possibleOutcomes } from '../model/combinations.ts'
import { asksNothing, type Contract, DONE, type Field, outcomesOf } from '../model/contract.ts'
import { orNear } from '../model/nearest.ts'
import { outcomeOf, type SubjectValues, subjectsOf, valuesIn, valuesText } from '../model/subjects.ts'
import { demandsOf, EXAMPLE_FINDING, exampleAnswer } from './contract-text.ts'
import { isRecord, LONGEST_TEXT, readFields, short, typeOf } from './fields.ts'
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

export function validateAnswer(expected: Expectation, given: RawAnswer): Validated {
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
  for (const { name, options, optional = false } of contract.variables) {
    const chosen = value[name]
    const known = options.map((option) => option.value)
    // As of a field, an empty text says nothing.
    if (chosen === undefined || chosen === null || (optional && chosen === '')) {
      if (optional) continue
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

  const withHandoff: string[] = []
  const handoff = readHandoff(contract, value, expected.lenient, withHandoff)
  const isKnown = withHandoff.length === 0 || !routesByHandoff(contract)
  const values = isKnown ? decidingValues(contract, value, { choices, handoff }) : null
  const outcome = values === null ? null : outcomeOf(contract, values)
  if (values !== null && outcome === null)
    return refuse(
      expected,
      'invalid-value',
      [`No row of the table fits ${valuesText(contract, values)}.`],
      given,
    )
  const fields = readFields(contract.fields, value, (field) => isNeeded(contract, field, outcome), problems)
  if (outcome !== null) problems.push(...findingProblems(expected, outcome, fields))
  problems.push(...withHandoff)
  if (problems.length > 0 || outcome === null)
    return refuse(expected, 'invalid-value', problems, given, outcome ?? undefined)
  return { validity: 'valid', answer: { outcome, choices, fields, notes: notesOf(value), handoff } }
}

const routesByHandoff = (contract: Contract): boolean =>
  subjectsOf(contract).some(({ from }) => from === 'handoff')

/** While nobody knows the outcome, only what every answer must bring can be missed. */
const isNeeded = (contract: Contract, { requiredFor }: Field, outcome: string | null): boolean =>
  outcome === null
    ? outcomesOf(contract).every((each) => requiredFor.includes(each))
    : requiredFor.includes(outcome)

/** What decides the outcome, or null where some of it is missing or cannot be read. */
function decidingValues(
  contract: Contract,
  value: Readonly<Record<string, unknown>>,
  { choices, handoff }: Pick<Answer, 'choices' | 'handoff'>,
): SubjectValues | null {
  if (contract.rows.length === 0) return choices
  const routed = subjectsOf(contract).filter(({ from }) => from === 'field')
  if (routed.length === 0) return valuesIn(contract, { choices, fields: {}, handoff })
  const needed = new Set(routed.flatMap(({ name, optional }) => (optional ? [] : [name])))
  const wrong: string[] = []
  const fields = readFields(
    contract.fields.filter(({ name }) => routed.some((subject) => subject.name === name)),
    value,
    ({ name }) => needed.has(name),
    wrong,
  )
  return wrong.length === 0 ? valuesIn(contract, { choices, fields, handoff }) : null
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
  given: RawAnswer,
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
  const target = outcome ?? firstOutcome(contract)
  const example = exampleAnswer(contract, target)
  if (settleOn === null || !looping.includes(target)) return example
  const fixed = known.flatMap(({ id, status }) => (status === 'open' ? [{ id, status: 'fixed' }] : []))
  return { ...example, [settleOn]: [...fixed, EXAMPLE_FINDING] }
}

/** One that an answer with its whole handoff can have. */
const firstOutcome = (contract: Contract): string =>
  possibleOutcomes(contract).find(
    (outcome) => combinationsFor(contract, outcome)[0]?.lacksHandoff === false,
  ) ?? outcomesOf(contract)[0]!

function givenText(given: RawAnswer): string {
  if (given.kind === 'nothing') return 'nothing.'
  const text = given.kind === 'malformed' ? given.text : JSON.stringify(given.value)
  return short(text ?? String(undefined), 400)
}

function bare(given: RawAnswer): Answer {
  const notes = given.kind === 'value' && isRecord(given.value) ? notesOf(given.value) : ''
  return { outcome: DONE, choices: {}, fields: {}, notes, handoff: null }
}

const notesOf = (value: Readonly<Record<string, unknown>>): string =>
  typeof value['notes'] === 'string' ? firstCharacters(value['notes'], LONGEST_TEXT) : ''
