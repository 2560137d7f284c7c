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
  const searches = new Map<string, Search>()
  const searchOf = (source: Step, field: string): Search => {
    const name = `${source.name} ${field}`
    const known = searches.get(name) ?? searchFor(graph, source, field)
    searches.set(name, known)
    return known
  }
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
        const { from } = searchOf(source, ref.field)
        const without = key(graph.work.get(step)!, false)
        if (!from.has(without)) continue
        const way = tell(graph, from, without)
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

interface Search {
  /** Where each place (a node, with or without the field) was first reached from. */
  readonly from: ReadonlyMap<number, { readonly key: number; readonly choice: Choice } | null>
}

// Each node is looked at twice at most: once with the field given, once without.
const key = (node: number, has: boolean): number => node * 2 + (has ? 1 : 0)

/** Everywhere a run can be with or without the field, by shortest ways. One search serves all who look it up. */
function searchFor(graph: FlowGraph, source: Step, field: string): Search {
  const from = new Map<number, { key: number; choice: Choice } | null>([[key(graph.start, false), null]])
  const open = [key(graph.start, false)]
  for (let next = 0; next < open.length; next++) {
    const at = open[next]!
    const node = graph.nodes[at >> 1]!
    const leaves = node.name === source.name && (node.kind === 'work' || node.kind === 'asked')
    for (const choice of node.choices)
      for (const { to } of choice.arms) {
        const stays = leaves && graph.nodes[to]!.kind === 'asked'
        const has = leaves && !stays ? gives(source, choice.outcome, field) : at % 2 === 1
        if (from.has(key(to, has))) continue
        from.set(key(to, has), { key: at, choice })
        open.push(key(to, has))
      }
  }
  return { from }
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
