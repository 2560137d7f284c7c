/** A panel in which nobody's answer counts. */
import { outcomesOf } from '../../model/contract.ts'
import { stepSpot } from '../compile/steps.ts'
import type { Checked } from './checked.ts'

export function checkAdvisoryPanels({ own, scope }: Checked): void {
  for (const step of own) {
    const spot = scope.spots.get(stepSpot(step.name))
    if (step.kind !== 'panel' || spot === undefined || step.members.some((member) => !member.advisory))
      continue
    scope.report.add({
      code: 'advisory-panel',
      severity: 'warning',
      ...spot,
      message: `Every member of "${step.name}" is advisory, so it always ends as "${outcomesOf(step.contract)[0]}".`,
      help: `Let one member block by removing \`${scope.report.spell({ advisory: true })}\`.`,
    })
  }
}
