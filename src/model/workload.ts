/** What one visit of a step can cost at most. The certificate counts with this, the engine keeps to it. */
import { asksNothing } from './contract.ts'
import { type AgentStep, isBounded, type Member, type Program, type Step } from './program.ts'

export function dispatchesPerVisit(program: Program, step: Step): number {
  if (step.kind !== 'agent' && step.kind !== 'panel') return 0
  return step.members.reduce(
    (total, member) => total + dispatchesOf(member, canBeNudged(program, step, member)),
    0,
  )
}

/** Where nothing is asked no answer is wrong, but a write outside a boundary is. */
const canBeNudged = (program: Program, { contract }: AgentStep, { agent }: Member): boolean =>
  !asksNothing(contract) || isBounded(program, agent)

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
