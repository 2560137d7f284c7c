/** What a step asks: one variable with options, a decision table over several, or nothing but the work itself. */
import {
  type Contract,
  DONE,
  FIELD_TYPES,
  type Field,
  type FieldType,
  type Option,
  outcomesOf,
  type Variable,
} from '../../model/contract.ts'
import { isFault } from '../../model/fault.ts'
import { own } from '../../model/own.ts'
import type { Route } from '../../model/route.ts'
import { badName, isName } from '../language/bad-name.ts'
import { brief } from '../language/shape.ts'
import { booleanOf, childOf, type Entry, entriesOf, itemsOf, type Tree, textOf } from '../tree.ts'
import { routeOf } from './routes.ts'
import { type Scope, spotOf, unknown } from './scope.ts'
import { isShortForm, rowsOf, type WrittenRow, writtenRows } from './table-rows.ts'

/** Keys of options that mean nothing at this kind of step. */
export function refuseOptionKeys(
  scope: Scope,
  options: Tree | undefined,
  keys: Readonly<Record<string, string>>,
): void {
  for (const { value } of entriesOf(options))
    for (const [key, why] of Object.entries(keys)) {
      const tree = childOf(value, key)
      if (tree === undefined) continue
      scope.report.add({
        code: 'wrong-kind',
        ...spotOf(tree),
        message: `\`${key}\` means nothing here: ${why}.`,
        help: 'Remove it.',
      })
    }
}

/** What every answer has anyway. */
const TAKEN = ['notes', 'handoff', 'outcome']

export interface CompiledQuestion {
  readonly contract: Contract
  readonly routes: Record<string, Route>
}

/** Of any step that has `options`, `when` or `next`. */
export function askedBy(scope: Scope, step: Entry): CompiledQuestion {
  const tree = step.value
  const given = (['options', 'when', 'next'] as const).filter((key) => childOf(tree, key) !== undefined)
  if (given.length > 1)
    scope.report.add({
      code: 'two-answers',
      ...spotOf(childOf(tree, given[1]!)!),
      message: `"${step.key}" has both \`${given[0]}\` and \`${given[1]}\`; only one can say where it leads.`,
      help: '`next` is for steps that ask nothing, `options` for one question, `when` for a decision table.',
    })
  checkAsks(scope, step)
  const variables = variablesOf(scope, step)
  const written = writtenRows(scope, step)
  const handoff = handoffOf(scope, tree)
  // The order of the keys is part of the program's digest.
  const bare = { variables, rows: written.map(({ outcome }) => ({ outcome, when: {} })), handoff, fields: [] }
  const taken = variables.map((variable) => variable.name)
  const fields = fieldsOf(scope, childOf(tree, 'fields'), outcomesOf(bare), taken)
  const contract = { ...bare, fields }
  const rows = rowsOf(scope, step, { contract, written })
  if (
    written.length > 0 &&
    variables.length === 0 &&
    rows.every(({ when }) => Object.keys(when).length === 0)
  )
    scope.report.add(
      isShortForm(step)
        ? {
            code: 'table-without-variables',
            ...spotOf(childOf(tree, 'next')!),
            message: `"${step.key}" leads to the same place whatever is answered.`,
            help: `Write \`${scope.report.spell({ next: textOf(written[0]!.route) ?? 'STEP' })}\`, or name the values that lead elsewhere.`,
          }
        : {
            code: 'table-without-variables',
            ...spotOf(childOf(tree, 'when')!),
            message: `"${step.key}" routes by a table, but asks no variables.`,
            help: `Write \`${scope.report.spell({ asks: { severity: ['low', 'high'], '…': '…' } })}\`.`,
          },
    )
  return { contract: { ...contract, rows }, routes: routesOf(scope, step, written) }
}

