/** A flow that nobody watches should not ask a person about what goes wrong. */
import { outcomesOf } from '../../model/contract.ts'
import { list } from '../../model/nearest.ts'
import { prepares, type Step } from '../../model/program.ts'
import { asks } from '../../model/route.ts'
import { entryOf } from '../tree.ts'
import type { Checked } from './checked.ts'

const MOST_NAMED = 4

export function checkUnattended({ program, scope }: Checked): void {
  const entry = entryOf(scope.root, 'unattended')
  if (!program.unattended || entry === undefined) return
  const asking = Object.values(program.steps).flatMap((step) => {
    const faults = faultsThatAsk(step)
    return faults.length === 0 ? [] : [`"${step.name}" ends as ${list(faults)}`]
  })
  if (asking.length === 0) return
  const more = asking.length - MOST_NAMED
  scope.report.add({
    code: 'unattended-ask',
    severity: 'warning',
    at: entry.at,
    path: entry.value.path,
    message: `Nobody watches this flow, and it would ask a person when ${asking.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and at ${more} more steps` : ''}.`,
    help: `Say where faults lead: \`${scope.report.spell({ on: { else: 'abandoned' } })}\`, for the flow or at the step.`,
  })
}

/** What a trial should not do is no fault by name, and goes wrong all the same. */
const faultsThatAsk = (step: Step): string[] => {
  const wrong = prepares(step) ? [...outcomesOf(step.contract).slice(1), ...step.faults] : step.faults
  return wrong.filter((outcome) => step.routes[outcome] !== undefined && asks(step.routes[outcome]!))
}
