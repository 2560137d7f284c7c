/** What steps of several kinds are written of: gates, faults, options, and who works at them. */
import type { Chance } from '../chaos/chance.fixture.ts'
import { faultRoutes, free, type Json, onwards, route, type Spot } from './write-routes.ts'

export type Flow = Spot

export const AGENTS = ['x', 'y', 'z']
export const AGENT_FAULTS = ['invalid', 'failed', 'stalled', 'timed_out', 'out_of_bounds', 'over_budget']

/** The keys of an agent's work, two at most. */
export function work(flow: Flow, outcomes: readonly string[]): Json {
  const { chance } = flow
  const keys = (): Json =>
    chance.pick<Json>([
      {},
      {},
      { gate: gate(chance) },
      { gate: { ...gate(chance), for: [chance.pick(outcomes)] } },
      { on_signal: chance.pick(['done', 'escalate', 'fail']) },
      { on_signal: { action: 'gate', ...gate(chance) } },
      { nudges: 1 },
      { questions: chance.pick([1, 1, 2]) },
      { check_in: chance.pick<unknown>([true, { blocks: 2, cool_down: '5m' }]) },
      { time: '10m' },
    ])
  const both = { ...keys(), ...keys() }
  const { gate: _one, ...rest } = both
  return { ...('on_signal' in both ? rest : both), ...on(flow, AGENT_FAULTS) }
}

/** Mostly one that nobody tries before, or every runbook would begin with that. */
export function gate(chance: Chance): Json {
  const expect = chance.pick(['none', 'none', 'none', 'none', 'pass', 'fail', 'either', ''])
  return { run: 'make', max: chance.pick([0, 1]), ...(expect === '' ? {} : { expect }) }
}

export function on(spot: Flow, faults: readonly string[]): Json {
  const routes = faultRoutes(spot, faults)
  return Object.keys(routes).length === 0 ? {} : { on: routes }
}

/** Two or three answers, the first of which leads on. */
export function options(spot: Flow, confirms: boolean): Record<string, Json> {
  const { chance } = spot
  const confirm = (): Json => (confirms && chance.happens(0.2) ? { confirm: true } : {})
  return {
    yes: { to: onwards(spot), ...confirm() },
    no: { ...route(spot), ...confirm() },
    ...(chance.happens(0.25) ? { other: { ...route(spot), ...confirm() } } : {}),
  }
}

export const agent = ({ chance }: Flow): string => chance.pick(AGENTS)

/** A loop that can settle, paid by a `max`, by a budget, or by one after the other. */
const loop = (flow: Flow): Json =>
  flow.chance.pick<() => Json>([
    () => ({ to: 'retry', max: 1, then: free(flow) }),
    () => ({ to: 'retry', max: 1, then: free(flow) }),
    () => ({ to: flow.names[flow.earliest]!, max: 1, then: free(flow) }),
    () => ({ to: 'retry', count: 'c', then: free(flow) }),
    () => ({ to: 'retry', max: 1, then: { to: 'retry', spend: 'rework', then: free(flow) } }),
    () => ({
      to: 'retry',
      count: 'c',
      then: { to: 'retry', spend: 'rework', forget: true, then: free(flow) },
    }),
    // No run comes here twice, so only a settled round goes the other way.
    () => ({ to: free(flow), max: 1, then: free(flow) }),
    () => ({ to: free(flow), max: 1, then: { to: 'retry', max: 1, then: free(flow) } }),
  ])()

export const settling = (flow: Flow): Json => ({
  options: {
    yes: { to: onwards(flow) },
    no: { ...loop(flow), ...(flow.chance.happens(0.12) ? { confirm: true } : {}) },
    // What a budget pays for is no round of the loop.
    ...(flow.chance.happens(0.25)
      ? { replan: { to: 'retry', spend: 'rework', forget: flow.chance.happens(0.5), then: free(flow) } }
      : {}),
  },
  fields: { found: { type: 'findings' } },
  settle_on: 'found',
})

/** With the loop as the only answer, which is the one of a panel where nobody's word counts. */
export const settlingAtOnce = (flow: Flow): Json => ({
  options: { no: { to: 'retry', max: 1, then: onwards(flow) } },
  fields: { found: { type: 'findings' } },
  settle_on: 'found',
})

/** Routes by the values of one field: all of them named, or the others by `else`. */
export function byValue(flow: Flow, [first = '', ...others]: readonly string[]): Json {
  const { chance } = flow
  const isNamed = chance.happens(0.5)
  return {
    [first]: { to: onwards(flow) },
    ...(isNamed ? Object.fromEntries(others.map((value) => [value, route(flow)])) : { else: route(flow) }),
  }
}

export const membersOf = (chance: Chance, size: number): unknown[] =>
  AGENTS.slice(0, size).map((name, index) =>
    index > 0 && chance.happens(0.4) ? { agent: name, advisory: true } : name,
  )