/** Several variables need a table, one needs its options, and neither means anything beside `next`. */
function checkAsks(scope: Scope, step: Entry): void {
  const asks = childOf(step.value, 'asks')
  if (asks === undefined) return
  const names = asks.kind === 'map' ? asks.entries.map(({ key }) => key) : [textOf(asks) ?? '']
  for (const name of names)
    if (TAKEN.includes(name))
      scope.report.add({
        code: 'reserved-name',
        ...spotOf(asks),
        message: `A variable cannot be called "${name}".`,
        help: 'Every answer already has one.',
      })
    else if (asks.kind === 'scalar' && !isName(name))
      scope.report.add({
        code: 'bad-name',
        ...spotOf(asks),
        ...badName(name, { noun: 'variable', shown: brief(name) }),
      })
  for (const { value } of entriesOf(asks)) {
    const options = itemsOf(value).map((item) => textOf(item))
    const twice = options.find((option, index) => options.indexOf(option) !== index)
    if (twice !== undefined)
      scope.report.add({
        code: 'duplicate-key',
        ...spotOf(value),
        message: `The option "${twice}" stands here a second time.`,
        help: 'Keep one of them.',
      })
  }
  const table = asks.kind === 'map'
  const isRouted = table
    ? childOf(step.value, 'when') !== undefined || isShortForm(step)
    : childOf(step.value, 'options') !== undefined
  if (isRouted) return
  scope.report.add({
    code: 'asks-without-routes',
    ...spotOf(asks),
    message: table
      ? `"${step.key}" asks several variables, but no table says where their values lead.`
      : `"${step.key}" names its variable, but no options say what it can be.`,
    help: table
      ? `Write rows: \`${scope.report.spell({ when: [{ if: { VARIABLE: 'VALUE' }, to: 'STEP' }, '…'] })}\`.`
      : `Write \`${scope.report.spell({ options: { OPTION: 'STEP', '…': '…' } })}\`, or remove \`asks\`.`,
  })
}

function variablesOf(scope: Scope, { key: step, value: tree }: Entry): Variable[] {
  const asks = childOf(tree, 'asks')
  const options = childOf(tree, 'options')
  const optional = optionalIn(scope, step, tree)
  if (asks?.kind === 'map')
    return asks.entries.map(({ key, value }) => ({
      name: key,
      options:
        value.kind === 'list'
          ? value.items.map((item) => optionOf(textOf(item) ?? '', undefined))
          : optionsOf(scope, value),
      ...(optional.includes(key) ? { optional: true as const } : {}),
    }))
  if (options === undefined) return []
  return [{ name: textOf(asks) ?? 'decision', options: optionsOf(scope, options) }]
}

/** Only a table can say where an answer leads that leaves something out. */
function optionalIn(scope: Scope, step: string, tree: Tree): string[] {
  const optional = childOf(tree, 'optional')
  if (optional === undefined) return []
  const asks = childOf(tree, 'asks')
  if (asks?.kind !== 'map')
    scope.report.add({
      code: 'wrong-kind',
      ...spotOf(optional),
      message: `\`optional\` means nothing at "${step}": only the variables of a decision table can be left out.`,
      help: `Write \`${scope.report.spell({ asks: { VARIABLE: ['a', 'b'] } })}\` and \`when\` with a row for \`absent\`, or remove it.`,
    })
  const names = entriesOf(asks).map(({ key }) => key)
  return itemsOf(optional).map((item) => {
    const name = textOf(item) ?? ''
    if (asks?.kind === 'map' && !names.includes(name))
      unknown(scope, 'unknown-variable', item, 'variable', name, names)
    return name
  })
}

export function optionsOf(scope: Scope, tree: Tree, defaults: readonly Option[] = []): Option[] {
  const options = entriesOf(tree).map(({ key, at, value }) => {
    if (isFault(key))
      scope.report.add({
        code: 'reserved-name',
        at,
        path: value.path,
        message: `An option cannot be called "${key}": that is the name of a fault.`,
        help: 'Choose another word for the answer.',
      })
    return optionOf(
      key,
      value,
      defaults.find((option) => option.value === key),
    )
  })
  const recommended = options.filter((option) => option.recommended)
  if (recommended.length > 1)
    scope.report.add({
      code: 'two-recommended',
      ...spotOf(tree),
      message: `${recommended.map((option) => `"${option.value}"`).join(' and ')} are both recommended.`,
      help: 'Recommend one at most.',
    })
  return options
}

