/** One step of each kind. What a kind does not use is reported, so that no key is ever silently without effect. */
import { asksNothing, type Contract, DONE, type Option, outcomesOf } from '../../model/contract.ts'
import { FAULTS, type Fault } from '../../model/fault.ts'
import { list } from '../../model/nearest.ts'
import { own } from '../../model/own.ts'
import {
  type CheckStep,
  type ContextItem,
  type DecideStep,
  INTERVENTIONS,
  type Step,
} from '../../model/program.ts'
import { asks, RETRY, type Route, STOP } from '../../model/route.ts'
import { STEP_KINDS } from '../language.ts'
import { childOf, type Entry, entriesOf, entryOf, numberOf, type Tree, textOf } from '../tree.ts'
import { type Asked, askedBy, optionsOf, refuseOptionKeys } from './contracts.ts'
import { flowStep } from './flows.ts'
import { durationOf, membersOf } from './members.ts'
import { HOLE, routeOf } from './routes.ts'
import { commandAt, type Scope, spotOf, textAt, unknown } from './scope.ts'

type Kind = (typeof STEP_KINDS)[number]

const WORK = [
  'prompt',
  'gate',
  'on_signal',
  'check_in',
  'nudges',
  'questions',
  'stall',
  'time',
  'gives',
  'settle_on',
]
const ANSWER = ['asks', 'options', 'when', 'fields', 'next']
const KEYS: Record<Kind, readonly string[]> = {
  agent: ['agent', ...ANSWER, ...WORK, 'on'],
  panel: ['panel', ...ANSWER, ...WORK, 'on'],
  check: ['check', ...ANSWER, 'answers', 'time', 'on'],
  decide: ['decide', ...ANSWER, 'context', 'template', 'deadline', 'on'],
  flow: ['flow', 'options', 'with'],
}

export const stepSpot = (step: string): string => `step ${step}`

export function compileStep(scope: Scope, entry: Entry): Step | null {
  scope.spots.set(stepSpot(entry.key), { at: entry.at, path: entry.value.path })
  const kinds = STEP_KINDS.filter((kind) => childOf(entry.value, kind) !== undefined)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    scope.report.add({
      code: 'step-kind',
      at: entry.at,
      path: entry.value.path,
      message:
        kind === undefined
          ? `Nobody works at "${entry.key}".`
          : `"${entry.key}" is of ${kinds.length} kinds at once: ${kinds.join(', ')}.`,
      help: 'A step has exactly one of `agent`, `panel`, `check`, `decide` and `flow`.',
    })
    return null
  }
  for (const { key, at, value } of entriesOf(entry.value))
    if (key !== 'say' && !KEYS[kind].includes(key) && isStepKey(key))
      scope.report.add({
        code: 'wrong-kind',
        at,
        path: value.path,
        message: `\`${key}\` means nothing at ${kind === 'agent' ? 'an agent' : `a ${kind}`} step.`,
        help: `This kind of step takes ${list(KEYS[kind].slice(1))}.`,
      })
  refuseOptionKeys(scope, childOf(entry.value, 'options'), {
    ...(kind === 'check' && textOf(childOf(entry.value, 'answers')) !== 'json'
      ? {}
      : { exit: 'only a check answers by its exit code' }),
    ...(kind === 'check' || kind === 'flow'
      ? { confirm: 'no agent answers that a person could confirm' }
      : {}),
    ...(kind === 'flow' ? { recommended: 'nobody chooses how a flow ends' } : {}),
  })
  switch (kind) {
    case 'agent':
    case 'panel':
      return agentStep(scope, entry, kind)
    case 'check':
      return checkStep(scope, entry)
    case 'decide':
      return decideStep(scope, entry)
    case 'flow':
      return flowStep(scope, entry)
  }
}

const isStepKey = (key: string): boolean => Object.values(KEYS).some((keys) => keys.includes(key))

function agentStep(scope: Scope, entry: Entry, kind: 'agent' | 'panel'): Step {
  const asked = askedBy(scope, entry)
  if (Object.keys(asked.routes).length === 0) missingNext(scope, entry, asked.routes)
  const members = membersOf(scope, entry, outcomesOf(asked.contract))
  const bounded = members.some((member) => boundaryOf(scope, member.agent))
  const advisoryOnly = members.every((member) => member.advisory)
  const faults = FAULTS.filter((fault) => {
    if (advisoryOnly || fault === 'expired') return false
    if (fault === 'out_of_bounds') return bounded
    return fault !== 'invalid' || !asksNothing(asked.contract)
  })
  const settle = childOf(entry.value, 'settle_on')
  const settleOn = textOf(settle) ?? null
  if (settle !== undefined && settleOn !== null) {
    const field = asked.contract.fields.find((candidate) => candidate.name === settleOn)
    if (field?.type !== 'findings')
      scope.report.add({
        code: 'bad-settle',
        ...spotOf(settle),
        message:
          field === undefined
            ? `"${entry.key}" has no field "${settleOn}".`
            : `The field "${settleOn}" is of type ${field.type}.`,
        help: `Settle on a field of type findings: fields: { ${settleOn}: { type: findings } }.`,
      })
  }
  return { kind, members, settleOn, ...finished(scope, entry, asked, faults) }
}

