/** Routes: `target`, or `{ to, max | spend, then }`, as deep as `then` goes, laid out as a ledger of arms. */

import { didYouMean, nearest } from '../../model/nearest.ts'
import { own } from '../../model/own.ts'
import { scopeOf } from '../../model/program.ts'
import type { Arm, Bound, Origin, Route, Target } from '../../model/route.ts'
import { isName } from '../language/bad-name.ts'
import { brief } from '../language/shape.ts'
import { booleanOf, childOf, numberOf, type Tree, textOf } from '../tree.ts'
import { type Scope, spotOf } from './scope.ts'

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
      help: `Write \`${scope.report.spell({ to: 'STEP' })}\`, with a step or an end. Steps here: ${[...scope.steps].slice(0, 12).join(', ')}.`,
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
      help: `Write \`${scope.report.spell({ then: 'STEP' })}\`, with a step or an end.`,
    })
    arms.push({ to: HOLE, bound: null })
  } else if (bound === null && then !== undefined && childOf(tree, 'spend') === undefined) {
    scope.report.add({
      code: 'then-never-taken',
      severity: 'warning',
      ...spotOf(then),
      message: `This \`then\` is never taken: nothing bounds the way to "${textOf(to) ?? ''}".`,
      help: `Add \`${scope.report.spell({ max: 3 })}\` or \`${scope.report.spell({ spend: 'BUDGET' })}\`, or remove \`then\`.`,
    })
  } else if (then !== undefined) collect(scope, then, out, arms)
}

/** Stands where a target could not be understood: it was reported, and counts as an end so nothing else is blamed. */
export const HOLE: Target = { kind: 'end', end: 'abandoned' }

function boundOf(scope: Scope, tree: Tree, out: Outgoing, index: number): Bound | null {
  refuseStrayKeys(scope, tree)
  const max = childOf(tree, 'max')
  const spend = childOf(tree, 'spend')
  const count = childOf(tree, 'count')
  if (spend !== undefined) return spending(scope, spend, tree, out)
  if (count !== undefined) return counting(scope, count)
  if (max === undefined) return null
  const counter = `${out.step}.${out.outcome}.${index}`
  restartAt(scope, childOf(tree, 'per'), counter)
  // A bound that could not be read was told already; it is a bound all the same.
  return { kind: 'max', counter, times: numberOf(max) ?? 1 }
}

const BOUNDS = ['max', 'count', 'spend'] as const

/** Two bounds on one route, or what only means something beside another bound. */
function refuseStrayKeys(scope: Scope, tree: Tree): void {
  const given = BOUNDS.filter((key) => childOf(tree, key) !== undefined)
  const [first, second] = given
  if (first !== undefined && second !== undefined)
    scope.report.add({
      code: 'two-bounds',
      ...spotOf(childOf(tree, second)!),
      message:
        second === 'spend'
          ? `\`${first}\` and \`spend\` stand on one route, and spending would restart \`${first}\` each time.`
          : '`max` and `count` stand on one route, and only one of them can bound it.',
      help:
        second === 'spend'
          ? `Keep one. For "first three times, then at the cost of a budget" write \`${scope.report.spell({ [first]: first === 'max' ? 3 : 'NAME', then: { to: '…', spend: '…', then: '…' } })}\`.`
          : 'Keep one: `max` counts this route alone, `count` names a counter that others share.',
    })
  const stray = (key: string, beside: string, help: string): void => {
    const found = childOf(tree, key)
    if (found === undefined || given.includes(beside as (typeof BOUNDS)[number])) return
    scope.report.add({
      code: 'wrong-kind',
      ...spotOf(found),
      message: `\`${key}\` means nothing on a route without \`${beside}\`.`,
      help,
    })
  }
  stray('per', 'max', 'Write `max` beside it; of a shared counter it is said where `counters` declares it.')
  stray(
    'forget',
    'spend',
    'Only a route that spends a budget begins a new pass. Write `spend`, or remove it.',
  )
  const forget = childOf(tree, 'forget')
  if (forget !== undefined && given.includes('spend') && textOf(childOf(tree, 'to')) === 'ask')
    scope.report.add({
      code: 'wrong-kind',
      ...spotOf(forget),
      message:
        '`forget` means nothing on a route to `ask`: the step is not left until a person has answered.',
      help: 'Remove it, or write it on the routes of the answers that a person can give.',
    })
}

function spending(scope: Scope, tree: Tree, route: Tree, out: Outgoing): Bound | null {
  const budget = textOf(tree)
  if (budget === undefined) return null
  if (!scope.budgets.has(budget)) unknownBudget(scope, tree, budget)
  const forgets = booleanOf(childOf(route, 'forget')) === true
  const bound = { kind: 'spend', budget, pass: scopeOf(out.step) } as const
  return forgets ? { ...bound, forgets } : bound
}

function counting(scope: Scope, tree: Tree): Bound | null {
  const name = textOf(tree)
  if (name === undefined) return null
  const counter = own(scope.counters, name)
  if (counter === undefined)
    scope.report.add({
      code: 'unknown-counter',
      ...spotOf(tree),
      message: `There is no counter "${brief(name)}".`,
      help:
        didYouMean(name, Object.keys(scope.counters)) ??
        `Declare how often its routes may be taken: ${scope.report.spell({ counters: { [brief(name)]: 3 } })}.`,
    })
  return { kind: 'max', counter: name, times: counter?.times ?? 1 }
}

/** The counter starts again when its step is entered by a route that does not count it. */
export function restartAt(scope: Scope, tree: Tree | undefined, counter: string): void {
  const step = textOf(tree)
  if (tree === undefined || step === undefined) return
  if (!scope.steps.has(step))
    scope.report.add({
      code: 'unknown-target',
      ...spotOf(tree),
      message: `There is no step "${brief(step)}" whose entry could start a count again.`,
      help: didYouMean(step, scope.steps),
    })
  else scope.restarts.set(step, (scope.restarts.get(step) ?? new Set()).add(counter))
}

function unknownBudget(scope: Scope, tree: Tree, budget: string): void {
  const near = nearest(budget, scope.budgets)
  const declaration = `\`${scope.report.spell({ budgets: { [isName(budget) ? budget : 'NAME']: 1 } })}\``
  scope.report.add({
    code: 'unknown-budget',
    ...spotOf(tree),
    message: `There is no budget "${brief(budget)}".`,
    help:
      near === undefined
        ? `Declare it: ${declaration}, with how often it may be spent in a run.`
        : `Did you mean "${near}"? Otherwise declare it: ${declaration}.`,
  })
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
