/**
 * How to walk through one part of a level. Only those tallies are tracked that decide where its own ways lead inside
 * of it. An arm that leaves it, or begins a new pass, is a port: outside, where all tallies are known, it is seen
 * which arm of it can be paid.
 */
import type { Bound } from '../../model/route.ts'
import type { LevelTallies } from './carried.ts'
import {
  type Layout,
  layoutOf,
  NO_CHANGE,
  readerOf,
  type TallyChange,
  type Transfer,
  transferTo,
} from './layout.ts'
import type { Level, Levels, Way, WayArm } from './levels.ts'
import { type LevelPart, type LevelParts, matteringAt, restartsText } from './parts.ts'
import type { Tallies } from './tallies.ts'

export interface PartPlan {
  readonly members: readonly number[]
  readonly memberOf: ReadonlyMap<number, number>
  /** Member → the tallies its states are told apart by. */
  readonly layouts: readonly Layout[]
  readonly steps: readonly (PlannedNode | PlannedLevel)[]
  /** The most codes that any of its layouts has. */
  readonly mostCodes: number
}

export interface PlannedNode {
  readonly kind: 'node'
  readonly ways: readonly PlannedWay[]
}

/** A whole level is entered here. */
export interface PlannedLevel {
  readonly kind: 'level'
  readonly level: Level
  /** The tallies that it is given. */
  readonly enter: Transfer
  /** The node it leads to → what that is here. The transfer takes what the level gives back, and the state before. */
  readonly leads: ReadonlyMap<number, Leading>
}

/** The first arm that can be paid, else the port. */
export interface PlannedWay {
  readonly arms: readonly {
    readonly bound: Bound | null
    readonly value: Transfer
    readonly leads: Leading
  }[]
  readonly rest: Leading | null
}

export interface Leading {
  /** A member of the part, or where it leaves it. */
  readonly to: number | Port
  readonly transfer: Transfer
  /** The arm that is certainly taken by going here. */
  readonly arm: WayArm | null
  isTaken: boolean
}

export interface Port {
  readonly arms: readonly PortArm[]
  readonly layout: Layout
  /** Code → outcome of the part. */
  readonly outcomes: Map<number, number>
}

export interface PortArm {
  readonly to: number
  /** Null where a level inside the part has led here. */
  readonly arm: WayArm | null
}

/** Where nothing leads on. */
export const NOWHERE = -1

export function planPart(
  levels: Levels,
  all: ReadonlyMap<Level, LevelTallies>,
  within: LevelParts,
  part: LevelPart,
): PartPlan {
  const { tallies, ways } = levels
  const { level, mattering } = within
  const isInside = ({ arm, beginsPass }: WayArm) => !beginsPass && part.members.has(arm.to)
  const tracked = trackedIn(levels, all, within, part, isInside)
  const members = [...part.members]
  const layouts = members.map((node) =>
    layoutOf(
      mattering.get(node)!.filter((tally) => tracked.has(tally)),
      tallies,
    ),
  )
  const memberOf = new Map(members.map((node, member) => [node, member]))
  const sizes = layouts.map(({ size }) => size)
  const portFor = createPorts(levels, within, tracked)

  const inside = (from: Sources, to: number, arm: WayArm | null): Leading => {
    const change = arm === null ? NO_CHANGE : changeBy(tallies, arm)
    return { to, transfer: transferTo(layouts[to]!, from, change, tallies), arm, isTaken: false }
  }
  const outside = (from: Sources, arms: readonly PortArm[]): Leading => {
    const port = portFor(arms)
    sizes.push(port.layout.size)
    const only = arms.length === 1 ? arms[0]!.arm : null
    return {
      to: port,
      transfer: transferTo(port.layout, from, NO_CHANGE, tallies),
      arm: only,
      isTaken: false,
    }
  }
  const leaves = (arm: WayArm): PortArm => ({ to: arm.arm.to, arm })

  const planWay = (from: Sources, { arms }: Way): PlannedWay => {
    const decided = arms.findLastIndex(isInside) + 1
    return {
      arms: arms.slice(0, decided).map((arm) => ({
        bound: arm.arm.bound,
        value: readerOf(arm.tally, from, tallies),
        leads: isInside(arm) ? inside(from, memberOf.get(arm.arm.to)!, arm) : outside(from, [leaves(arm)]),
      })),
      rest: decided === arms.length ? null : outside(from, arms.slice(decided).map(leaves)),
    }
  }

  const planLevel = (inner: Level, layout: Layout): PlannedLevel => {
    const carried = layoutOf(all.get(inner)!.carried, tallies)
    const from: Sources = [carried, layout]
    return {
      kind: 'level',
      level: inner,
      enter: transferTo(carried, [layout], NO_CHANGE, tallies),
      leads: new Map([
        ...[...inner.exits].map((to) => {
          const member = memberOf.get(to)
          return [
            to,
            member === undefined ? outside(from, [{ to, arm: null }]) : inside(from, member, null),
          ] as const
        }),
        [NOWHERE, outside(from, [])] as const,
      ]),
    }
  }

  const planNode = (node: number, layout: Layout): PlannedNode => {
    const some = ways[node]!
    return {
      kind: 'node',
      ways:
        some.length === 0
          ? [{ arms: [], rest: outside([layout], []) }]
          : some.map((way) => planWay([layout], way)),
    }
  }

  const steps = members.map((node, member) => {
    const inner = level.inner.get(node)
    return inner === undefined ? planNode(node, layouts[member]!) : planLevel(inner, layouts[member]!)
  })
  return {
    members,
    memberOf,
    layouts,
    steps,
    mostCodes: sizes.reduce((most, size) => Math.max(most, size), 0),
  }
}

