/** What completes a step of any kind: a route for every fault, and for a missing `next` a word about it. */
import { DONE } from '../../model/contract.ts'
import { FAULTS, type Fault } from '../../model/fault.ts'
import { list } from '../../model/nearest.ts'
import type { Route } from '../../model/route.ts'
import { isSlipOf } from '../language/shape.ts'
import { STEP } from '../language/step-language.ts'
import { childOf, type Entry, entriesOf, entryOf, textOf } from '../tree.ts'
import type { CompiledQuestion } from './contracts.ts'
import { HOLE, routeOf } from './routes.ts'
import type { Scope } from './scope.ts'

/** Completes a step: each fault by the step's own `on:`, else the flow's, else a person is asked. */
export function finished(
  scope: Scope,
  entry: Entry,
  { contract, routes }: CompiledQuestion,
  faults: readonly Fault[],
) {
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
  const rest = entryOf(own, 'else')
  if (rest !== undefined && faults.every((fault) => childOf(own, fault) !== undefined))
    scope.report.add({
      code: 'impossible-fault',
      severity: 'warning',
      at: rest.at,
      path: rest.value.path,
      message: `This \`else\` is never taken: ${faults.length === 0 ? `"${entry.key}" has no faults` : `every fault of "${entry.key}" is named`}.`,
      help: 'Remove it.',
    })
  for (const fault of faults) {
    const mine = childOf(own, fault) ?? rest?.value
    const flows = childOf(flow, fault) ?? childOf(flow, 'else')
    const out = { step: entry.key, outcome: fault }
    if (mine !== undefined) all[fault] = routeOf(scope, mine, { ...out, origin: 'step' })
    else if (flows !== undefined) all[fault] = routeOf(scope, flows, { ...out, origin: 'flow' })
    else all[fault] = { arms: [{ to: { kind: 'ask' }, bound: null }], origin: 'built-in' }
  }
  return { name: entry.key, say: textOf(childOf(entry.value, 'say')) ?? '', contract, faults, routes: all }
}

const WHERE_TO = ['next', 'options', 'when']

export function missingNext(scope: Scope, entry: Entry, routes: Record<string, Route>): void {
  if (childOf(entry.value, 'options') !== undefined || childOf(entry.value, 'when') !== undefined) return
  routes[DONE] = { arms: [{ to: HOLE, bound: null }], origin: 'step' }
  if (entriesOf(entry.value).some(({ key }) => WHERE_TO.some((known) => isSlipOf(key, known, STEP)))) return
  scope.report.add({
    code: 'missing-next',
    at: entry.at,
    path: entry.value.path,
    message: `Nobody says where "${entry.key}" leads when it is done.`,
    help: `Write where: \`${scope.report.spell({ next: 'STEP' })}\` (a step or an end), or what can come of it: \`${scope.report.spell({ options: { OPTION: 'STEP', '…': '…' } })}\`.`,
  })
}
