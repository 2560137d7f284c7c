/**
 * Everything a program can do, as far as routing goes: which nodes are reached with which counters and budgets, and
 * whether it always comes to an end. Exact, and yet not state by state: an inlined flow is walked once for each way
 * it is entered, and a loop once for each way into it, wherever they stand.
 */
import type { Program } from '../../model/program.ts'
import { type LevelTallies, talliesByLevel } from './carried.ts'
import type { Choice, FlowGraph, GraphArm } from './flow-graph.ts'
import { flowGraph } from './flow-graph.ts'
import { createKnownWalk, type KnownLevel, shapesOf } from './known-levels.ts'
import { createLevelWalk, type LevelWalk } from './level-walk.ts'
import { type Level, type Levels, levelsOf } from './levels.ts'
import { type Outlines, outlinedGraph, outlinesOf } from './outline.ts'
import type { Leading } from './part-plan.ts'
import type { Search, Summary } from './walk.ts'

export interface Exploration {
  readonly graph: FlowGraph
  /** The graph holds flows inside flows as outlines only. */
  readonly isOutlined: boolean
  /** From the start; null where there are too many states, or some run never ends. */
  readonly summary: Summary | null
  /** The nodes of a cycle that nothing bounds, where one was met. */
  readonly cycle: readonly number[] | null
  /** How many states were looked at. */
  readonly states: number
  /** Nothing was left out that was known already. */
  readonly isWhole: boolean
  /** The nodes that some run reaches. */
  readonly reached: ReadonlySet<number>
  /** The arms that some run takes; of those that lead to the same place for free, one. */
  readonly taken: () => ReadonlySet<GraphArm>
}

const MOST_MOVES = 4_000_000

/** Levels in one another are walked by calls in one another. */
const DEEPEST = 500

interface Explored {
  readonly exploration: Exploration
  readonly outlines: Outlines
}

const explored = new WeakMap<Program, Explored>()

/**
 * Worked out once for a program. Of inlined flows only how they can be left, as far as that is known already. Where
 * all of them are given as they were explored themselves, there is no need to look at what is inside those.
 */
export function exploreProgram(
  program: Program,
  flows: ReadonlyMap<string, Program> = new Map(),
): Exploration {
  const known = explored.get(program) ?? exploreOutlined(program, flows) ?? exploreWritten(program)
  explored.set(program, known)
  return known.exploration
}

/** The graph with everything inside its flows. */
export const wholeGraphOf = (program: Program, { graph, isOutlined }: Exploration): FlowGraph =>
  isOutlined ? flowGraph(program) : graph

/** Null where that is not enough to tell, or some run never ends. */
function exploreOutlined(program: Program, flows: ReadonlyMap<string, Program>): Explored | null {
  const known = [...flows].flatMap(([step, flow]) => {
    const outlines = explored.get(flow)?.outlines
    return outlines === undefined ? [] : [[step, outlines] as const]
  })
  const outlined = outlinedGraph(program, new Map(known))
  if (outlined === null) return null
  const levels = levelsOf(outlined.graph)
  const shapes = new Map(Array.from(outlined.shapes, ([node, shape]) => [levels.levelOf[node]!, shape]))
  const { exploration, outlines } = exploreKnown(levels, shapes)
  if (exploration.summary === null) return null
  return { exploration: { ...exploration, isOutlined: true, isWhole: false }, outlines }
}

const exploreWritten = (program: Program): Explored => exploreKnown(levelsOf(flowGraph(program)), new Map())

/** Nothing but their shapes is there of some levels. */
function exploreKnown(levels: Levels, outlined: ReadonlyMap<Level, KnownLevel>): Explored {
  const tallies = talliesByLevel(levels)
  const shapes = shapesOf(levels, tallies, outlined)
  const exploration = exploreLevels(levels, tallies, (level, search, walkThrough) => {
    const shape = shapes.get(level)
    if (shape === undefined) return walkThrough()
    const { carried } = tallies.get(level)!
    const through = outlined.has(level) ? null : walkThrough
    return createKnownWalk({ tallies: levels.tallies, search }, level, shape, carried, through)
  })
  return { exploration, outlines: outlinesOf(levels, tallies, shapes) }
}

/** All of it. */
export function explore(graph: FlowGraph): Exploration {
  const levels = levelsOf(graph)
  return exploreLevels(levels, talliesByLevel(levels), (_level, _search, walkThrough) => walkThrough())
}

/** The graph with some of its choices only. */
export const restrictedTo = (graph: FlowGraph, counts: (choice: Choice) => boolean): FlowGraph => ({
  ...graph,
  nodes: graph.nodes.map((node) => ({ ...node, choices: node.choices.filter(counts) })),
})

function exploreLevels(
  levels: Levels,
  tallies: ReadonlyMap<Level, LevelTallies>,
  walkFor: (level: Level, search: Search, walkThrough: () => LevelWalk) => LevelWalk,
): Exploration {
  const { graph } = levels
  const search: Search = {
    moves: 0,
    mostMoves: MOST_MOVES,
    isTooLarge: levels.levels[0]!.depth > DEEPEST,
    cycle: null,
  }
  const walks = new Map<Level, LevelWalk>()
  const walkOf = (level: Level): LevelWalk => {
    const known =
      walks.get(level) ??
      walkFor(level, search, () => createLevelWalk({ levels, tallies, search, walkOf }, level))
    walks.set(level, known)
    return known
  }
  const start = levels.levelOf[graph.start]!
  const summary = search.isTooLarge ? null : walkOf(start).enter(graph.start, 0)
  const inside = [...walks.values()].flatMap((walk) => [...walk.parts.values()])
  const reached = new Set<number>()
  let states = 0
  for (const { walk } of inside)
    walk.nodes.forEach((node, state) => {
      if (walk.through[state] !== null) return
      states++
      reached.add(node)
    })
  const isWhole = [...walks.values()].every((walk) => walk.isWhole)
  // What came to nothing is not kept: it can be large.
  if (summary === null)
    return {
      graph,
      isOutlined: false,
      summary,
      cycle: search.cycle,
      states,
      isWhole,
      reached: new Set(),
      taken: () => new Set(),
    }
  return {
    graph,
    isOutlined: false,
    summary,
    cycle: null,
    states,
    isWhole,
    reached,
    taken: () => {
      const taken = new Set([...walks.values()].flatMap((walk) => [...walk.taken]))
      const note = ({ arm, isTaken }: Leading) => {
        if (isTaken && arm !== null) taken.add(arm.arm)
      }
      for (const { plan } of inside)
        for (const step of plan.steps)
          for (const { arms, rest } of step.kind === 'node' ? step.ways : []) {
            for (const { leads } of arms) note(leads)
            if (rest !== null) note(rest)
          }
      return taken
    },
  }
}