type Sources = readonly [Layout] | readonly [Layout, Layout]

/** What is asked before the last arm that stays inside, what the levels inside are given, and what starts again. */
function trackedIn(
  { ways, tallies }: Levels,
  all: ReadonlyMap<Level, LevelTallies>,
  { level, mattering }: LevelParts,
  { members }: LevelPart,
  isInside: (arm: WayArm) => boolean,
): Set<number> {
  const tracked = new Set<number>()
  const restarting: WayArm[] = []
  for (const node of members) {
    const inner = level.inner.get(node)
    if (inner !== undefined) for (const tally of all.get(inner)!.carried) tracked.add(tally)
    else
      for (const { arms } of ways[node]!)
        for (const arm of arms.slice(0, arms.findLastIndex(isInside) + 1)) {
          if (arm.tally >= 0) tracked.add(arm.tally)
          if (isInside(arm) && arm.restarts !== null) restarting.push(arm)
        }
  }
  for (const node of restarting.length === 0 ? [] : members)
    for (const tally of mattering.get(node)!)
      if (restarting.some(({ restarts }) => tallies.startsAgain(restarts, tally))) tracked.add(tally)
  return tracked
}

/** Ports with a single free arm to the same place are one; the others are their own. */
function createPorts(
  levels: Levels,
  within: LevelParts,
  tracked: ReadonlySet<number>,
): (arms: readonly PortArm[]) => Port {
  const free = new Map<string, Port>()
  const made = (arms: readonly PortArm[]): Port => {
    const wanted = new Set<number>()
    for (const { to, arm } of arms) {
      if (arm !== null && arm.tally >= 0) wanted.add(arm.tally)
      for (const tally of matteringAt(levels, within, to)) wanted.add(tally)
    }
    const layout = layoutOf(
      [...wanted].filter((tally) => tracked.has(tally)),
      levels.tallies,
    )
    return { arms, layout, outcomes: new Map() }
  }
  return (arms) => {
    const [only] = arms
    if (arms.length > 1 || (only !== undefined && only.arm !== null && only.arm.tally >= 0)) return made(arms)
    const key = only === undefined ? '' : `${only.to} ${restartsText(only.arm?.restarts ?? null)}`
    const port = free.get(key) ?? made(arms)
    free.set(key, port)
    return port
  }
}

export const changeBy = (tallies: Tallies, { arm, tally, restarts }: WayArm): TallyChange => ({
  paid: arm.bound === null ? null : { tally, adds: arm.bound.kind === 'max' ? 1 : -1 },
  restarts: (one) => tallies.startsAgain(restarts, one),
})
