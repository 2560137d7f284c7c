/** The contract in words: what is asked, what would be a correct answer. For briefs, rejections and tool texts. */
import type { FieldValue } from '../model/answer.ts'
import { type Contract, choicesFor, type Field, optionsChosen, outcomesOf } from '../model/contract.ts'

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
    ({ name, options }) => `\`${name}\` must be one of: ${options.map((option) => option.value).join(', ')}.`,
  )
  const all = outcomesOf(contract)
  for (const field of contract.fields)
    lines.push(`\`${field.name}\` (${typeText(field)}) ${needText(field, all)}`)
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

function needText(field: Field, outcomes: readonly string[]): string {
  const say = field.say === '' ? '' : ` ${field.say}`
  if (field.requiredFor.length === 0) return `is optional.${say}`
  if (field.requiredFor.length === outcomes.length) return `is needed.${say}`
  return `is needed with ${field.requiredFor.join(', ')}.${say}`
}

/** A correct answer, preferring the given outcome. */
export function exampleAnswer(contract: Contract, preferred?: string): Record<string, unknown> {
  const outcomes = outcomesOf(contract)
  const outcome = preferred !== undefined && outcomes.includes(preferred) ? preferred : outcomes[0]!
  const choices = choicesFor(contract, outcome) ?? {}
  const example: Record<string, unknown> = { ...choices }
  for (const field of contract.fields)
    if (field.requiredFor.includes(outcome)) example[field.name] = exampleValue(field)
  if (contract.handoff !== null)
    example['handoff'] = Object.fromEntries(
      contract.handoff.fields
        .filter((field) => field.requiredFor.length > 0)
        .map((field) => [field.name, exampleValue(field)]),
    )
  return example
}

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
