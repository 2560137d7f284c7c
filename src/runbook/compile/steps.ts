/** One step of each kind. What a kind does not use is reported, so that no key is ever silently without effect. */
import { outcomesOf } from '../../model/contract.ts'
import { list } from '../../model/nearest.ts'
import { possibleFaults } from '../../model/possible-faults.ts'
import type { Member, Step } from '../../model/program.ts'
import { canSettle } from '../../model/route.ts'
import { KEYS_AT, KIND_FORMS, STEP, STEP_KINDS } from '../language/step-language.ts'
import { childOf, type Entry, entriesOf, textOf } from '../tree.ts'
import { checkStep } from './check-step.ts'
import { askedBy, type CompiledQuestion, refuseOptionKeys } from './contracts.ts'
import { flowDeadline } from './deadline.ts'
import { decideStep } from './decide-step.ts'
import { finished, missingNext } from './finish.ts'
import { flowStep } from './flows.ts'
import { membersOf } from './members.ts'
import { isBoundedBy } from './roles.ts'
import { type Scope, spotOf } from './scope.ts'

export const stepSpot = (step: string): string => `step ${step}`

export function compileStep(scope: Scope, entry: Entry): Step | null {
  scope.spots.set(stepSpot(entry.key), { at: entry.at, path: entry.value.path })
  // What is no map was told already.
  if (entry.value.kind !== 'map') return null
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
      help: `A step has exactly one of ${Object.values(KIND_FORMS)
        .map((form) => `\`${scope.report.spell(form)}\``)
        .join(', ')}.`,
    })
    return null
  }
  // What no step knows was told already.
  for (const { key, at, value } of entriesOf(entry.value))
    if (!KEYS_AT[kind].includes(key) && Object.hasOwn(STEP.fields, key))
      scope.report.add({
        code: 'wrong-kind',
        at,
        path: value.path,
        message: `\`${key}\` means nothing at ${kind === 'agent' ? 'an agent' : `a ${kind}`} step.`,
        help: `This kind of step takes ${list(KEYS_AT[kind].filter((each) => each !== kind))}.`,
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

function agentStep(scope: Scope, entry: Entry, kind: 'agent' | 'panel'): Step {
  const asked = askedBy(scope, entry)
  if (Object.keys(asked.routes).length === 0) missingNext(scope, entry, asked.routes)
  const members = membersOf(scope, entry, outcomesOf(asked.contract))
  // Advice decides nothing, by answer or by fault.
  const blocking = members.filter((member) => !member.advisory)
  const faults = possibleFaults({
    contract: asked.contract,
    blocking,
    isBounded: (agent) => isBoundedBy(childOf(childOf(scope.root, 'agents'), agent)),
    limited: scope.limited,
  })
  const settleOn = settlesOn(scope, entry, asked, blocking)
  return { kind, members, settleOn, ...flowDeadline(scope), ...finished(scope, entry, asked, faults) }
}

function settlesOn(
  scope: Scope,
  entry: Entry,
  asked: CompiledQuestion,
  blocking: readonly Member[],
): string | null {
  const settle = childOf(entry.value, 'settle_on')
  const name = textOf(settle)
  if (settle === undefined || name === undefined) return null
  const wrong = (message: string, help: string): null => {
    scope.report.add({ code: 'bad-settle', ...spotOf(settle), message, help })
    return null
  }
  const field = asked.contract.fields.find((candidate) => candidate.name === name)
  if (field?.type !== 'findings')
    return wrong(
      field === undefined
        ? `"${entry.key}" has no field "${name}".`
        : `The field "${name}" is of type ${field.type}.`,
      `Settle on a field of type findings: ${scope.report.spell({ fields: { [name]: { type: 'findings' } } })}.`,
    )
  if (blocking.length === 0)
    return wrong(
      `Every member of "${entry.key}" is advisory, so no findings count that it could settle on.`,
      'Let one member block, or remove `settle_on`.',
    )
  if (!Object.values(asked.routes).some(({ arms }) => canSettle(arms)))
    return wrong(
      `No option of "${entry.key}" counts its rounds, so there is no loop that could settle.`,
      'Bound the option that goes round with `max` (or `count`), or remove `settle_on`.',
    )
  return name
}
