/**
 * The heaviest ways through an exploration. Each way through a region is measured once, and the region around it adds
 * that to its own; a step is counted only in the regions that hold it.
 *
 * Sums beyond the whole numbers that are exact are rounded, and never come out smaller than those.
 */
import type { FlowGraph } from './flow-graph.ts'
import type { GraphWalk, Summary } from './walk.ts'
import { weightsOf } from './weights.ts'

/** The measures that every region has; those of its steps come after them. */
export const TOTALS = ['visits', 'dispatches', 'questions', 'flowQuestions', 'agentQuestions'] as const

export interface Measures {
  /** The steps that are visited in a region. */
  stepsIn(walk: GraphWalk): readonly string[]
  /** How many comparisons it takes to measure a summary and all inside it. */
  effort(summary: Summary): number
  /** Outcome after outcome of a summary, the most that a way to it can weigh by each measure. */
  heaviest(summary: Summary): Float64Array
}

/** So many numbers are held for the states of a region at once; more measures are taken in turns. */
const MOST_HELD = 1 << 22

/** Of the steps one by one, too, or only of the whole run. */
export type Detail = 'steps' | 'run'

export function createMeasures(graph: FlowGraph, detail: Detail): Measures {
  const own = weightsOf(graph)
  const questions = own.flowQuestions.map((count, node) => count + own.agentQuestions[node]!)
  const totals = [own.visits, own.dispatches, questions, own.flowQuestions, own.agentQuestions]
  const lanes = createLanes(graph, detail === 'steps' ? own.visits : own.visits.map(() => 0))
  const known = new Map<Summary, Float64Array>()
  const held = { best: new Float64Array(0), places: new Int32Array(0) }

  const heaviest = (summary: Summary): Float64Array => {
    const found = known.get(summary)
    if (found !== undefined) return found
    // Those inside first: what is held for the states is held for one region at a time.
    for (const state of summary.order) {
      const through = summary.walk.through[state]!
      if (through !== null) heaviest(through)
    }
    const width = TOTALS.length + lanes.of(summary.walk).length
    const result = new Float64Array(summary.outcomes.length * width)
    const turn = Math.max(1, Math.min(width, Math.floor(MOST_HELD / summary.order.length)))
    for (let from = 0; from < width; from += turn)
      measure(summary, result, from, Math.min(turn, width - from))
    known.set(summary, result)
    return result
  }

  /** Some of the measures: `many`, beginning with `from`. */
  const measure = (
    { walk, order, outcomes }: Summary,
    result: Float64Array,
    from: number,
    many: number,
  ): void => {
    const { first, end, to, through, nodes } = walk
    const mine = lanes.of(walk)
    const width = TOTALS.length + mine.length
    if (held.best.length < order.length * many) held.best = new Float64Array(order.length * many)
    const { best } = held
    best.fill(0, 0, order.length * many)
    const places = placesOf(walk, order)
    const rows: number[] = []
    for (const [row, outcome] of outcomes.entries()) rows[outcome] = row
    for (let place = 0; place < order.length; place++) {
      const state = order[place]!
      const here = place * many
      const inside = through[state]!
      if (inside === null) {
        const node = nodes[state]!
        for (let lane = 0; lane < many && from + lane < TOTALS.length; lane++)
          best[here + lane]! += totals[from + lane]![node]!
        const lane = TOTALS.length + mine.indexOf(lanes.at[node]!) - from
        if (lanes.at[node]! >= 0 && lane >= 0 && lane < many) best[here + lane]! += 1
      }
      const adds = inside === null ? null : known.get(inside)!
      const columns = inside === null ? null : lanes.between(walk, inside.walk)
      const insideWidth = inside === null ? 0 : adds!.length / inside.outcomes.length
      for (let move = first[state]!; move < end[state]!; move++) {
        const target = to[move]!
        const into = target < 0 ? result : best
        const there = target < 0 ? rows[~target]! * width + from : places[target]! * many
        if (columns === null) {
          for (let lane = 0; lane < many; lane++)
            if (best[here + lane]! > into[there + lane]!) into[there + lane] = best[here + lane]!
          continue
        }
        const row = (move - first[state]!) * insideWidth
        for (let lane = 0; lane < many; lane++) {
          const column = columns[from + lane]!
          const weight = column < 0 ? best[here + lane]! : best[here + lane]! + adds![row + column]!
          if (weight > into[there + lane]!) into[there + lane] = weight
        }
      }
    }
  }

  /** State → its place in the order. */
  const placesOf = ({ nodes }: GraphWalk, order: Int32Array): Int32Array => {
    if (held.places.length < nodes.length) held.places = new Int32Array(nodes.length)
    for (let place = 0; place < order.length; place++) held.places[order[place]!] = place
    return held.places
  }

  const effort = (summary: Summary, counted = new Set<Summary>()): number => {
    const { walk, order } = summary
    if (counted.has(summary)) return 0
    counted.add(summary)
    const width = TOTALS.length + lanes.of(walk).length
    let total = 0
    for (const state of order) {
      total += (walk.end[state]! - walk.first[state]!) * width
      const through = walk.through[state]!
      if (through !== null) total += effort(through, counted)
    }
    return total
  }

  return {
    effort: (summary) => effort(summary),
    stepsIn: (walk) => lanes.of(walk).map((lane) => lanes.steps[lane]!),
    heaviest,
  }
}

interface Lanes {
  readonly steps: readonly string[]
  /** Node → its step, or -1. A step may have several nodes. */
  readonly at: readonly number[]
  of(walk: GraphWalk): readonly number[]
  /** Measure of the region around → measure of the one inside it, or -1. */
  between(around: GraphWalk, inside: GraphWalk): Int32Array
}

function createLanes({ nodes }: FlowGraph, visits: readonly number[]): Lanes {
  const steps = new Map<string, number>()
  const at = nodes.map(({ name }, node) => {
    if (visits[node] === 0) return -1
    if (!steps.has(name)) steps.set(name, steps.size)
    return steps.get(name)!
  })
  const known = new Map<GraphWalk, readonly number[]>()
  const of = (walk: GraphWalk): readonly number[] => {
    const found = known.get(walk)
    if (found !== undefined) return found
    const inside = new Set<GraphWalk>()
    const lanes = new Set<number>()
    walk.through.forEach((summary, state) => {
      const lane = at[walk.nodes[state]!]!
      if (summary !== null) inside.add(summary.walk)
      else if (lane >= 0) lanes.add(lane)
    })
    for (const one of inside) for (const lane of of(one)) lanes.add(lane)
    const all = [...lanes]
    known.set(walk, all)
    return all
  }
  const columns = new Map<GraphWalk, Map<GraphWalk, Int32Array>>()
  const between = (around: GraphWalk, inside: GraphWalk): Int32Array => {
    const some = columns.get(around) ?? new Map<GraphWalk, Int32Array>()
    columns.set(around, some)
    const found = some.get(inside)
    if (found !== undefined) return found
    const places = new Map(of(inside).map((lane, place) => [lane, TOTALS.length + place]))
    const made = Int32Array.from([...TOTALS.keys(), ...of(around).map((lane) => places.get(lane) ?? -1)])
    some.set(inside, made)
    return made
  }
  return { steps: [...steps.keys()], at, of, between }
}
