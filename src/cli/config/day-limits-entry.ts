/** `limits.per_day` of the user's config: what the agents of all runs may use in a day, together. */
import { type DayLimits, NO_DAY_LIMITS } from '../../model/spending.ts'
import type { Report } from '../../runbook/report.ts'
import { childOf, entryOf, type MapTree, numberOf } from '../../runbook/tree.ts'

/** What is wrong has been told, and counts for nothing: the host does not start with it. */
export function readDayLimits(tree: MapTree | null, { diagnostics }: Report): DayLimits {
  const said = childOf(childOf(tree ?? undefined, 'limits'), 'per_day')
  if (said === undefined || diagnostics.some(({ path }) => path.startsWith(said.path))) return NO_DAY_LIMITS
  return {
    costUsd: numberOf(childOf(said, 'cost')) ?? null,
    tokens: numberOf(childOf(said, 'tokens')) ?? null,
  }
}

/** Whoever can write to a project must not say what all others may use. */
export function refuseDayLimits(tree: MapTree | null, report: Report): void {
  const limits = childOf(tree ?? undefined, 'limits')
  const entry = limits?.kind === 'map' ? entryOf(limits, 'per_day') : undefined
  if (entry === undefined) return
  report.add({
    code: 'config',
    at: entry.at,
    path: 'limits.per_day',
    message: 'A project cannot say what all runs may use in a day.',
    help: 'Move `per_day` to your own config; a runbook limits its own runs with `limits`.',
  })
}
