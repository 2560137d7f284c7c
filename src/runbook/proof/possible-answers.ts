/** Which outcomes whoever works at a step can bring about by themselves, and whether they can put one to a person. */
import { choicesFor, combinationsFor, possibleOutcomes } from '../../model/combinations.ts'
import { needsConfirmation } from '../../model/contract.ts'
import type { Step } from '../../model/program.ts'

export interface PossibleAnswers {
  /** Taken without asking anybody. */
  readonly direct: readonly string[]
  /** Some answer becomes a proposal. */
  readonly proposes: boolean
}

export function possibleAnswers(step: Step): PossibleAnswers {
  const all = possibleOutcomes(step.contract)
  if (step.kind !== 'agent' && step.kind !== 'panel') return { direct: all, proposes: false }
  const blocking = step.members.filter((member) => !member.advisory)
  // Advice alone decides nothing, so the best answer stands.
  if (blocking.length === 0) {
    const proposes = needsConfirmation(step.contract, choicesFor(step.contract, all[0]!) ?? {})
    return { direct: proposes ? [] : all.slice(0, 1), proposes }
  }
  const ways = all.map((outcome) => [outcome, combinationsFor(step.contract, outcome)] as const)
  const confirms = ways.some(([, combinations]) => combinations.some(({ confirm }) => confirm))
  const unconfirmed = ways.flatMap(([outcome, combinations]) =>
    combinations.some(({ confirm }) => !confirm) ? [outcome] : [],
  )
  const failing = blocking.filter((member) => member.signal === 'fail')
  if (failing.length === blocking.length) return { direct: [], proposes: false }
  // One that always fails leaves only the worst answer of the others, which nothing could make worse.
  const given = failing.length === 0 ? all : all.slice(1).slice(-1)
  if (blocking.some((member) => member.signal === 'escalate')) return { direct: [], proposes: true }
  return {
    direct: given.filter((outcome) => unconfirmed.includes(outcome)),
    proposes: confirms && given.some((outcome) => failing.length === 0 || !unconfirmed.includes(outcome)),
  }
}
