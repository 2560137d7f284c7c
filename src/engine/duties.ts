/**
 * What the world should be doing for a run right now. A projection, never a list to keep: after a crash the host
 * asks again. An id comes from run, step, visit, attempt and turn, so doing a duty twice is recognisable.
 */
import type { Address } from '../model/command.ts'
import { type Program, stepOf } from '../model/program.ts'
import { type Timer, timersOf } from './clock.ts'
import type { RunState } from './state.ts'

export type Duty =
  | (Address & { readonly kind: 'prompt-agent' | 'run-gate'; readonly id: string; readonly agent: string })
  | {
      readonly kind: 'run-check' | 'gather-context'
      readonly id: string
      readonly step: string
      readonly visit: number
    }
  | { readonly kind: 'wait-until'; readonly id: string; readonly timer: Timer }

export function duties(program: Program, state: RunState): Duty[] {
  const { current } = state
  if (current === null || state.taken !== null) return []
  const found: Duty[] = []
  const { step: name, number: visit } = current
  const step = stepOf(program, name)
  // What was begun before somebody took it over is another duty now.
  const again = state.resumes === 0 ? '' : `~${state.resumes}`
  const place = `${state.run}/${name}#${visit}${again}`
  if (current.phase === 'gathering')
    found.push({ kind: 'gather-context', id: `${place}/context`, step: name, visit })
  else if (current.phase === 'working' && step.kind === 'check')
    found.push({ kind: 'run-check', id: `${place}/check`, step: name, visit })
  else if (current.phase === 'working' && (step.kind === 'agent' || step.kind === 'panel'))
    current.members.forEach(({ status, attempt, turn, question }, member) => {
      const { agent } = step.members[member]!
      const address = { step: name, visit, member, attempt, agent }
      if (status === 'working' && question === null)
        found.push({ kind: 'prompt-agent', id: `${place}/${member}.${attempt}.${turn}`, ...address })
      if (status === 'gating')
        found.push({ kind: 'run-gate', id: `${place}/${member}.${attempt}/gate`, ...address })
    })
  for (const timer of timersOf(program, state))
    found.push({ kind: 'wait-until', id: `${place}/${timer.kind}.${timer.member ?? ''}.${timer.at}`, timer })
  return found
}
