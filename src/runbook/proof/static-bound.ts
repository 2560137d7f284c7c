/**
 * The bound that needs no exploration. Per level (an inlined flow is left as soon as it is entered), and per strongly
 * connected part of it: where every cycle must pay, each stretch between two paid arms visits a step at most once, and
 * the paid arms can be counted. A true bound, rarely the exact one.
 */
import type { FlowGraph } from './flow-graph.ts'
import { contains, type Level, type Levels, levelsOf, type WayArm } from './levels.ts'
import { components } from './topological.ts'

/** A cycle that costs nothing, or only what starts again within it, as nodes; null where every cycle must pay. */
export function freeCycle(graph: FlowGraph): number[] | null {
  const levels = levelsOf(graph)
  for (const level of levels.levels.toReversed())
    for (const part of partsOf(levels, level)) {
      const { counted } = paidIn(levels, part)
      const cycle = shortestCycle(part.nodes, (node) => unpaid(part, counted, node))
      if (cycle !== null) return cycle
    }
  return null
}

/** Node → a bound of its visits, as far as numbers are exact. Only where there is no free cycle. */
export function visitBounds(graph: FlowGraph): Map<number, number> {
  const levels = levelsOf(graph)
  const bounds = new Map<number, number>()
  const entered = new Map<Level, number>([[levels.levelOf[graph.start]!, 1]])
  for (const level of levels.levels.toReversed())
    for (const part of partsOf(levels, level)) {
      const visits = exactly((entered.get(level) ?? 0) * (1 + paidIn(levels, part).times))
      for (const node of part.nodes) {
        const inner = level.inner.get(node)
        if (inner === undefined) bounds.set(node, visits)
        else entered.set(inner, exactly((entered.get(inner) ?? 0) + visits))
      }
    }
  return bounds
}

/** Beyond what numbers can tell exactly, the largest of those that do. */
export const exactly = (number: number): number => Math.min(number, Number.MAX_SAFE_INTEGER)

interface Link {
  readonly from: number
  readonly to: number
  /** Null where a level inside this one leads there. */
  readonly arm: WayArm | null
}

interface LoopPart {
  readonly nodes: readonly number[]
  /** Those that stay inside. */
  readonly links: ReadonlyMap<number, readonly Link[]>
}

function partsOf(levels: Levels, level: Level): LoopPart[] {
  const nodes = [...level.own, ...level.inner.keys()]
  const links = new Map(nodes.map((node) => [node, linksFrom(levels, level, node)]))
  return components(nodes, (node) => links.get(node)!.map(({ to }) => to)).map((part) => {
    const inside = new Set(part)
    return {
      nodes: part.toSorted((a, b) => a - b),
      links: new Map(part.map((node) => [node, links.get(node)!.filter(({ to }) => inside.has(to))])),
    }
  })
}

function linksFrom({ ways, levelOf }: Levels, level: Level, from: number): Link[] {
  const inner = level.inner.get(from)
  const links: Link[] =
    inner === undefined
      ? ways[from]!.flatMap(({ arms }) => arms.map((arm) => ({ from, to: arm.arm.to, arm })))
      : [...inner.exits].map((to) => ({ from, to, arm: null }))
  return links.filter(({ to }) => contains(level, levelOf[to]!))
}

/** Where one can go from a node without paying with what is counted. */
const unpaid = ({ links }: LoopPart, counted: ReadonlyMap<number, number>, node: number): number[] =>
  links.get(node)!.flatMap(({ to, arm }) => (arm !== null && counted.has(arm.tally) ? [] : [to]))

interface Paid {
  /** How often all the paid arms of a part are taken together, at most, each time it is entered. */
  readonly times: number
  /** Tally → how often it is paid with. A counter is missing that could start again for ever. */
  readonly counted: ReadonlyMap<number, number>
}

/** Budgets first; then every counter for which it is known how often it starts again. */
function paidIn({ tallies, graph }: Levels, part: LoopPart): Paid {
  const links = [...part.links.values()].flat()
  const counted = new Map<number, number>()
  const limits = new Map<number, number>()
  for (const { arm } of links) {
    const bound = arm?.arm.bound ?? null
    if (bound?.kind === 'spend') counted.set(arm!.tally, graph.program.budgets[bound.budget] ?? 0)
    if (bound?.kind === 'max') limits.set(arm!.tally, Math.max(limits.get(arm!.tally) ?? 0, bound.times))
  }
  const total = () => exactly([...counted.values()].reduce((sum, times) => sum + times, 0))
  for (let before = -1; before < counted.size; ) {
    before = counted.size
    const rounds = roundsIn(part, counted)
    for (const [counter, times] of limits) {
      if (counted.has(counter)) continue
      const restarting = links.filter(({ arm }) => arm !== null && tallies.startsAgain(arm.restarts, counter))
      const paidBy = new Set(restarting.map(({ arm }) => arm!.tally).filter((tally) => counted.has(tally)))
      const others = restarting.filter(({ arm }) => !counted.has(arm!.tally))
      // Such an arm is passed once at most in each stretch between paid ones, unless it is in a cycle without them.
      if (others.some(({ from, to }) => rounds(from, to))) continue
      const starts = [...paidBy].reduce(
        (sum, tally) => sum + counted.get(tally)!,
        others.length * (1 + total()),
      )
      counted.set(counter, exactly(times * (1 + starts)))
    }
  }
  return { times: total(), counted }
}

/** Whether a link is part of a cycle that costs nothing of what is counted. */
function roundsIn(
  part: LoopPart,
  counted: ReadonlyMap<number, number>,
): (from: number, to: number) => boolean {
  const number = new Map<number, number>()
  const loops = components(part.nodes, (node) => unpaid(part, counted, node))
  for (const [index, nodes] of loops.entries()) for (const node of nodes) number.set(node, index)
  return (from, to) => number.get(from) === number.get(to)
}

function shortestCycle(nodes: readonly number[], next: (node: number) => number[]): number[] | null {
  let best: number[] | null = null
  for (const part of components(nodes, next)) {
    const inside = new Set(part)
    if (part.length === 1 && !next(part[0]!).includes(part[0]!)) continue
    for (const start of part) {
      const from = new Map<number, number>()
      const open = [start]
      search: for (let node = open.shift(); node !== undefined; node = open.shift())
        for (const to of next(node)) {
          if (to === start) {
            const cycle = [node]
            while (cycle[0] !== start) cycle.unshift(from.get(cycle[0]!)!)
            if (best === null || cycle.length < best.length) best = cycle
            break search
          }
          if (inside.has(to) && !from.has(to)) {
            from.set(to, node)
            open.push(to)
          }
        }
      if (best?.length === 1) return best
    }
    if (best !== null) return best
  }
  return best
}
