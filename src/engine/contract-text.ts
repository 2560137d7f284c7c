/** The contract in words: what is asked, what would be a correct answer. For briefs, rejections and tool texts. */
import type { FieldValue } from '../model/answer.ts'
import { type Combination, combinationsFor, possibleOutcomes } from '../model/combinations.ts'
import { type Contract, type Field, type Handoff, optionsChosen, outcomesOf } from '../model/contract.ts'
import { conditionsText, type Parts, partsOf, type Subject, subjectsOf } from '../model/subjects.ts'

// Told with every rejection, and the same each time.
const demands = new WeakMap<Contract, readonly string[]>()

/** One line a demand. */
export function demandsOf(contract: Contract): readonly string[] {
  const known = demands.get(contract) ?? linesOf(contract)
  demands.set(contract, known)
  return known
}

function linesOf(contract: Contract): string[] {
  const lines = contract.variables.map(
    ({ name, options, optional = false }) =>
      `\`${name}\` ${optional ? 'may be left out; else it is' : 'must be'} one of: ${options.map((option) => option.value).join(', ')}.`,
  )
  for (const field of contract.fields)
    lines.push(`\`${field.name}\` (${typeText(field)}) ${needText(field, contract)}`)
  const { handoff } = contract
  if (handoff !== null) {
    lines.push(`\`handoff\` must hold the ${handoff.name} (version ${handoff.version}):`)
    for (const field of handoff.fields)
      lines.push(
        `  \`${field.name}\` (${typeText(field)}) ${field.requiredFor.length > 0 ? 'is needed.' : 'is optional.'}`,
      )
  }
  lines.push('`notes` (text) is optional and is carried to whoever comes next.')
  return lines
}

const typeText = (field: Field): string =>
  field.type === 'choice'
    ? `one of ${field.choices.join(', ')}`
    : field.type === 'list'
      ? 'list of texts'
      : field.type

function needText(field: Field, contract: Contract): string {
  const say = field.say === '' ? '' : ` ${field.say}`
  if (field.requiredFor.length === 0) return `is optional.${say}`
  if (field.requiredFor.length === outcomesOf(contract).length) return `is needed.${say}`
  return `is needed with ${neededWith(contract, field)}.${say}`
}

/** The outcomes that need it; rows by their conditions, which whoever answers can see. */
export function neededWith(contract: Contract, { requiredFor }: Field): string {
  if (contract.rows.length > 1 && requiredFor.length === contract.rows.length) return 'every answer'
  const outcomes = requiredFor.map((outcome) => {
    const conditions = conditionsText(contract, outcome)
    return conditions === '' ? outcome : `${outcome} (${conditions})`
  })
  return outcomes.join(', ')
}

/** A correct answer, preferring the given outcome, by the first way to it unless another is named. */
export function exampleAnswer(
  contract: Contract,
  preferred?: string,
  way?: Combination,
): Record<string, unknown> {
  const outcomes = possibleOutcomes(contract)
  const outcome = preferred !== undefined && outcomes.includes(preferred) ? preferred : outcomes[0]!
  const { values, lacksHandoff } = way ?? combinationsFor(contract, outcome)[0]!
  const parts = partsOf(contract, values)
  const decides = (field: Field, from: Subject['from']): boolean =>
    subjectsOf(contract).some((subject) => subject.from === from && subject.name === field.name)
  const example: Record<string, unknown> = { ...parts.choices, ...parts.fields }
  for (const field of contract.fields)
    if (field.requiredFor.includes(outcome) && !decides(field, 'field'))
      example[field.name] = exampleValue(field)
  const { handoff } = contract
  if (handoff === null) return example
  if (lacksHandoff) return { ...example, ...exampleWithoutHandoff(handoff, parts) }
  const handed: Record<string, unknown> = { ...parts.handed }
  for (const field of handoff.fields)
    if (field.requiredFor.length > 0 && !decides(field, 'handoff')) handed[field.name] = exampleValue(field)
  return { ...example, handoff: handed }
}

/** What will do when the nudges are used up. */
const exampleWithoutHandoff = ({ partial }: Handoff, { handed }: Parts): Record<string, unknown> =>
  partial ? { handoff: handed, notes: 'What whoever comes next should know' } : {}

function exampleValue(field: Field): FieldValue | readonly Record<string, string>[] {
  switch (field.type) {
    case 'text':
      return field.say === '' ? `what ${field.name} says` : field.say
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'list':
      return ['one thing', 'another']
    case 'choice':
      return field.choices[0] ?? ''
    case 'file':
      return `.signalbox/run/${field.name}.md`
    case 'findings':
      return [EXAMPLE_FINDING]
  }
}

/** What the options of an answer mean, for the person or agent that reads it next. */
export const saidBy = (contract: Contract, choices: Readonly<Record<string, string>>): string =>
  optionsChosen(contract, choices)
    .map((option) => (option.say === '' ? option.label : `${option.label}: ${option.say}`))
    .join('; ')

export const EXAMPLE_FINDING = {
  title: 'What is wrong, in a few words',
  severity: 'major',
  status: 'open',
  file: 'src/example.ts',
}
