/**
 * What of a runbook remains where it stands in another one. Setup and trials are left to the runbook around it, and so
 * are limits: where that has none, what was written for the case that they are used up cannot happen.
 */
import type { Program, Step } from '../../model/program.ts'
import { RETRY, STOP } from '../../model/route.ts'
import { faultsWithin } from '../proof/flow-graph.ts'
import { withPersonRoutes } from './person-routes.ts'

export function remainingSteps(program: Program, limited: boolean): Program['steps'] {
  const { steps, start, entry } = program
  const all = limited || !Object.values(steps).some(knowsLimits) ? steps : withoutLimits(program)
  // All of it was found to be reached from its start.
  if (entry === undefined && all === steps) return steps
  const reached = new Set([entry ?? start])
  for (const name of reached) for (const next of nextOf(all[name]!)) reached.add(next)
  return Object.fromEntries(Object.entries(all).filter(([name]) => reached.has(name)))
}

const nextOf = (step: Step): string[] => [
  ...(step.kind === 'flow' ? [step.entry] : []),
  ...Object.values(step.routes).flatMap(({ arms }) =>
    arms.flatMap(({ to }) => (to.kind === 'step' ? [to.step] : to.kind === 'leave' ? [to.flow] : [])),
  ),
]

const knowsLimits = ({ routes, faults }: Step): boolean =>
  'over_budget' in routes || faults.includes('over_budget')

/** Whoever was asked about that case alone is no longer asked. */
function withoutLimits(program: Program): Record<string, Step> {
  const without = (step: Step): Step => {
    const isAgents = step.kind === 'agent' || step.kind === 'panel'
    const faults = isAgents ? faultsWithin(program, step) : step.faults
    const gone = new Set<string>([RETRY, STOP, ...step.faults.filter((fault) => !faults.includes(fault))])
    const routes = Object.fromEntries(Object.entries(step.routes).filter(([outcome]) => !gone.has(outcome)))
    return withPersonRoutes({ ...step, routes, faults })
  }
  return Object.fromEntries(Object.entries(program.steps).map(([name, step]) => [name, without(step)]))
}
