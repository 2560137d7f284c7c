/** What completes a step of any kind: a route for every fault, and for a missing `next` a word about it. */
import { DONE } from '../../model/contract.ts'
import { FAULTS, type Fault } from '../../model/fault.ts'
import { list } from '../../model/nearest.ts'
import type { Route } from '../../model/route.ts'
import { childOf, type Entry, entriesOf, textOf } from '../tree.ts'
import type { Asked } from './contracts.ts'
import { HOLE, routeOf } from './routes.ts'
import type { Scope } from './scope.ts'

/** Completes a step: each fault by the step's own `on:`, else the flow's, else a person is asked. */
export function finished(scope: Scope, entry: Entry, { contract, routes }: Asked, faults: readonly Fault[]) {
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

export function missingNext(scope: Scope, entry: Entry, routes: Record<string, Route>): void {
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
