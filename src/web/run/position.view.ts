/** Where a run is, as the proof counts from it. */
import type { RunState } from '../../engine/state.ts'
import { isOverBudget } from '../../engine/usage.ts'
import type { RunPosition } from '../../runbook/proof/worst-from.ts'

/** Null: it has not begun, or is over. */
export function positionOf(state: RunState): RunPosition | null {
  const { current, counters, budgets } = state
  if (current === null) return null
  const { step, members, question, asked } = current
  return {
    step,
    isAsked: question !== null && question.cause !== 'step',
    // Agents that are at work may still end as they would have.
    isOverLimit: isOverBudget(state) && (members.length === 0 || question !== null),
    dispatches: members.reduce((sum, { attempt }) => sum + attempt, 0),
    flowQuestions: asked,
    agentQuestions: members.reduce((sum, { raised }) => sum + raised, 0),
    counters,
    budgets,
  }
}
