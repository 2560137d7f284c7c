/** A decide step: a question to a person, with what they are shown and how long it waits. */
import { type Option, outcomesOf } from '../../model/contract.ts'
import { own } from '../../model/own.ts'
import type { ContextItem, DecideStep } from '../../model/program.ts'
import { childOf, type Entry, entriesOf, type Tree, textOf } from '../tree.ts'
import { askedBy, type CompiledQuestion, optionsOf } from './contracts.ts'
import { deadlineOf } from './deadline.ts'
import { finished } from './finish.ts'
import { routeOf } from './routes.ts'
import { commandAt, type Scope, spotOf, textAt, unknown } from './scope.ts'
import { isShortForm } from './table-rows.ts'

export function decideStep(scope: Scope, entry: Entry): DecideStep {
  const tree = entry.value
  const decide = childOf(tree, 'decide')!
  const templateTree = childOf(tree, 'template')
  const name = textOf(templateTree)
  const template = name === undefined ? undefined : own(scope.templates, name)
  if (templateTree !== undefined && name !== undefined && template === undefined)
    unknown(scope, 'unknown-template', templateTree, 'template', name, Object.keys(scope.templates))
  const prompt = textOf(decide) ?? template?.hint
  // What is no text was told already.
  if (decide.kind === 'scalar' && (prompt === undefined || prompt === ''))
    scope.report.add({
      code: 'missing-question',
      ...spotOf(decide),
      message: `"${entry.key}" asks a person nothing.`,
      help: `Write the question: \`${scope.report.spell({ decide: 'Ship it?' })}\`, or let a template ask: \`${scope.report.spell({ decide: true, template: 'confirmation' })}\`.`,
    })
  const asked = askedOfPerson(scope, entry, template?.options ?? [])
  const count = asked.contract.variables.length === 0 ? 0 : outcomesOf(asked.contract).length
  // Options that could not be read were told already.
  const readable = (childOf(tree, 'options')?.kind ?? 'map') === 'map'
  if (readable && asked.contract.rows.length === 0 && (count < 2 || count > 6))
    scope.report.add({
      code: 'option-count',
      at: entry.at,
      path: tree.path,
      message: `A decision has two to six options; "${entry.key}" has ${count}.`,
      help: count < 2 ? 'Offer at least one other way to go.' : 'Group them, or ask in two steps.',
    })
  const deadline = deadlineOf(scope, childOf(tree, 'deadline'))
  const context = contextOf(scope, entry)
  const missing = (template?.requiredContext ?? []).filter(
    (required) => !context.some((item) => item.name === required),
  )
  if (missing.length > 0)
    scope.report.add({
      code: 'missing-context',
      severity: 'warning',
      at: entry.at,
      path: tree.path,
      message: `A ${name} should bring ${missing.map((item) => `"${item}"`).join(' and ')}.`,
      help: `Write \`${scope.report.spell({ context: { [missing[0]!]: '…' } })}\`, as text with look-ups, or as \`${scope.report.spell({ context: { [missing[0]!]: { run: 'COMMAND' } } })}\`.`,
    })
  return {
    kind: 'decide',
    prompt: textAt(scope, decide, prompt ?? '', { kind: 'step', step: entry.key, hasAgent: false }),
    context,
    template: template === undefined ? null : (name ?? null),
    deadline,
    settleOn: null,
    ...finished(scope, entry, asked, deadline.expireMs === null ? [] : ['expired']),
  }
}

/** A decision takes its options from its template where it has none of its own. */
function askedOfPerson(scope: Scope, entry: Entry, defaults: readonly Option[]): CompiledQuestion {
  const options = childOf(entry.value, 'options')
  if (options !== undefined || childOf(entry.value, 'when') !== undefined || isShortForm(entry)) {
    const asked = askedBy(scope, entry)
    if (options === undefined || defaults.length === 0) return asked
    const [variable] = asked.contract.variables
    const merged = optionsOf(scope, options, defaults)
    return {
      ...asked,
      contract: { ...asked.contract, variables: [{ name: variable!.name, options: merged }] },
    }
  }
  for (const key of ['asks', 'optional', 'fields'])
    if (childOf(entry.value, key) !== undefined)
      scope.report.add({
        code: 'wrong-kind',
        ...spotOf(childOf(entry.value, key)!),
        message: `\`${key}\` means nothing at a decision without \`options\`.`,
        help: `Write where each leads: \`${scope.report.spell({ options: { OPTION: 'STEP' } })}\`.`,
      })
  const next = childOf(entry.value, 'next')
  const routes = Object.fromEntries(
    defaults.map((option) => {
      const named = scope.steps.has(option.value) || scope.ends.has(option.value) ? option.value : undefined
      const follows = option.recommended ? textOf(next) : undefined
      const to = named ?? follows ?? 'ask'
      if (to === 'ask')
        scope.report.add({
          code: 'option-without-target',
          severity: scope.report.file.endsWith('.hcl') ? 'warning' : 'error',
          at: entry.at,
          path: entry.value.path,
          message: `Nobody says where "${option.value}" leads${scope.report.file.endsWith('.hcl') ? ', so a person will be asked when it is picked' : ''}.`,
          help: `Write \`${scope.report.spell({ options: { [option.value]: 'STEP', '…': '…' } })}\`.`,
        })
      const tree: Tree = { kind: 'scalar', value: to, at: entry.at, path: entry.value.path }
      return [
        option.value,
        routeOf(scope, tree, { step: entry.key, outcome: option.value, origin: 'built-in' }),
      ]
    }),
  )
  const variables = defaults.length === 0 ? [] : [{ name: 'decision', options: defaults }]
  return { contract: { variables, rows: [], fields: [], handoff: null }, routes }
}

function contextOf(scope: Scope, entry: Entry): ContextItem[] {
  const context = childOf(entry.value, 'context')
  const owner = { kind: 'step', step: entry.key, hasAgent: false } as const
  if (context?.kind === 'scalar')
    return [
      { name: 'context', kind: 'command', source: commandAt(scope, context, textOf(context) ?? '', owner) },
    ]
  return entriesOf(context).map(({ key, value }) => {
    const run = childOf(value, 'run')
    return run === undefined
      ? { name: key, kind: 'text', source: textAt(scope, value, textOf(value) ?? '', owner) }
      : { name: key, kind: 'command', source: commandAt(scope, run, textOf(run) ?? '', owner) }
  })
}
