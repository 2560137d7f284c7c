/** What a gate is expected to do before anybody has worked. */
import { GATE_EXPECTATIONS, type GateExpectation } from '../../model/program.ts'
import { type LookUp, lookUpsIn, refText, type Template } from '../../model/template.ts'
import { childOf, type Tree, textOf } from '../tree.ts'
import { type Scope, spotOf } from './scope.ts'

export function expectationOf(
  scope: Scope,
  gate: Tree,
  { step, run }: { readonly step: string; readonly run: Template },
): GateExpectation {
  const tree = childOf(gate, 'expect')
  const said = GATE_EXPECTATIONS.find((one) => one === textOf(tree)) ?? 'either'
  if (said === 'none' || canBeTried(run)) return said
  if (tree !== undefined) scope.report.add({ ...spotOf(tree), ...untried(step, run) })
  return 'none'
}

/** Before a run begins nobody has given anything, and nobody is at work. */
export const canBeTried = (run: Template): boolean => lookUpsIn(run).every((lookUp) => !comesLater(lookUp))

const comesLater = ({ ref }: LookUp): boolean => ref.kind === 'step' || ref.kind === 'agent'

export const untried = (step: string, run: Template) => ({
  code: 'untried-gate',
  message: `The gate of "${step}" cannot be tried before anybody works: it looks up ${refText(lookUpsIn(run).find(comesLater)!.ref)}.`,
  help: 'Remove `expect`, or look up only `var`, `issue`, `run` and `file` in this gate.',
})
