/** Deadlines: in an unattended flow a question should have one. */
import { stepSpot } from '../compile/steps.ts'
import type { Checked } from './checked.ts'

export function checkDeadlines({ program, own, scope }: Checked): void {
  for (const step of own) {
    const spot = scope.spots.get(stepSpot(step.name))
    if (step.kind !== 'decide' || spot === undefined) continue
    if (program.unattended && step.deadline.expireMs === null)
      scope.report.add({
        code: 'no-deadline',
        severity: 'warning',
        ...spot,
        message: `"${step.name}" may wait for ever, and nobody watches this flow.`,
        help: `Write \`${scope.report.spell({ deadline: { remind: '2h', expire: '2d' } })}\` and route it with \`${scope.report.spell({ on: { expired: '…' } })}\`.`,
      })
  }
}
