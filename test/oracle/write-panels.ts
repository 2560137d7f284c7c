/** Random panels. */
import {
  AGENT_FAULTS,
  AGENTS,
  type Flow,
  membersOf,
  on,
  options,
  settling,
  settlingAtOnce,
  work,
} from './write-parts.ts'
import type { Json } from './write-routes.ts'

export function settlingPanel(flow: Flow): Json {
  const { chance } = flow
  const size = chance.pick([1, 2, 2])
  return { panel: membersOf(chance, size), ...settling(flow), ...on(flow, ['invalid', 'failed', 'stalled']) }
}

export function panel(flow: Flow): Json {
  const { chance } = flow
  const answers = options(flow, true)
  return {
    panel: membersOf(chance, chance.pick([1, 2, 2])),
    options: answers,
    ...work(flow, Object.keys(answers)),
  }
}

export function largePanel(flow: Flow): Json {
  const { yes, no } = options(flow, true)
  return { panel: membersOf(flow.chance, 3), options: { yes, no }, ...on(flow, AGENT_FAULTS) }
}

/** A panel in which nobody's word counts. */
export function advisers(flow: Flow): Json {
  const { chance } = flow
  const members = AGENTS.slice(0, chance.pick([1, 2])).map((name) => ({ agent: name, advisory: true }))
  // Nobody's findings count there, so it could only settle at once: to be refused.
  return chance.happens(0.2)
    ? { panel: members, ...settlingAtOnce(flow) }
    : { panel: members, options: options(flow, true) }
}
