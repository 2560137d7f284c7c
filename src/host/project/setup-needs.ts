/** The files that a run's setup depends on: what its runbook says, else what was found with the command it stands for. */

import { stepOf } from '../../model/program.ts'
import { commandOf } from '../../model/project-command.ts'
import { soleLookUp } from '../../model/template.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'

export function setupNeeds({ program, placed }: Pick<LoadedRun, 'program' | 'placed'>): readonly string[] {
  const { setup, start } = program
  if (setup === undefined || setup.needs.length > 0) return setup?.needs ?? []
  const step = stepOf(program, start)
  const whole = step.kind === 'check' ? soleLookUp(step.run) : null
  return whole !== null && commandOf(whole) === 'setup' ? (placed.placement.setupNeeds ?? []) : []
}
