/** Deadlines: in an unattended flow a question should have one; a reminder should come before it. */
import { formatDuration } from '../../model/duration.ts'
import { stepSpot } from '../compile/steps.ts'
import type { Checked } from './checked.ts'

export function checkDeadlines({ program, scope }: Checked): void {
  for (const step of Object.values(program.steps)) {
    const spot = scope.spots.get(stepSpot(step.name))
    if (step.kind !== 'decide' || spot === undefined) continue
    const { expireMs, remindMs } = step.deadline
    if (program.unattended && expireMs === null)
      scope.report.add({
        code: 'no-deadline',
        severity: 'warning',
        ...spot,
        message: `"${step.name}" may wait for ever, and nobody watches this flow.`,
        help: 'Write `deadline: { remind: 2h, expire: 2d }` and route it with `on: { expired: … }`.',
      })
    const late = remindMs.filter((reminder) => expireMs !== null && reminder >= expireMs)
    if (late.length > 0)
      scope.report.add({
        code: 'late-reminder',
        severity: 'warning',
        ...spot,
        message: `"${step.name}" expires after ${formatDuration(expireMs!)}, before its reminder at ${formatDuration(late[0]!)}.`,
        help: 'Remind earlier, or expire later.',
      })
  }
}
