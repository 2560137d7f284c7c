/** Random routes: on for nothing, back at a price, chains of both, and a person who is asked. */
import type { Chance } from '../chaos/chance.fixture.ts'

export type Json = Readonly<Record<string, unknown>>

/** Where a step stands among the others of its flow. */
export interface Spot {
  readonly chance: Chance
  readonly names: readonly string[]
  readonly index: number
  /** The first step it may lead back to. */
  readonly earliest: number
  /** The steps that begin without an agent: checks and decisions. */
  readonly calm: readonly string[]
}

/** The next step, or an end: what makes every step reachable. */
export const onwards = ({ names, index }: Spot): string => names[index + 1] ?? 'done'

export function free({ chance, names, index }: Spot): string {
  return chance.pick([...names.slice(index + 1), ...ENDS])
}

const ENDS = ['done', 'abandoned', 'shelved']

const back = ({ chance, names, index, earliest }: Spot): string =>
  chance.pick([...names.slice(earliest, index + 1), 'retry'])

/** Any route; an author may also leave it to a person. */
export function route(spot: Spot): Json {
  const { chance } = spot
  if (chance.happens(0.08)) return { to: 'ask' }
  if (chance.happens(0.35)) return { to: free(spot) }
  return bounded(spot)
}

export function bounded(spot: Spot): Json {
  const { chance } = spot
  const then = chance.happens(0.12) ? 'ask' : free(spot)
  return chance.pick<() => Json>([
    () => ({ to: back(spot), max: 1, then }),
    () => ({ to: back(spot), max: 2, then }),
    () => ({ to: back(spot), count: 'c', then }),
    () => ({ to: back(spot), count: 'c', then }),
    () => ({ to: back(spot), count: 'c', then }),
    () => ({ to: back(spot), count: chance.pick(['c', 'd']), then }),
    () => perEntry(spot, then),
    () => ({ to: back(spot), spend: 'rework', then }),
    () => ({ to: back(spot), spend: 'rework', forget: true, then }),
    () => ({ to: back(spot), max: 1, then: { to: back(spot), spend: 'rework', then } }),
    () => ({ to: back(spot), spend: 'rework', then: { to: back(spot), max: 1, then } }),
    () => ({ to: back(spot), spend: 'interventions', then }),
    () => ({ to: free(spot), max: 1, then }),
    () => ({ to: 'ask', max: 1, then: free(spot) }),
  ])()
}

/** Rounds of a loop that are counted anew for each entry into it. */
function perEntry(spot: Spot, then: string): Json {
  const first = spot.chance.pick(spot.names.slice(spot.earliest, spot.index + 1))
  return { to: first, max: 1, per: first, then }
}

/** Routes of a few of these faults, and sometimes of all others. */
export function faultRoutes(spot: Spot, faults: readonly string[], probability = 0.35): Json {
  const { chance } = spot
  const routed = chance.happens(0.2) ? [...faults, 'else'] : faults
  const chosen = routed.filter(() => chance.happens(probability))
  const routes = Object.fromEntries(
    chosen.map((fault) => [fault, fault === 'over_budget' ? withoutMeans(spot) : route(spot)]),
  )
  // No agent begins once the limit is used up, so `else` should not speak of that.
  return 'else' in routes && faults.includes('over_budget')
    ? { over_budget: withoutMeans(spot), ...routes }
    : routes
}

/** Where a used-up limit may lead: to no agent. */
function withoutMeans({ chance, names, index, calm }: Spot): Json {
  const end = chance.pick(ENDS)
  const before = calm.filter((name) => names.indexOf(name) <= index)
  const later = calm.filter((name) => names.indexOf(name) > index)
  return chance.pick<Json>([
    { to: end },
    { to: 'ask' },
    { to: 'ask', max: 1, then: end },
    ...later.map((to) => ({ to })),
    ...before.map((to) => ({ to, max: 1, then: end })),
    ...before.map((to) => ({ to, count: 'c', then: end })),
  ])
}
