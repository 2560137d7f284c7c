/** A gate that lets everything through. */
import { gateSpot } from '../compile/members.ts'
import type { Checked } from './checked.ts'

const ALWAYS_TRUE = /^(?:true|:|exit\s+0|echo\b[^;&|]*)$|\|\|\s*(?:true|:|exit\s+0)$/

export function checkGates({ own, scope }: Checked): void {
  for (const step of own) {
    const spot = scope.spots.get(gateSpot(step.name))
    if ((step.kind !== 'agent' && step.kind !== 'panel') || spot === undefined) continue
    const open = step.members.some(({ gate }) => {
      const [only, ...more] = gate?.run ?? []
      return typeof only === 'string' && more.length === 0 && ALWAYS_TRUE.test(only.trim())
    })
    if (!open) continue
    scope.report.add({
      code: 'gate-cannot-fail',
      severity: 'warning',
      ...spot,
      message: `The gate of "${step.name}" always succeeds, so it holds nothing back.`,
      help: 'Name the command that shows the work is done, such as the tests, and let its exit code through.',
    })
  }
}
