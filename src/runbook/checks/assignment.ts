/**
 * Definite assignment: what a text looks up from an earlier step exists on every way into it, or it has a
 * fallback. Leaving a step forgets what its earlier visits gave: a stale value is never taken for a new one.
 */
import { mayLeaveOut } from '../../model/combinations.ts'
import { isFault } from '../../model/fault.ts'
import { own } from '../../model/own.ts'
import { prepares, type Step } from '../../model/program.ts'
import type { Bound } from '../../model/route.ts'
import { subjectsOf } from '../../model/subjects.ts'
import { lookUpsIn } from '../../model/template.ts'
import type { TemplateUse } from '../compile/scope.ts'
import { type Choice, type FlowGraph, type GraphNode, workNodes } from '../proof/flow-graph.ts'
import { stepNameOf } from '../proof/levels.ts'
import type { Checked } from './checked.ts'
import { alwaysGiven, typeOfField } from './names.ts'
import { tellWay } from './trail.ts'

export function checkAssignment({ program, scope, wholeGraph }: Checked): void {
  const searches = new Map<string, Search>()
  const searchOf = (source: Step, field: string): Search => {
    const name = `${source.name} ${field}`
    const known = searches.get(name) ?? searchFor(wholeGraph(), source, field)
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
    for (const [index, { ref, fallback }] of lookUpsIn(use.template).entries()) {
      if (ref.kind !== 'step' || fallback !== null) continue
      const source = own(program.steps, ref.step)
      if (source === undefined || typeOfField(source, ref.field) === undefined) continue
      for (const step of at) {
        const { from } = searchOf(source, ref.field)
        const graph = wholeGraph()
        const without = workNodes(graph, step)
          .map((node) => key(node, false))
          .find((place) => from.has(place))
        if (without === undefined) continue
        const way = tell(graph, from, without)
        scope.report.add({
          code: 'unassigned',
          ...use.spots[index]!,
          ...told(source, step, ref.field, use.kind),
          trail: way.length === 0 ? [`the ${prepares(source) ? 'flow' : 'run'} starts at ${step}`] : way,
        })
        break
      }
    }
  }
}

function told(
  source: Step,
  step: string,
  field: string,
  kind: TemplateUse['kind'],
): { message: string; help: string } {
  const fallback = kind === 'grant' ? 'src/**' : 'none yet'
  const write = `Write \${steps.${source.name}.${field} ?? "${fallback}"}`
  return prepares(source)
    ? {
        message: `"${step}" looks up ${source.name}.${field}, which does not exist where this flow stands in another one.`,
        help: `${write}: setup and trials are done only when it runs by itself.`,
      }
    : {
        message: `"${step}" looks up ${source.name}.${field}, which does not exist on every way to it.`,
        help: `${write}, or make every way pass "${source.name}" with it.`,
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
  const open = startsOf(graph, source).map((node) => key(node, false))
  const from = new Map<number, { key: number; choice: Choice } | null>(open.map((place) => [place, null]))
  for (let next = 0; next < open.length; next++) {
    const at = open[next]!
    const node = graph.nodes[at >> 1]!
    const leaves = node.name === source.name && (node.kind === 'work' || node.kind === 'asked')
    for (const choice of node.choices)
      for (const { to, bound } of choice.arms) {
        const stays = leaves && graph.nodes[to]!.kind === 'asked'
        const has =
          leaves && !stays
            ? gives(source, choice.outcome, field)
            : at % 2 === 1 && !isForgotten(source, node, bound)
        if (from.has(key(to, has))) continue
        from.set(key(to, has), { key: at, choice })
        open.push(key(to, has))
      }
  }
  return { from }
}

/** A flow that stands in another one begins behind its setup and trials, and its texts are not judged again there. */
function startsOf({ start, work, program: { entry } }: FlowGraph, source: Step): number[] {
  const behind = entry === undefined ? undefined : work.get(entry)
  return prepares(source) && behind !== undefined ? [start, behind] : [start]
}

/** A new pass can forget what the one before said, but for the step that sends the run back. */
function isForgotten({ name }: Step, from: GraphNode, bound: Bound | null): boolean {
  if (bound?.kind !== 'spend' || bound.forgets !== true || bound.pass === null) return false
  return name.startsWith(bound.pass) && stepNameOf(from) !== name
}

function gives(step: Step, outcome: string, field: string): boolean {
  const { contract } = step
  if (alwaysGiven(step).includes(field)) return true
  if (isFault(outcome) || outcome.startsWith('@')) return false
  if (subjectsOf(contract).some(({ name }) => name === field)) return !mayLeaveOut(contract, outcome, field)
  // Nobody decided, so nobody said more than the answer that stands.
  if (isAdvisedOnly(step)) return false
  if (contract.fields.some((one) => one.name === field && one.requiredFor.includes(outcome))) return true
  const { handoff } = contract
  if (handoff === null || handoff.partial || handoff.fallback !== null) return false
  return handoff.fields.some((one) => one.name === field && one.requiredFor.length > 0)
}

const isAdvisedOnly = (step: Step): boolean =>
  (step.kind === 'agent' || step.kind === 'panel') && step.members.every(({ advisory }) => advisory)

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
