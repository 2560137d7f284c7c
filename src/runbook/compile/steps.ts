/** One step of each kind. What a kind does not use is reported, so that no key is ever silently without effect. */
import { asksNothing, outcomesOf } from '../../model/contract.ts'
import { FAULTS } from '../../model/fault.ts'
import { list } from '../../model/nearest.ts'
import { INTERVENTIONS, type Step } from '../../model/program.ts'
import { asks, RETRY, STOP } from '../../model/route.ts'
import { STEP_KINDS } from '../language.ts'
import { childOf, type Entry, entriesOf, textOf } from '../tree.ts'
import { checkStep } from './check-step.ts'
import { askedBy, refuseOptionKeys } from './contracts.ts'
import { flowDeadline } from './deadline.ts'
import { decideStep } from './decide-step.ts'
import { finished, missingNext } from './finish.ts'
import { flowStep } from './flows.ts'
import { membersOf } from './members.ts'
import { type Scope, spotOf } from './scope.ts'

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
  return { kind, members, settleOn, ...flowDeadline(scope), ...finished(scope, entry, asked, faults) }
}

const boundaryOf = (scope: Scope, agent: string): boolean =>
  childOf(childOf(childOf(scope.root, 'agents'), agent), 'writes') !== undefined

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