const boundaryOf = (scope: Scope, agent: string): boolean =>
  childOf(childOf(childOf(scope.root, 'agents'), agent), 'writes') !== undefined

function checkStep(scope: Scope, entry: Entry): CheckStep {
  const check = childOf(entry.value, 'check')!
  const answers = textOf(childOf(entry.value, 'answers')) === 'json' ? 'json' : 'exit'
  const asked = askedBy(scope, entry)
  if (Object.keys(asked.routes).length === 0) missingNext(scope, entry, asked.routes)
  const fields = childOf(entry.value, 'fields')
  if (answers === 'exit' && fields !== undefined)
    scope.report.add({
      code: 'wrong-kind',
      ...spotOf(fields),
      message: '`fields` mean nothing here: an exit code carries none.',
      help: 'Print them as JSON and write `answers: json`.',
    })
  const faults: Fault[] = ['failed', 'timed_out', ...(answers === 'json' ? (['invalid'] as const) : [])]
  return {
    kind: 'check',
    run: commandAt(scope, check, textOf(check) ?? '', { kind: 'step', step: entry.key, hasAgent: false }),
    answers,
    exits: answers === 'exit' ? exitsOf(scope, entry, asked.contract) : {},
    timeLimitMs: durationOf(childOf(entry.value, 'time')),
    settleOn: null,
    ...finished(scope, entry, asked, faults),
  }
}

/** Exit codes of each outcome: as written, or pass = 0 and fail = anything else, or done = 0. */
function exitsOf(scope: Scope, entry: Entry, contract: Contract): Record<string, number[] | null> {
  const options = entryOf(entry.value, 'options')
  if (options === undefined) return { done: [0] }
  const exits: Record<string, number[] | null> = {}
  for (const { key, at, value } of entriesOf(options.value)) {
    const exit = childOf(value, 'exit')
    const codes = exit?.kind === 'list' ? exit.items.map((item) => numberOf(item) ?? 0) : numberOf(exit)
    if (textOf(exit) === 'other') exits[key] = null
    else if (codes !== undefined) exits[key] = Array.isArray(codes) ? codes : [codes]
    else if (key === 'pass') exits[key] = [0]
    else if (key === 'fail') exits[key] = null
    else
      scope.report.add({
        code: 'missing-exit',
        at,
        path: value.path,
        message: `Which exit code means "${key}"?`,
        help: 'Write `exit: 0` (or a list, or `other`), or name the options pass and fail, or answer with `answers: json`.',
      })
  }
  const seen = new Map<number | null, string>()
  for (const [option, codes] of Object.entries(exits))
    for (const code of codes ?? [null]) {
      const other = seen.get(code)
      if (other !== undefined)
        scope.report.add({
          code: 'two-exits',
          at: options.at,
          path: options.value.path,
          message: `Exit code ${code ?? 'other'} means both "${other}" and "${option}".`,
          help: 'Give each code to one option.',
        })
      seen.set(code, option)
    }
  if (contract.rows.length > 0 || contract.variables.length > 1)
    scope.report.add({
      code: 'missing-exit',
      at: entry.at,
      path: entry.value.path,
      message: 'An exit code cannot answer several variables.',
      help: 'Print them as JSON and write `answers: json`.',
    })
  return exits
}

function decideStep(scope: Scope, entry: Entry): DecideStep {
  const tree = entry.value
  const decide = childOf(tree, 'decide')!
  const templateTree = childOf(tree, 'template')
  const name = textOf(templateTree)
  const template = name === undefined ? undefined : own(scope.templates, name)
  if (templateTree !== undefined && name !== undefined && template === undefined)
    unknown(scope, 'unknown-template', templateTree, 'template', name, Object.keys(scope.templates))
  const prompt = textOf(decide) ?? template?.hint
  if (prompt === undefined || prompt === '')
    scope.report.add({
      code: 'missing-question',
      ...spotOf(decide),
      message: `"${entry.key}" asks a person nothing.`,
      help: 'Write the question after `decide:`, or `decide: true` with a `template`.',
    })
  const asked = askedOfPerson(scope, entry, template?.options ?? [])
  const count = asked.contract.variables.length === 0 ? 0 : outcomesOf(asked.contract).length
  if (asked.contract.rows.length === 0 && (count < 2 || count > 6))
    scope.report.add({
      code: 'option-count',
      at: entry.at,
      path: tree.path,
      message: `A decision has two to six options; "${entry.key}" has ${count}.`,
      help: count < 2 ? 'Offer at least one other way to go.' : 'Group them, or ask in two steps.',
    })
  const deadline = childOf(tree, 'deadline')
  const remind = childOf(deadline, 'remind')
  const expireMs = durationOf(childOf(deadline, 'expire'))
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
      help: `Write \`context: { ${missing[0]}: "…" }\`, as text with look-ups or as { run: command }.`,
    })
  return {
    kind: 'decide',
    prompt: textAt(scope, decide, prompt ?? '', { kind: 'step', step: entry.key, hasAgent: false }),
    context,
    template: template === undefined ? null : (name ?? null),
    deadline: {
      remindMs: (remind?.kind === 'list' ? remind.items : remind === undefined ? [] : [remind])
        .map((item) => durationOf(item) ?? 0)
        .sort((a, b) => a - b),
      expireMs,
    },
    settleOn: null,
    ...finished(scope, entry, asked, expireMs === null ? [] : ['expired']),
  }
}

