/**
 * A flow inside a flow inside this one, as far as this one must know it: the nodes it is left for and the budgets it
 * draws on. How it is left with which of them was found out when the runbook around it was checked by itself, and is
 * kept with its shape. So a runbook is checked at the cost of its own steps and those of the flows it names, however
 * much is inside them.
 */
import { INTERVENTIONS, isLimited, type Program, type Step } from '../../model/program.ts'
import type { LevelTallies } from './carried.ts'
import { type Choice, type FlowGraph, flowGraph, type GraphArm, isWritten, NOTHING } from './flow-graph.ts'
import type { KnownLevel } from './known-levels.ts'
import type { Level, Levels } from './levels.ts'

/** Its names are those it has in the runbook that holds it. */
export interface Outline {
  readonly shape: KnownLevel
  /** In the order of its shape, and whether somebody wrote a way from its entry to there. */
  readonly exits: readonly {
    readonly kind: 'exit' | 'end'
    readonly name: string
    readonly isWritten: boolean
  }[]
  readonly budgets: readonly string[]
}

/** Flow step → the flow it holds. Left out where more than its outline matters. */
export type Outlines = ReadonlyMap<string, Outline>

export interface OutlinedGraph {
  readonly graph: FlowGraph
  /** Where a flow is entered that the graph holds as an outline only. */
  readonly shapes: ReadonlyMap<number, KnownLevel>
}

/** Flow step → the outlines in its flow. Null where one is not known, or none is wanted. */
export function outlinedGraph(program: Program, known: ReadonlyMap<string, Outlines>): OutlinedGraph | null {
  if (known.size === 0 || isLimited(program)) return null
  const steps: Record<string, Step> = {}
  const inside: { readonly entry: string; readonly prefix: string; readonly outline: Outline }[] = []
  for (const [name, step] of Object.entries(program.steps)) {
    const end = name.indexOf('/') + 1
    if (end > 0 && name.includes('/', end)) continue
    steps[name] = step
    if (step.kind !== 'flow') continue
    if (end === 0) {
      if (!known.has(name)) return null
      continue
    }
    const outline = known.get(name.slice(0, end - 1))?.get(name.slice(end))
    if (outline === undefined) return null
    inside.push({ entry: step.entry, prefix: name.slice(0, end), outline })
  }
  if (inside.length === 0) return null
  const graph = flowGraph({ ...program, steps })
  const nodes = [...graph.nodes]
  const ids = new Map(
    nodes.flatMap(({ id, kind, name, overLimit }) => (overLimit ? [] : [[`${kind} ${name}`, id] as const])),
  )
  const shapes = new Map<number, KnownLevel>()
  const exitAt = (kind: 'exit' | 'end', name: string): number => {
    const id = ids.get(`${kind} ${name}`) ?? nodes.length
    ids.set(`${kind} ${name}`, id)
    if (id === nodes.length) nodes.push({ id, kind, name, overLimit: false, choices: [] })
    return id
  }
  for (const { entry, prefix, outline } of inside) {
    const id = graph.work.get(entry)!
    shapes.set(id, outline.shape)
    nodes[id] = { ...nodes[id]!, choices: choicesOf(outline, prefix, exitAt) }
  }
  return { graph: { ...graph, program, nodes }, shapes }
}

/** One for each exit, and one for each budget, so that whoever looks at its node sees all it leads to and draws on. */
function choicesOf(
  { exits, budgets }: Outline,
  prefix: string,
  exitAt: (kind: 'exit' | 'end', name: string) => number,
): Choice[] {
  const leading = exits.map((exit): Choice => {
    const to = exitAt(exit.kind, exit.kind === 'end' ? exit.name : prefix + exit.name)
    return choice([{ to, bound: null, restarts: NOTHING }], exit.isWritten ? 'step' : 'built-in')
  })
  const [first] = leading[0]!.arms
  return [
    ...leading,
    ...budgets.map((name) => {
      const budget = name === INTERVENTIONS ? name : prefix + name
      return choice([{ ...first!, bound: { kind: 'spend', budget, pass: null } }, first!], 'built-in')
    }),
  ]
}

const choice = (arms: readonly GraphArm[], origin: 'step' | 'built-in'): Choice => ({
  outcome: 'leave',
  kind: 'fault',
  route: { arms: [], origin },
  arms,
  settled: false,
})

/** The outlines of the flows that a program holds, for whoever holds that program. */
export function outlinesOf(
  levels: Levels,
  tallies: ReadonlyMap<Level, LevelTallies>,
  shapes: ReadonlyMap<Level, KnownLevel>,
): Outlines {
  const { graph } = levels
  const outlines = new Map<string, Outline>()
  if (graph.overLimit !== null) return outlines
  for (const level of levels.levels) {
    if (level.depth !== 1 || level.entries.size !== 1 || level.exits.size === 0) continue
    const written = writtenFrom(graph, level)
    const exits = [...level.exits].flatMap((id) => {
      const { kind, name, overLimit } = graph.nodes[id]!
      return overLimit || (kind !== 'exit' && kind !== 'end')
        ? []
        : [{ kind, name, isWritten: written.has(id) }]
    })
    const budgets = tallies.get(level)!.carried.flatMap((tally) => levels.tallies.budgetOf(tally) ?? [])
    const isAll = exits.length === level.exits.size && budgets.length === tallies.get(level)!.carried.length
    if (isAll) outlines.set(level.scope.slice(0, -1), { shape: shapes.get(level)!, exits, budgets })
  }
  return outlines
}

/** The nodes that ways from its entry lead to, as far as the first one outside. */
function writtenFrom({ nodes }: FlowGraph, { entries, exits }: Level): Set<number> {
  const seen = new Set(entries)
  for (const node of seen)
    if (!exits.has(node))
      for (const one of nodes[node]!.choices) if (isWritten(one)) for (const { to } of one.arms) seen.add(to)
  return seen
}
