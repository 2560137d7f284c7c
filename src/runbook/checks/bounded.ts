/** Every cycle is bounded: no way through the flow goes on for ever. */
import { routeSpot } from '../compile/routes.ts'
import { type Spot, spotOf } from '../compile/scope.ts'
import { stepSpot } from '../compile/steps.ts'
import { type Leg, legOf, type StateSpace, stateSpaceOf, wayTo } from '../proof/state-space.ts'
import { freeCycle } from '../proof/static-bound.ts'
import { components } from '../proof/topological.ts'
import type { Report } from '../report.ts'
import type { Checked } from './checked.ts'
import { tellWay } from './trail.ts'

export function checkBounded({ scope, exploration }: Checked): void {
  if (exploration.summary !== null) return
  const { graph } = exploration
  const unbounded = exploration.cycle ?? freeCycle(graph)
  if (unbounded === null) return
  const lasso = lassoIn(stateSpaceOf(graph))
  if (lasso === null) {
    const names = unbounded.map((node) => `"${graph.nodes[node]!.name}"`).join(', ')
    scope.report.add({
      code: 'unbounded-cycle',
      ...placeOf(scope, graph.nodes[unbounded[0]!]!.name),
      message:
        exploration.cycle === null
          ? `A cycle through ${names} costs nothing, and could not be shown to end.`
          : `Nothing bounds the cycle through ${names}: a run could go round it for ever.`,
      help: cureIn(scope.report),
    })
    return
  }
  const { way, cycle } = lasso
  const told = tellWay(graph, cycle)
  const back = cycle[cycle.length - 1]!
  const step = graph.nodes[back.from]!.name
  scope.report.add({
    code: 'unbounded-cycle',
    ...(scope.spots.get(routeSpot(step, back.choice.outcome)) ?? placeOf(scope, step)),
    message: `Nothing bounds the cycle ${[...new Set(cycle.map(({ from }) => graph.nodes[from]!.name.replace(/:[^:]*$/, '')))].map((name) => `"${name}"`).join(' → ')}: a run could go round it for ever.`,
    help: cureIn(scope.report),
    trail: [
      ...tellWay(graph, way),
      ...told.map((line, index) => (index === 0 ? `${line}    ↺ from here again and again` : line)),
    ],
  })
}

/** The step, or the flow step that holds it: what is inlined stands in another file. */
function placeOf({ spots, root }: Checked['scope'], name: string): Spot {
  const [outermost = ''] = name.split(/[/:]/)
  return spots.get(stepSpot(name)) ?? spots.get(stepSpot(outermost)) ?? spotOf(root)
}

const cureIn = (report: Report): string =>
  `Give one of its routes a bound: \`${report.spell({ max: 3, then: '…' })}\` (private to the route) or \`${report.spell({ spend: 'BUDGET', then: '…' })}\` (shared by the run).`

/** The earliest state that comes back to itself, with the way there and a shortest way round. */
function lassoIn(space: StateSpace): { way: Leg[]; cycle: Leg[] } | null {
  const { nodes, first, to } = space
  const ids = Array.from(nodes, (_, id) => id)
  const next = (id: number) => Array.from(to.subarray(first[id]!, first[id + 1]!))
  const looping = new Set<number>()
  for (const part of components(ids, next))
    if (part.length > 1 || next(part[0]!).includes(part[0]!)) for (const id of part) looping.add(id)
  const start = ids.find((id) => looping.has(id))
  if (start === undefined) return null
  const from = new Map<number, { state: number; move: number }>()
  const open = [start]
  for (let at = 0; at < open.length; at++) {
    const id = open[at]!
    for (let move = first[id]!; move < first[id + 1]!; move++) {
      const target = to[move]!
      if (target === start) {
        const cycle = [legOf(space, id, move)]
        for (let back = id; back !== start; ) {
          const step = from.get(back)!
          cycle.unshift(legOf(space, step.state, step.move))
          back = step.state
        }
        return { way: wayTo(space, start), cycle }
      }
      if (!from.has(target) && looping.has(target)) {
        from.set(target, { state: id, move })
        open.push(target)
      }
    }
  }
  return null
}
