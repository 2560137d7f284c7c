/**
 * The faults of a step that lead the same way at the same price. A run that takes one of them stands where it would
 * stand with any other, so one walk serves all; only a used-up limit changes more than the place.
 */
import type { Fault } from '../model/fault.ts'
import type { Step } from '../model/program.ts'

const known = new WeakMap<Step, readonly (readonly Fault[])[]>()

export function faultsByRoute(step: Step): readonly (readonly Fault[])[] {
  const groups = known.get(step) ?? grouped(step)
  known.set(step, groups)
  return groups
}

function grouped(step: Step): Fault[][] {
  const groups = new Map<string, Fault[]>()
  for (const fault of step.faults) {
    // These two are what becomes of other things, and are walked by them.
    if (fault === 'invalid' || fault === 'expired') continue
    const key = fault === 'over_budget' ? fault : JSON.stringify(step.routes[fault]?.arms)
    groups.set(key, [...(groups.get(key) ?? []), fault])
  }
  return [...groups.values()]
}
