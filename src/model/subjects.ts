/**
 * What an answer is decided on. Without a table that is the one variable a step asks for. The rows of a table may name
 * several, and also fields with a closed domain, of the answer or of its handoff; what an answer may leave out has the
 * extra value `absent`.
 */
import type { Answer, FieldValue } from './answer.ts'
import { type Contract, DONE, type Field, outcomesOf, type TableRow } from './contract.ts'
import { own } from './own.ts'

/** The value of what an answer leaves out. */
export const ABSENT = 'absent'

export interface Subject {
  readonly name: string
  readonly from: 'variable' | 'field' | 'handoff'
  /** Those an answer can give, in the order they stand. */
  readonly values: readonly string[]
  /** The answer may leave it out. */
  readonly optional: boolean
}

/** Subject → value. What is absent has none. */
export type SubjectValues = Readonly<Record<string, string>>

const subjects = new WeakMap<Contract, readonly Subject[]>()

/** What decides where an answer leads: every variable, and the fields that rows name. */
export function subjectsOf(contract: Contract): readonly Subject[] {
  let known = subjects.get(contract)
  if (known === undefined) {
    const named = new Set(contract.rows.flatMap(({ when }) => Object.keys(when)))
    known = routable(contract).filter(({ name, from }) => from === 'variable' || named.has(name))
    subjects.set(contract, known)
  }
  return known
}

/** Whatever rows may name. A name that the answer and its handoff both have means the answer's, as in a look-up. */
export function routable(contract: Contract): Subject[] {
  const { variables, fields, handoff } = contract
  const outcomes = outcomesOf(contract)
  const mayBeMissing = handoff !== null && (handoff.partial || handoff.fallback !== null)
  const found: Subject[] = [
    ...variables.map(({ name, options, optional = false }) => ({
      name,
      from: 'variable' as const,
      values: options.map(({ value }) => value),
      optional,
    })),
    ...fields.flatMap((field) => {
      const optional = !outcomes.every((outcome) => field.requiredFor.includes(outcome))
      return closed(field).map((values) => ({ name: field.name, from: 'field' as const, values, optional }))
    }),
    ...(handoff?.fields ?? []).flatMap((field) => {
      const optional = mayBeMissing || field.requiredFor.length === 0
      return closed(field).map((values) => ({ name: field.name, from: 'handoff' as const, values, optional }))
    }),
  ]
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index)
}

/** The values of a field that has only so many. */
function closed({ type, choices }: Field): (readonly string[])[] {
  if (type === 'choice') return [choices]
  return type === 'boolean' ? [['true', 'false']] : []
}

/** What a row may say of it. */
export const valuesOf = ({ values, optional }: Subject): readonly string[] =>
  optional ? [...values, ABSENT] : values

/** The outcome of these values, or null where no row of the table fits. */
export function outcomeOf({ variables, rows }: Contract, values: SubjectValues): string | null {
  if (rows.length > 0) return rows.find((row) => matches(row, values))?.outcome ?? null
  const [first] = variables
  return first === undefined ? DONE : (own(values, first.name) ?? null)
}

function matches({ when }: TableRow, values: SubjectValues): boolean {
  for (const name in when) if (!when[name]!.includes(own(values, name) ?? ABSENT)) return false
  return true
}

/** What an answer says of everything that decides. */
export function valuesIn(
  contract: Contract,
  { choices, fields, handoff }: Pick<Answer, 'choices' | 'fields' | 'handoff'>,
): SubjectValues {
  const values: Record<string, string> = {}
  for (const { name, from } of subjectsOf(contract)) {
    const value =
      from === 'variable' ? choices[name] : from === 'field' ? fields[name] : handoff?.values[name]
    if (typeof value === 'string' || typeof value === 'boolean') values[name] = String(value)
  }
  return values
}

export interface Parts {
  readonly choices: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, FieldValue>>
  /** Fields of the handoff. */
  readonly handed: Readonly<Record<string, FieldValue>>
}

/** Where such values stand in an answer, each with the type it has there. */
export function partsOf(contract: Contract, values: SubjectValues): Parts {
  const choices: Record<string, string> = {}
  const fields: Record<string, FieldValue> = {}
  const handed: Record<string, FieldValue> = {}
  for (const { name, from } of subjectsOf(contract)) {
    const value = own(values, name)
    if (value === undefined) continue
    if (from === 'variable') choices[name] = value
    else if (from === 'field') fields[name] = typed(contract.fields, name, value)
    else handed[name] = typed(contract.handoff!.fields, name, value)
  }
  return { choices, fields, handed }
}

const typed = (fields: readonly Field[], name: string, value: string): FieldValue =>
  fields.some((field) => field.name === name && field.type === 'boolean') ? value === 'true' : value

/** The conditions of a row in words; empty where the outcome is no row. */
export function conditionsText({ rows }: Contract, outcome: string): string {
  const row = rows.find((candidate) => candidate.outcome === outcome)
  if (row === undefined) return ''
  const conditions = Object.entries(row.when).map(([name, values]) => `${name} = ${values.join(' | ')}`)
  return conditions.length === 0 ? 'otherwise' : conditions.join(', ')
}

/** A combination in words, with what it leaves out. */
export const valuesText = (contract: Contract, values: SubjectValues): string =>
  subjectsOf(contract)
    .map(({ name }) => `${name} = ${own(values, name) ?? ABSENT}`)
    .join(', ')
