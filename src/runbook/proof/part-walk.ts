/** The walk through one part of a level, by its plan. */
import type { Layout } from './layout.ts'
import type { Level } from './levels.ts'
import type { Leading, PartPlan, PlannedLevel, PlannedWay, Port } from './part-plan.ts'
import { pays } from './tallies.ts'
import {
  addMove,
  addState,
  createWalk,
  type GraphWalk,
  type Search,
  type Summary,
  summaryFrom,
} from './walk.ts'

export interface PartWalk {
  readonly plan: PartPlan
  readonly walk: GraphWalk
  enter(node: number, code: number): Summary | null
  /** Outcome → the port it leaves by, and the tallies it leaves with. */
  readonly left: readonly { readonly port: Port; readonly code: number }[]
}

/** A level inside the part, as far as the part must know it. */
export interface InnerWalk {
  /** By a code of the tallies that are carried into it. */
  readonly enter: (node: number, code: number) => Summary | null
  /** Outcome → the node outside it leads to, or nowhere, and what is carried out. */
  readonly left: readonly { readonly to: number; readonly code: number }[]
}

export function createPartWalk(
  plan: PartPlan,
  search: Search,
  walkOf: (level: Level) => InnerWalk,
): PartWalk {
  const { members, memberOf, layouts, steps } = plan
  const states = createIndex(layouts)
  /** State → its member and its code. */
  const at: number[] = []
  const codes: number[] = []
  const left: { port: Port; code: number }[] = []

  const stateOf = (member: number, code: number): number => {
    const known = states.get(member, code)
    if (known !== undefined) return known
    const state = addState(walk, members[member]!)
    states.set(member, code, state)
    at.push(member)
    codes.push(code)
    return state
  }

  const outcomeOf = (port: Port, code: number): number => {
    const known = port.outcomes.get(code)
    if (known !== undefined) return known
    port.outcomes.set(code, left.length)
    return left.push({ port, code }) - 1
  }

  const targetOf = (leads: Leading, code: number, second: number): number => {
    leads.isTaken = true
    const next = leads.transfer(code, second)
    return typeof leads.to === 'number' ? stateOf(leads.to, next) : ~outcomeOf(leads.to, next)
  }

  const passThrough = (state: number, { level, enter, leads }: PlannedLevel): boolean => {
    const inner = walkOf(level)
    const code = codes[state]!
    const summary = inner.enter(walk.nodes[state]!, enter(code, 0))
    if (summary === null) return false
    walk.through[state] = summary
    for (const outcome of summary.outcomes) {
      const { to, code: given } = inner.left[outcome]!
      walk.to.push(targetOf(leads.get(to)!, given, code))
    }
    return true
  }

  const walk = createWalk((state) => {
    const step = steps[at[state]!]!
    if (step.kind === 'level') return passThrough(state, step)
    const code = codes[state]!
    for (const way of step.ways) addMove(walk, state, targetOf(takenFrom(way, code), code, 0))
    return true
  })

  return {
    plan,
    walk,
    enter: (node, code) => {
      if (states.isTooLarge || plan.mostCodes > Number.MAX_SAFE_INTEGER) search.isTooLarge = true
      return search.isTooLarge ? null : summaryFrom(walk, stateOf(memberOf.get(node)!, code), search)
    },
    left,
  }
}

function takenFrom({ arms, rest }: PlannedWay, code: number): Leading {
  for (const { bound, value, leads } of arms) if (bound === null || pays(bound, value(code, 0))) return leads
  return rest!
}

interface Index {
  readonly isTooLarge: boolean
  get(member: number, code: number): number | undefined
  set(member: number, code: number, state: number): void
}

/** Up to so many possible states, they are found in a table. */
const MOST_IN_TABLE = 1 << 20

function createIndex(layouts: readonly Layout[]): Index {
  let size = 0
  const base = layouts.map((layout) => {
    size += layout.size
    return size - layout.size
  })
  if (size > MOST_IN_TABLE) {
    const states = new Map<number, number>()
    return {
      isTooLarge: size > Number.MAX_SAFE_INTEGER,
      get: (member, code) => states.get(base[member]! + code),
      set: (member, code, state) => states.set(base[member]! + code, state),
    }
  }
  // One more than the state, so that nothing is 0.
  const states = new Int32Array(size)
  return {
    isTooLarge: false,
    get: (member, code) => {
      const found = states[base[member]! + code]!
      return found === 0 ? undefined : found - 1
    },
    set: (member, code, state) => {
      states[base[member]! + code] = state + 1
    },
  }
}
