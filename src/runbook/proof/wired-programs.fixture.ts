/**
 * Random programs for the exploration, wired without any regard for sense: flows in flows in flows, ways back with and
 * without a bound, counters that several arms share or that start again on entering a step, several budgets, a limit of
 * the run, questions to people from anywhere. Only what routing looks at is filled in.
 */
import fc from 'fast-check'
import type { Program, Step } from '../../model/program.ts'
import { type Arm, type Bound, RETRY, type Route, STOP, type Target } from '../../model/route.ts'

type Numbers = () => number

/** Each number decides one thing; when they are used up, everything is as simple as can be. */
export const wiredProgram: fc.Arbitrary<Program> = fc
  .array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400 })
  .map((numbers) => {
    let at = 0
    return wired(() => numbers[at++] ?? 0)
  })

function wired(next: Numbers): Program {
  const steps: Record<string, Step> = {}
  const budgets: Record<string, number> = { interventions: next() % 3 }
  const restarts: Record<string, string[]> = {}
  const isLimited = next() % 4 === 3
  flow({ next, steps, budgets, restarts, isLimited }, '', 1 + (next() % 3))
  return {
    name: 'wired',
    limits: { costUsd: isLimited ? 1 : null, tokens: null },
    budgets,
    restarts,
    agents: {},
    start: 'a',
    steps,
    ends: { good: {}, bad: {} },
  } as unknown as Program
}

interface Making {
  readonly next: Numbers
  readonly steps: Record<string, Step>
  readonly budgets: Record<string, number>
  readonly restarts: Record<string, string[]>
  readonly isLimited: boolean
}

function flow(making: Making, scope: string, deepest: number): void {
  const { next, steps, budgets, restarts, isLimited } = making
  for (const budget of ['one', 'two'].slice(0, next() % 3)) budgets[scope + budget] = next() % 3
  const names = ['a', 'b', 'c', 'd'].slice(0, 1 + (next() % 4))
  for (const [index, name] of names.entries()) {
    const isFlow = deepest > 0 && next() % 3 === 0
    const full = scope + name
    if (next() % 6 === 5) restarts[full] = [`${scope}shared`, `${scope}${names.at(-1)}.yes.0`]
    const target = (way: number): Target => {
      const later = [...names.slice(index + 1), 'good', 'bad']
      const any = [...names, 'good', 'bad']
      const chosen = way % 12 === 11 ? any[next() % any.length]! : later[next() % later.length]!
      return leading(scope, names, chosen)
    }
    const route = (outcome: string): Route => {
      const arms: Arm[] = []
      for (let more = next() % 4; more > 1; more--)
        arms.push({
          to: leading(scope, names, names[next() % names.length]!),
          bound: bound(making, scope, `${full}.${outcome}.${arms.length}`),
        })
      return { arms: [...arms, { to: target(next()), bound: null }], origin: 'step' }
    }
    const ask: Route = { arms: [{ to: { kind: 'ask' }, bound: null }], origin: 'built-in' }
    const base = { name: full, faults: [] as string[], settleOn: next() % 4 === 0 ? 'found' : null }
    const outcomes = isFlow ? ['good', 'bad'] : ['yes', 'no', 'maybe'].slice(0, 1 + (next() % 3))
    const routes: Record<string, Route> = Object.fromEntries(outcomes.map((one) => [one, route(one)]))
    const contract = {
      variables: [{ name: 'v', options: outcomes.map((value) => ({ value })) }],
      rows: [],
      fields: [],
      handoff: null,
    }
    if (isFlow) {
      steps[full] = { ...base, kind: 'flow', contract, routes, entry: `${full}/a` } as unknown as Step
      flow(making, `${full}/`, deepest - 1)
      continue
    }
    const fault = next() % 3
    if (fault > 0) {
      base.faults.push('failed')
      routes['failed'] = fault === 1 ? ask : route('failed')
      const retry: Bound = { kind: 'spend', budget: 'interventions', pass: null }
      const abandoned: Arm = { to: { kind: 'end', end: 'bad' }, bound: null }
      if (isLimited) {
        base.faults.push('over_budget')
        routes['over_budget'] = route('over_budget')
      }
      if (fault === 1) {
        routes[RETRY] = {
          arms: [{ to: { kind: 'step', step: full }, bound: retry }, abandoned],
          origin: 'built-in',
        }
        routes[STOP] = { arms: [abandoned], origin: 'built-in' }
      }
    }
    const member = { agent: 'x', advisory: false, signal: 'done', nudges: next() % 3, questions: next() % 2 }
    steps[full] = { ...base, kind: 'agent', contract, routes, members: [member] } as unknown as Step
  }
}

