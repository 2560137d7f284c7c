/**
 * A flow graph as levels: the flow itself and, inside it, each inlined flow, which is left for the level around it
 * only by its exits. What happens inside depends on nothing outside but the tallies that it is given (`carried`), so
 * it can be walked once for each of their values, wherever in the level around it stands.
 *
 * A level falls into parts: the nodes that lead to each other without a new pass. Ways from part to part never come
 * back, but for the arms that spend a budget to begin a pass, and those can be taken only so often.
 */
import { scopeOf } from '../../model/program.ts'
import { firstPayable } from '../../model/route.ts'
import type { Choice, FlowGraph, GraphArm, GraphNode, Restarts } from './flow-graph.ts'
import { type Tallies, talliesOf } from './tallies.ts'

export interface Level {
  readonly scope: string
  readonly depth: number
  readonly around: Level | null
  /** The nodes of this level itself. */
  readonly own: number[]
  /** Where it is entered from around it, and the nodes around it that it leads to. */
  readonly entries: Set<number>
  readonly exits: Set<number>
  /** The arms it is entered by. */
  readonly entering: { readonly from: number; readonly arm: WayArm }[]
  /** The nodes at which a level inside this one is entered. */
  readonly inner: Map<number, Level>
}

/** One of the ways on from a node: the arms in question, in the order they are tried, the last one free. */
export interface Way {
  readonly choice: Choice
  readonly arms: readonly WayArm[]
}

export interface WayArm {
  readonly arm: GraphArm
  /** What it draws on, or -1. */
  readonly tally: number
  /** Null where nothing starts again. */
  readonly restarts: Restarts | null
  /** It spends a budget to begin a new pass. */
  readonly beginsPass: boolean
}

export interface Levels {
  readonly graph: FlowGraph
  readonly tallies: Tallies
  /** Node → its ways and its level. */
  readonly ways: readonly (readonly Way[])[]
  readonly levelOf: readonly Level[]
  /** Inner ones first; the flow itself is the last. */
  readonly levels: readonly Level[]
}

export function levelsOf(graph: FlowGraph): Levels {
  const tallies = talliesOf(graph)
  const ways = graph.nodes.map((node) => waysFrom(tallies, node))
  const byScope = new Map<string, Level>()
  const levelOf = graph.nodes.map((node) => {
    const level = levelAt(byScope, scopeOf(stepNameOf(node)))
    level.own.push(node.id)
    return level
  })
  const levels = [...byScope.values()].sort((a, b) => b.depth - a.depth)
  for (const [node, some] of ways.entries())
    for (const { arms } of some)
      for (const entering of arms) {
        const { arm } = entering
        for (let into = levelOf[arm.to]!; !contains(into, levelOf[node]!); into = into.around!) {
          into.entries.add(arm.to)
          into.entering.push({ from: node, arm: entering })
          into.around!.inner.set(arm.to, into)
        }
        for (let out = levelOf[node]!; !contains(out, levelOf[arm.to]!); out = out.around!)
          out.exits.add(arm.to)
      }
  return { graph, tallies, ways, levelOf, levels }
}

/** The step of a node; the way out of an inlined flow belongs to the flow step. */
export const stepNameOf = ({ kind, name }: GraphNode): string =>
  kind === 'exit' ? name.slice(0, name.lastIndexOf(':')) : name

function levelAt(byScope: Map<string, Level>, scope: string): Level {
  const known = byScope.get(scope)
  if (known !== undefined) return known
  const around = scope === '' ? null : levelAt(byScope, scopeOf(scope.slice(0, -1)))
  const depth = around === null ? 0 : around.depth + 1
  const level: Level = {
    scope,
    depth,
    around,
    own: [],
    entries: new Set(),
    exits: new Set(),
    entering: [],
    inner: new Map(),
  }
  byScope.set(scope, level)
  return level
}

/** Whether a level is the other one or stands around it. */
export function contains(level: Level, other: Level): boolean {
  let at = other
  while (at.depth > level.depth) at = at.around!
  return at === level
}

/** Choices that lead the same way for free are one way: most faults of a step are. */
function waysFrom(tallies: Tallies, { choices }: GraphNode): Way[] {
  const free = new Set<number>()
  const ways: Way[] = []
  for (const choice of choices) {
    const [only, ...more] = choice.arms
    if (more.length === 0 && only!.bound === null) {
      if (free.has(only!.to)) continue
      free.add(only!.to)
    }
    ways.push({ choice, arms: inOrder(choice).map((arm) => wayArm(tallies, arm)) })
  }
  return ways
}

function wayArm(tallies: Tallies, arm: GraphArm): WayArm {
  const { bound, restarts } = arm
  return {
    arm,
    tally: bound === null ? -1 : tallies.of(bound),
    restarts: restarts.scopes.length + restarts.counters.length === 0 ? null : restarts,
    beginsPass: bound?.kind === 'spend' && bound.pass !== null,
  }
}

/** The arms that can come into question, first things first, as far as the first that is free. */
function inOrder({ arms, settled }: Choice): GraphArm[] {
  const order: GraphArm[] = []
  for (let last = -1; last < arms.length - 1; ) {
    const before = last
    last = firstPayable(arms, settled, (index) => index > before)
    order.push(arms[last]!)
    if (arms[last]!.bound === null) break
  }
  return order
}
