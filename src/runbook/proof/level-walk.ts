/** The walk from part to part of a level. Its states are where a part is entered, with every tally that matters. */

import type { LevelTallies } from './carried.ts'
import type { GraphArm } from './flow-graph.ts'
import { type Layout, layoutOf, NO_CHANGE, readerOf, type Transfer, transferTo } from './layout.ts'
import { contains, type Level, type Levels } from './levels.ts'
import { changeBy, NOWHERE, type Port, planPart } from './part-plan.ts'
import { createPartWalk, type InnerWalk, type PartWalk } from './part-walk.ts'
import { type LevelPart, matteringAt, partsIn } from './parts.ts'
import { pays } from './tallies.ts'
import { addState, createWalk, type Search, summaryFrom } from './walk.ts'

export interface LevelWalk extends InnerWalk {
  readonly parts: ReadonlyMap<LevelPart, PartWalk>
  /** Arms that were found to be paid outside of their part. */
  readonly taken: ReadonlySet<GraphArm>
  /** Every state of it can be looked at. */
  readonly isWhole: boolean
}

/** Where a part is entered. */
interface Doorway {
  readonly layout: Layout
  readonly states: Map<number, number>
  readonly part: PartWalk
  /** From what is carried into the level, and into the part. */
  readonly carriedIn: Transfer
  readonly into: Transfer
  readonly lifts: Map<Port, readonly Lift[]>
}

/** An arm of a port, seen with all tallies. */
interface Lift {
  readonly to: number
  readonly canPay: (code: number, second: number) => boolean
  readonly transfer: Transfer
  /** Null where the part itself told which arm it is. */
  readonly arm: GraphArm | null
}

export interface LevelContext {
  readonly levels: Levels
  readonly tallies: ReadonlyMap<Level, LevelTallies>
  readonly search: Search
  readonly walkOf: (level: Level) => LevelWalk
}

export function createLevelWalk(
  { levels, tallies: all, search, walkOf }: LevelContext,
  level: Level,
): LevelWalk {
  const { tallies, levelOf } = levels
  const within = partsIn(levels, level, all.get(level)!)
  const carried = layoutOf(within.carried, tallies)
  if (carried.size > Number.MAX_SAFE_INTEGER) search.isTooLarge = true
  const parts = new Map<LevelPart, PartWalk>()
  const doorways = new Map<number, Doorway>()
  const codes: number[] = []
  const left: { to: number; code: number }[] = []
  const outcomes = new Map<number, Map<number, number>>()
  const taken = new Set<GraphArm>()

  const partAt = (node: number): PartWalk => {
    const part = within.partOf.get(node)!
    const known = parts.get(part) ?? createPartWalk(planPart(levels, all, within, part), search, walkOf)
    parts.set(part, known)
    return known
  }

  const doorwayAt = (node: number): Doorway => {
    const known = doorways.get(node)
    if (known !== undefined) return known
    const layout = layoutOf(within.mattering.get(node)!, tallies)
    if (layout.size > Number.MAX_SAFE_INTEGER) search.isTooLarge = true
    const part = partAt(node)
    const doorway: Doorway = {
      layout,
      states: new Map(),
      part,
      carriedIn: transferTo(layout, [carried], NO_CHANGE, tallies),
      into: transferTo(part.plan.layouts[part.plan.memberOf.get(node)!]!, [layout], NO_CHANGE, tallies),
      lifts: new Map(),
    }
    doorways.set(node, doorway)
    return doorway
  }

  const liftsOf = ({ layout, lifts }: Doorway, port: Port): readonly Lift[] => {
    const known = lifts.get(port)
    if (known !== undefined) return known
    const from = [port.layout, layout] as const
    const made = port.arms.map(({ to, arm }): Lift => {
      const target = layoutOf(matteringAt(levels, within, to), tallies)
      const bound = arm?.arm.bound ?? null
      const value = bound === null ? () => 0 : readerOf(arm!.tally, from, tallies)
      return {
        to,
        canPay: (code, second) => bound === null || pays(bound, value(code, second)),
        transfer: transferTo(target, from, arm === null ? NO_CHANGE : changeBy(tallies, arm), tallies),
        arm: port.arms.length === 1 ? null : arm!.arm,
      }
    })
    lifts.set(port, made)
    return made
  }

  const stateOf = (node: number, code: number): number => {
    const { states } = doorwayAt(node)
    const known = states.get(code)
    if (known !== undefined) return known
    const state = addState(walk, node)
    states.set(code, state)
    codes.push(code)
    return state
  }

  const outcomeOf = (to: number, code: number): number => {
    const some = outcomes.get(to) ?? new Map<number, number>()
    outcomes.set(to, some)
    const known = some.get(code)
    if (known !== undefined) return known
    some.set(code, left.length)
    return left.push({ to, code }) - 1
  }

  const walk = createWalk((state) => {
    const node = walk.nodes[state]!
    const code = codes[state]!
    const doorway = doorwayAt(node)
    const summary = search.isTooLarge ? null : doorway.part.enter(node, doorway.into(code, 0))
    if (summary === null) return false
    walk.through[state] = summary
    for (const outcome of summary.outcomes) {
      const { port, code: given } = doorway.part.left[outcome]!
      const lift = liftsOf(doorway, port).find(({ canPay }) => canPay(given, code))
      if (lift === undefined) {
        walk.to.push(~outcomeOf(NOWHERE, 0))
        continue
      }
      if (lift.arm !== null) taken.add(lift.arm)
      const next = lift.transfer(given, code)
      walk.to.push(contains(level, levelOf[lift.to]!) ? stateOf(lift.to, next) : ~outcomeOf(lift.to, next))
    }
    return true
  })

  return {
    enter: (node, code) => summaryFrom(walk, stateOf(node, doorwayAt(node).carriedIn(code, 0)), search),
    left,
    parts,
    taken,
    isWhole: true,
  }
}
