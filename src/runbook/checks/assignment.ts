/**
 * Definite assignment: what a text looks up from an earlier step exists on every way into it, or it has a
 * fallback. Leaving a step forgets what its earlier visits gave: a stale value is never taken for a new one.
 */
import { isFault } from '../../model/fault.ts'
import { own } from '../../model/own.ts'
import type { Step } from '../../model/program.ts'
import { lookUpsIn } from '../../model/template.ts'
import type { Choice, FlowGraph } from '../flow-graph.ts'
import type { Checked } from './checked.ts'
import { ALWAYS, typeOfField } from './names.ts'
import { tellWay } from './trail.ts'

export function checkAssignment({ program, scope, graph }: Checked): void {
  for (const use of scope.uses) {
    const { owner } = use
    const at =
      owner.kind === 'step'
        ? [owner.step]
        : Object.values(program.steps).flatMap((step) =>
            (step.kind === 'agent' || step.kind === 'panel') &&
            step.members.some((m) => m.agent === owner.agent)
              ? [step.name]
              : [],
          )
    for (const { ref, fallback } of lookUpsIn(use.template)) {
      if (ref.kind !== 'step' || fallback !== null) continue
      const source = own(program.steps, ref.step)
      if (source === undefined || typeOfField(source, ref.field) === undefined) continue
      for (const step of at) {
        const way = wayWithout(graph, graph.work.get(step)!, source, ref.field)
        if (way === null) continue
        scope.report.add({
          code: 'unassigned',
          ...use.spot,
          message: `"${step}" looks up ${ref.step}.${ref.field}, which does not exist on every way to it.`,
          help: `Write \${steps.${ref.step}.${ref.field} ?? "none yet"}, or make every way pass "${ref.step}" with it.`,
          trail: way.length === 0 ? [`the run starts at ${step}`] : way,
        })
        break
      }
    }
  }
}

/** A shortest way from the start to a node on which the field was not given; null where there is none. */
function wayWithout(graph: FlowGraph, goal: number, source: Step, field: string): string[] | null {
  // Each node is looked at twice at most: once with the field given, once without.
  const key = (node: number, has: boolean) => node * 2 + (has ? 1 : 0)
  const from = new Map<number, { key: number; choice: Choice } | null>([[key(graph.start, false), null]])
  const open = [key(graph.start, false)]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const node = graph.nodes[at >> 1]!
    const has = at % 2 === 1
    if (node.id === goal && !has) return tell(graph, from, at)
    for (const choice of node.choices) {
      const leaves = node.name === source.name && (node.kind === 'work' || node.kind === 'asked')
      for (const { to } of choice.arms) {
        const stays = leaves && graph.nodes[to]!.kind === 'asked'
        const next = key(to, leaves && !stays ? gives(source, choice.outcome, field) : has)
        if (from.has(next)) continue
        from.set(next, { key: at, choice })
        open.push(next)
      }
    }
  }
  return null
}

function gives({ contract }: Step, outcome: string, field: string): boolean {
  if ((ALWAYS as readonly string[]).includes(field)) return true
  if (isFault(outcome) || outcome.startsWith('@')) return false
  if (contract.variables.some((variable) => variable.name === field)) return true
  if (contract.fields.some((one) => one.name === field && one.requiredFor.includes(outcome))) return true
  const { handoff } = contract
  if (handoff === null || handoff.partial || handoff.fallback !== null) return false
  return handoff.fields.some((one) => one.name === field && one.requiredFor.length > 0)
}

function tell(
  graph: FlowGraph,
  from: ReadonlyMap<number, { key: number; choice: Choice } | null>,
  goal: number,
): string[] {
  const way: { from: number; choice: Choice; to: number }[] = []
  for (let at = goal, step = from.get(at); step; at = step.key, step = from.get(at))
    way.unshift({ from: step.key >> 1, choice: step.choice, to: at >> 1 })
  return tellWay(graph, way)
}