/** A decision takes its options from its template where it has none of its own. */
function askedOfPerson(scope: Scope, entry: Entry, defaults: readonly Option[]): Asked {
  const options = childOf(entry.value, 'options')
  if (options !== undefined || childOf(entry.value, 'when') !== undefined) {
    const asked = askedBy(scope, entry)
    if (options === undefined || defaults.length === 0) return asked
    const [variable] = asked.contract.variables
    const merged = optionsOf(scope, options, defaults)
    return {
      ...asked,
      contract: { ...asked.contract, variables: [{ name: variable!.name, options: merged }] },
    }
  }
  for (const key of ['asks', 'fields'])
    if (childOf(entry.value, key) !== undefined)
      scope.report.add({
        code: 'wrong-kind',
        ...spotOf(childOf(entry.value, key)!),
        message: `\`${key}\` means nothing at a decision without \`options\`.`,
        help: 'Write `options:` with where each leads.',
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
          help: `Write \`options: { ${option.value}: STEP, … }\`.`,
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

function missingNext(scope: Scope, entry: Entry, routes: Record<string, Route>): void {
  if (childOf(entry.value, 'options') !== undefined || childOf(entry.value, 'when') !== undefined) return
  routes[DONE] = { arms: [{ to: HOLE, bound: null }], origin: 'step' }
  scope.report.add({
    code: 'missing-next',
    at: entry.at,
    path: entry.value.path,
    message: `Nobody says where "${entry.key}" leads when it is done.`,
    help: 'Write `next:` with a step or an end, or `options:` with what can come of it.',
  })
}

/** Completes a step: each fault by the step's own `on:`, else the flow's, else a person is asked. */
function finished(scope: Scope, entry: Entry, { contract, routes }: Asked, faults: readonly Fault[]) {
  const all: Record<string, Route> = { ...routes }
  const own = childOf(entry.value, 'on')
  const flow = childOf(scope.root, 'on')
  for (const { key, at, value } of entriesOf(own))
    if (FAULTS.includes(key as Fault) && !faults.includes(key as Fault))
      scope.report.add({
        code: 'impossible-fault',
        severity: 'warning',
        at,
        path: value.path,
        message: `"${entry.key}" can never end as ${key}.`,
        help: faults.length === 0 ? 'It has no faults.' : `Its faults are ${list(faults)}.`,
      })
  for (const fault of faults) {
    const mine = childOf(own, fault)
    const flows = childOf(flow, fault)
    const out = { step: entry.key, outcome: fault }
    if (mine !== undefined) all[fault] = routeOf(scope, mine, { ...out, origin: 'step' })
    else if (flows !== undefined) all[fault] = routeOf(scope, flows, { ...out, origin: 'flow' })
    else all[fault] = { arms: [{ to: { kind: 'ask' }, bound: null }], origin: 'built-in' }
  }
  return { name: entry.key, say: textOf(childOf(entry.value, 'say')) ?? '', contract, faults, routes: all }
}

/** Steps that may be put to a person get the person's two extra choices. */
export function withPersonRoutes(step: Step): Step {
  if (!putToPerson(step)) return step
  const abandoned = { to: { kind: 'end', end: 'abandoned' }, bound: null } as const
  const retry = {
    to: { kind: 'step', step: step.name },
    bound: { kind: 'spend', budget: INTERVENTIONS, pass: null },
  } as const
  return {
    ...step,
    routes: {
      ...step.routes,
      [RETRY]: { arms: [retry, abandoned], origin: 'built-in' },
      [STOP]: { arms: [abandoned], origin: 'built-in' },
    },
  }
}

/** Whether the step's own question can land with a person: by a route, a proposal to confirm, or an escalation. */
function putToPerson(step: Step): boolean {
  if (Object.values(step.routes).some(asks)) return true
  if (step.kind !== 'agent' && step.kind !== 'panel') return false
  if (step.members.some((member) => !member.advisory && member.signal === 'escalate')) return true
  return step.contract.variables.some((variable) => variable.options.some((option) => option.confirm))
}
