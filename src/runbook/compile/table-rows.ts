/**
 * The rows of a decision table: as written under `when`, or in short under `next`, where one field or variable has a
 * route for each of its values. Both come to the same rows; those of the short form are named by the value.
 */
import type { Contract, TableRow } from '../../model/contract.ts'
import { isFault } from '../../model/fault.ts'
import { didYouMean } from '../../model/nearest.ts'
import { ABSENT, routable, type Subject, valuesOf } from '../../model/subjects.ts'
import { isName } from '../language/bad-name.ts'
import { brief } from '../language/shape.ts'
import { booleanOf, childOf, type Entry, entriesOf, itemsOf, type Tree, textOf } from '../tree.ts'
import { type Scope, spotOf } from './scope.ts'

/** In the short form: all values that are not named. */
const ELSE = 'else'

export interface WrittenRow {
  readonly outcome: string
  /** Where it leads. */
  readonly route: Tree
  readonly conditions: readonly Entry[]
}

/** The rows with their names; what they mean can be told once the fields of the step are known. */
export function writtenRows(scope: Scope, step: Entry): WrittenRow[] {
  const rows = shortForm(step) ?? itemsOf(childOf(step.value, 'when')).map(longRow)
  const taken = new Set<string>()
  for (const { outcome, route } of rows) {
    const wrong = (code: string, message: string, help: string) =>
      scope.report.add({ code, ...spotOf(childOf(route, 'name') ?? route), message, help })
    if (!isName(outcome))
      wrong('bad-name', `A row cannot be called "${brief(outcome)}".`, 'Use letters, digits, - and _.')
    else if (isFault(outcome))
      wrong(
        'reserved-name',
        `A row cannot be called "${outcome}": that is the name of a fault.`,
        'Give the row another name, under `when`.',
      )
    else if (taken.has(outcome))
      wrong('duplicate-key', `There is a row "${outcome}" already.`, 'Give each row a name of its own.')
    taken.add(outcome)
  }
  return rows
}

export const isShortForm = (step: Entry): boolean => childOf(step.value, 'next')?.kind === 'map'

function shortForm(step: Entry): WrittenRow[] | null {
  if (!isShortForm(step)) return null
  const [subject] = entriesOf(childOf(step.value, 'next'))
  if (subject === undefined) return []
  const rows = entriesOf(subject.value).map(({ key, at, value: route }) => {
    const value: Tree = { kind: 'scalar', value: key, at, path: route.path }
    return { outcome: key, route, conditions: key === ELSE ? [] : [{ ...subject, value }] }
  })
  // `else` is what is left, wherever it stands.
  return [
    ...rows.filter(({ outcome }) => outcome !== ELSE),
    ...rows.filter(({ outcome }) => outcome === ELSE),
  ]
}

const longRow = (item: Tree, index: number): WrittenRow => ({
  outcome: textOf(childOf(item, 'name')) ?? `row-${index + 1}`,
  route: item,
  conditions: entriesOf(childOf(item, 'if')),
})

/** The rows of a step whose variables, fields and handoff are known. */
export function rowsOf(
  scope: Scope,
  step: Entry,
  { contract, written }: { readonly contract: Contract; readonly written: readonly WrittenRow[] },
): TableRow[] {
  const subjects = routable(contract)
  const named = new Set<string>()
  const rows = written.map(({ outcome, conditions }) => ({
    outcome,
    when: Object.fromEntries(
      conditions.map((condition) => {
        named.add(condition.key)
        return [condition.key, valuesAt(scope, { step, condition, contract, subjects })]
      }),
    ),
  }))
  const [short] = isShortForm(step) ? named : []
  if (subjects.find(({ name }) => name === short)?.values.includes(ELSE) === true)
    scope.report.add({
      code: 'reserved-name',
      ...spotOf(childOf(step.value, 'next')!),
      message: `"${short}" has a value "${ELSE}", which means all other values here.`,
      help: 'Choose another word for the value, or write the table under `when`.',
    })
  for (const subject of subjects)
    if (subject.from === 'variable' || named.has(subject.name)) checkSubject(scope, step, subject)
  return rows
}

interface Condition {
  readonly step: Entry
  readonly condition: Entry
  readonly contract: Contract
  readonly subjects: readonly Subject[]
}

function valuesAt(scope: Scope, { step, condition, contract, subjects }: Condition): string[] {
  const { key, at, value } = condition
  const subject = subjects.find(({ name }) => name === key)
  if (subject === undefined) {
    const field = [...contract.fields, ...(contract.handoff?.fields ?? [])].find(({ name }) => name === key)
    scope.report.add({
      code: field === undefined ? 'unknown-variable' : 'routed-field',
      at,
      path: value.path,
      message:
        field === undefined
          ? `"${step.key}" asks no variable "${brief(key)}", and has no field of that name.`
          : `The field "${key}" is of type ${field.type}, and only a choice or a boolean can decide where an answer leads.`,
      help:
        field === undefined
          ? didYouMean(
              key,
              subjects.map(({ name }) => name),
            )
          : 'Make it a choice, or ask for a variable.',
    })
  }
  const written = value.kind === 'list' ? value.items : [value]
  return written.map((one) => {
    const text = textOf(one) ?? `${booleanOf(one) ?? ''}`
    if (subject !== undefined && !valuesOf(subject).includes(text)) unknownValue(scope, one, text, subject)
    return text
  })
}

function unknownValue(scope: Scope, given: Tree, text: string, subject: Subject): void {
  const { name, from } = subject
  scope.report.add({
    code: 'unknown-option',
    ...spotOf(given),
    message:
      text === ABSENT
        ? `"${name}" is never absent: every answer brings it.`
        : from === 'variable'
          ? `There is no option "${brief(text)}".`
          : `"${name}" has no value "${brief(text)}".`,
    help: text === ABSENT ? 'Remove the row, or make it optional.' : didYouMean(text, valuesOf(subject)),
  })
}

/** What decides must have a meaning of its own, before the outcome is known. */
function checkSubject(scope: Scope, step: Entry, { name, from, optional, values }: Subject): void {
  if (optional && values.includes(ABSENT))
    scope.report.add({
      code: 'reserved-name',
      ...spotOf(childOf(step.value, from === 'variable' ? 'asks' : from === 'field' ? 'fields' : 'gives')!),
      message: `"${name}" may be left out, so none of its values can be called "${ABSENT}".`,
      help: 'Choose another word for the value.',
    })
  const fields = childOf(step.value, 'fields')
  const requiredFor = from === 'field' ? childOf(childOf(fields, name), 'required_for') : undefined
  if (requiredFor !== undefined && optional)
    scope.report.add({
      code: 'routed-field',
      ...spotOf(requiredFor),
      message: `"${name}" decides which row is taken, so it cannot be required for some of them.`,
      help: `Write \`${scope.report.spell({ required: true })}\`, or leave it optional and give \`absent\` a row.`,
    })
}