function optionOf(value: string, tree: Tree | undefined, base?: Option): Option {
  return {
    value,
    label: textOf(childOf(tree, 'label')) ?? base?.label ?? labelOf(value),
    say: textOf(childOf(tree, 'say')) ?? base?.say ?? '',
    recommended: booleanOf(childOf(tree, 'recommended')) ?? base?.recommended ?? false,
    confirm: booleanOf(childOf(tree, 'confirm')) ?? base?.confirm ?? false,
    reversible: booleanOf(childOf(tree, 'reversible')) ?? base?.reversible ?? true,
  }
}

/** An option of a template: `name: what it means`, or its keys. */
export const templateOption = ({ key, value }: Entry): Option => ({
  ...optionOf(key, value),
  say: textOf(value) ?? textOf(childOf(value, 'say')) ?? '',
})

const labelOf = (value: string): string => {
  const words = value.replaceAll(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function routesOf(scope: Scope, step: Entry, rows: readonly WrittenRow[]): Record<string, Route> {
  const out = (outcome: string) => ({ step: step.key, outcome, origin: 'step' as const })
  const tree = step.value
  const next = childOf(tree, 'next')
  if (rows.length > 0)
    return Object.fromEntries(
      rows.map(({ outcome, route }) => [outcome, routeOf(scope, route, out(outcome))]),
    )
  const options = childOf(tree, 'options')
  if (options !== undefined)
    return Object.fromEntries(
      entriesOf(options).map(({ key, value }) => [key, routeOf(scope, value, out(key))]),
    )
  return next === undefined ? {} : { [DONE]: routeOf(scope, next, out(DONE)) }
}

export function fieldsOf(
  scope: Scope,
  tree: Tree | undefined,
  outcomes: readonly string[],
  taken: readonly string[],
): Field[] {
  return entriesOf(tree).map(({ key, at, value }) => {
    if ([...TAKEN, ...taken].includes(key))
      scope.report.add({
        code: 'reserved-name',
        at,
        path: value.path,
        message: `A field cannot be called "${key}": the answer already has one.`,
        help: 'Choose another name.',
      })
    const requiredFor = childOf(value, 'required_for')
    for (const item of itemsOf(requiredFor)) {
      const option = textOf(item) ?? ''
      if (!outcomes.includes(option)) unknown(scope, 'unknown-option', item, 'option', option, outcomes)
    }
    const type = (textOf(value) ?? textOf(childOf(value, 'type')) ?? 'text') as FieldType
    const choices = itemsOf(childOf(value, 'choices')).map((item) => textOf(item) ?? '')
    const unused = childOf(value, 'choices')
    if (type !== 'choice' && unused !== undefined)
      scope.report.add({
        code: 'wrong-kind',
        ...spotOf(unused),
        message: `\`choices\` mean nothing in a field of type ${type}.`,
        help: `Write \`${scope.report.spell({ type: 'choice' })}\`, or remove them.`,
      })
    if (type === 'choice' && choices.length === 0)
      scope.report.add({
        code: 'missing-key',
        at,
        path: value.path,
        message: `The choice "${key}" has no \`choices\`.`,
        help: `Write \`${scope.report.spell({ choices: ['a', 'b'] })}\`.`,
      })
    return {
      name: key,
      type: FIELD_TYPES.includes(type) ? type : 'text',
      say: textOf(childOf(value, 'say')) ?? '',
      requiredFor:
        booleanOf(childOf(value, 'required')) === true
          ? [...outcomes]
          : itemsOf(requiredFor).map((item) => textOf(item) ?? ''),
      choices,
    }
  })
}

function handoffOf(scope: Scope, tree: Tree) {
  const gives = childOf(tree, 'gives')
  const name = textOf(gives)
  if (gives === undefined || name === undefined) return null
  const handoff = own(scope.handoffs, name)
  if (handoff === undefined)
    unknown(scope, 'unknown-handoff', gives, 'handoff', name, Object.keys(scope.handoffs))
  return handoff ?? null
}