function leading(scope: string, names: readonly string[], chosen: string): Target {
  if (names.includes(chosen)) return { kind: 'step', step: scope + chosen }
  return scope === ''
    ? { kind: 'end', end: chosen }
    : { kind: 'leave', flow: scope.slice(0, -1), end: chosen }
}

function bound({ next, budgets }: Making, scope: string, counter: string): Bound {
  const own = Object.keys(budgets).filter(
    (budget) => budget.startsWith(scope) && !budget.includes('/', scope.length),
  )
  switch (next() % 4) {
    case 0:
      return { kind: 'max', counter: `${scope}shared`, times: 2 }
    case 1:
      return {
        kind: 'spend',
        budget: own[next() % own.length] ?? 'interventions',
        pass: next() % 4 === 0 ? null : scope,
      }
    default:
      return { kind: 'max', counter, times: 1 + (next() % 2) }
  }
}

/** The program as a flow inside another, with a bounded way back into it; its contracts are the same objects. */
export function wrapped(program: Program): Program {
  const inside = (name: string): string => `w/${name}`
  const bound = (one: Bound): Bound =>
    one.kind === 'max'
      ? { ...one, counter: inside(one.counter) }
      : {
          ...one,
          budget: one.budget === 'interventions' ? one.budget : inside(one.budget),
          pass: one.pass === null ? null : inside(one.pass),
        }
  const target = (to: Target, outcome: string): Target => {
    switch (to.kind) {
      case 'step':
        return { kind: 'step', step: inside(to.step) }
      case 'leave':
        return { ...to, flow: inside(to.flow) }
      case 'end':
        return outcome.startsWith('@') ? to : { kind: 'leave', flow: 'w', end: to.end }
      case 'ask':
        return to
    }
  }
  const step = (one: Step): Step => ({
    ...one,
    name: inside(one.name),
    ...(one.kind === 'flow' ? { entry: inside(one.entry) } : {}),
    routes: Object.fromEntries(
      Object.entries(one.routes).map(([outcome, route]) => [
        outcome,
        {
          ...route,
          arms: route.arms.map((arm) => ({
            to: target(arm.to, outcome),
            bound: arm.bound === null ? null : bound(arm.bound),
          })),
        },
      ]),
    ),
  })
  const again: Arm = { to: { kind: 'step', step: 'w' }, bound: { kind: 'max', counter: 'w.bad.0', times: 1 } }
  const end = (name: string): Arm => ({ to: { kind: 'end', end: name }, bound: null })
  const around = {
    kind: 'flow',
    name: 'w',
    faults: [],
    settleOn: null,
    entry: inside(program.start),
    contract: {
      variables: [{ name: 'end', options: [{ value: 'good' }, { value: 'bad' }] }],
      rows: [],
      fields: [],
      handoff: null,
    },
    routes: {
      good: { arms: [end('good')], origin: 'step' },
      bad: { arms: [again, end('bad')], origin: 'step' },
    },
  } as unknown as Step
  const { interventions = 0, ...budgets } = program.budgets
  return {
    ...program,
    start: 'w',
    restarts: Object.fromEntries(
      Object.entries(program.restarts ?? {}).map(([name, some]) => [inside(name), some.map(inside)]),
    ),
    budgets: {
      interventions: interventions + 1,
      ...Object.fromEntries(Object.entries(budgets).map(([name, amount]) => [inside(name), amount])),
    },
    steps: {
      w: around,
      ...Object.fromEntries(Object.values(program.steps).map((one) => [inside(one.name), step(one)])),
    },
  }
}
