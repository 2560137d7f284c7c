/** Routes: `target`, or `{ to, max | spend, then }`, as deep as `then` goes, laid out as a ledger of arms. */

import { didYouMean } from '../../model/nearest.ts'
import { scopeOf } from '../../model/program.ts'
import type { Arm, Bound, Origin, Route, Target } from '../../model/route.ts'
import { brief } from '../shape.ts'
import { childOf, numberOf, type Tree, textOf } from '../tree.ts'
import { type Scope, spotOf, unknown } from './scope.ts'

export interface Outgoing {
  readonly step: string
  readonly outcome: string
  readonly origin: Origin
}

export function routeOf(scope: Scope, tree: Tree, out: Outgoing): Route {
  const arms: Arm[] = []
  scope.spots.set(routeSpot(out.step, out.outcome), spotOf(tree))
  collect(scope, tree, out, arms)
  return { arms, origin: out.origin }
}

export const routeSpot = (step: string, outcome: string): string => `route ${step} ${outcome}`
export const armSpot = (step: string, outcome: string, index: number): string =>
  `arm ${step} ${outcome} ${index}`

function collect(scope: Scope, tree: Tree, out: Outgoing, arms: Arm[]): void {
  scope.spots.set(armSpot(out.step, out.outcome, arms.length), spotOf(tree))
  if (tree.kind !== 'map') {
    arms.push({ to: targetOf(scope, tree, out), bound: null })
    return
  }
  const to = childOf(tree, 'to')
  const then = childOf(tree, 'then')
  const bound = boundOf(scope, tree, out, arms.length)
  if (to === undefined) {
    scope.report.add({
      code: 'option-without-target',
      ...spotOf(tree),
      message: `Nobody says where "${out.outcome}" leads.`,
      help: `Write \`to:\` with a step or an end. Steps here: ${[...scope.steps].slice(0, 12).join(', ')}.`,
    })
    arms.push({ to: HOLE, bound: null })
    return
  }
  arms.push({ to: targetOf(scope, to, out), bound })
  if (bound !== null && then === undefined) {
    scope.report.add({
      code: 'missing-then',
      ...spotOf(tree),
      message: `"${out.outcome}" is bounded, but nobody says where it leads ${bound.kind === 'max' ? `after ${bound.times} ${bound.times === 1 ? 'time' : 'times'}` : `when the budget "${bound.budget}" is gone`}.`,
      help: 'Write `then:` with a step or an end.',
    })
    arms.push({ to: HOLE, bound: null })
  } else if (bound === null && then !== undefined) {
    scope.report.add({
      code: 'then-never-taken',
      severity: 'warning',
      ...spotOf(then),
      message: `This \`then\` is never taken: nothing bounds the way to "${textOf(to) ?? ''}".`,
      help: 'Add `max:` or `spend:`, or remove `then`.',
    })
  } else if (then !== undefined) collect(scope, then, out, arms)
}

/** Stands where a target could not be understood: it was reported, and counts as an end so nothing else is blamed. */
export const HOLE: Target = { kind: 'end', end: 'abandoned' }

function boundOf(scope: Scope, tree: Tree, out: Outgoing, index: number): Bound | null {
  const maxTree = childOf(tree, 'max')
  // A bound that could not be read was told already; it is a bound all the same.
  const max = maxTree === undefined ? undefined : (numberOf(maxTree) ?? 1)
  const spendTree = childOf(tree, 'spend')
  const spend = textOf(spendTree)
  if (max !== undefined && spendTree !== undefined)
    scope.report.add({
      code: 'two-bounds',
      ...spotOf(spendTree),
      message: '`max` and `spend` stand on one route, and spending would restart `max` each time.',
      help: 'Keep one. For "first three times, then at the cost of a budget" write `max: 3, then: { to: …, spend: … }`.',
    })
  if (spendTree !== undefined && spend !== undefined) {
    if (!scope.budgets.has(spend)) unknown(scope, 'unknown-budget', spendTree, 'budget', spend, scope.budgets)
    return { kind: 'spend', budget: spend, pass: scopeOf(out.step) }
  }
  if (max !== undefined) return { kind: 'max', counter: `${out.step}.${out.outcome}.${index}`, times: max }
  return null
}

function targetOf(scope: Scope, tree: Tree, out: Pick<Outgoing, 'step'>): Target {
  const name = textOf(tree)
  if (name === undefined) return HOLE
  if (name === 'ask') return { kind: 'ask' }
  if (name === 'retry') return { kind: 'step', step: out.step }
  if (scope.steps.has(name)) return { kind: 'step', step: name }
  if (scope.ends.has(name)) return { kind: 'end', end: name }
  scope.report.add({
    code: 'unknown-target',
    ...spotOf(tree),
    message: `There is no step or end "${brief(name)}".`,
    help: didYouMean(name, [...scope.steps, ...scope.ends]),
  })
  return HOLE
}
