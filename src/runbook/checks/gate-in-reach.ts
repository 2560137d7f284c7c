/** A gate whose meaning an agent may change: what it runs is said by a file within a boundary. */
import { gateFiles } from '../../model/gate-files.ts'
import { globOf } from '../../model/glob.ts'
import type { Program } from '../../model/program.ts'
import type { Template } from '../../model/template.ts'
import { gateSpot } from '../compile/members.ts'
import type { Checked } from './checked.ts'

export function checkGateReach({ own, program, scope }: Checked): void {
  for (const step of own) {
    const spot = scope.spots.get(gateSpot(step.name))
    if ((step.kind !== 'agent' && step.kind !== 'panel') || spot === undefined) continue
    const gates = step.members.flatMap(({ gate }) => (gate === null ? [] : [commandText(gate.run)]))
    const files = [...new Set(gates.flatMap(gateFiles))]
    const reached = agentsWithin(program, files)
    if (reached.length === 0) continue
    const said = reached.map(({ agent, file }) => `${file} ("${agent}")`).join(', ')
    scope.report.add({
      code: 'gate-in-reach',
      severity: 'warning',
      ...spot,
      message: `What the gate of "${step.name}" runs is said by files that agents may write: ${said}.`,
      help: 'Leave them out of `writes`, or name a command that no such file can change. A run that changes one says so at the gate, on the card and when it is landed.',
    })
  }
}

/** What is looked up is not known yet; it stands for one word. */
const commandText = (run: Template): string =>
  run.map((part) => (typeof part === 'string' ? part : '…')).join('')

/** Of agents with a boundary. One without may write all of the worktree, and the certificate says so. */
function agentsWithin({ agents }: Program, files: readonly string[]): { agent: string; file: string }[] {
  return Object.entries(agents).flatMap(([agent, { writes }]) => {
    const globs = (writes ?? []).flatMap((grant) => (typeof grant === 'string' ? [globOf(grant)] : []))
    return files.filter((file) => globs.some((matches) => matches(file))).map((file) => ({ agent, file }))
  })
}
