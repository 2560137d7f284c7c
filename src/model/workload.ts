/** What one visit of a step can cost at most. The certificate counts with this, the engine keeps to it. */
import { asksNothing } from './contract.ts'
import type { Member, Step } from './program.ts'

export function dispatchesPerVisit(step: Step): number {
  if (step.kind !== 'agent' && step.kind !== 'panel') return 0
  const nudged = !asksNothing(step.contract)
  return step.members.reduce((total, member) => total + dispatchesOf(member, nudged), 0)
}

function dispatchesOf(member: Member, nudged: boolean): number {
  const first = 1 + (nudged ? member.nudges : 0)
  // Whoever may never finish is never held back or gated.
  if (member.signal === 'fail') return first
  return first + (member.gate?.max ?? 0) + (member.checkIn?.blocks ?? 0)
}

export function agentQuestionsPerVisit(step: Step): number {
  if (step.kind !== 'agent' && step.kind !== 'panel') return 0
  return step.members.reduce((total, member) => total + member.questions, 0)
}
