/** What a person who is asked about a step can do besides answering it: retry while interventions last, or stop. */
import { INTERVENTIONS, type Step } from '../../model/program.ts'
import { asks, RETRY, type Route, STOP } from '../../model/route.ts'
import { possibleAnswers } from '../proof/possible-answers.ts'

/** Steps that may be put to a person get the person's two extra choices. */
export function withPersonRoutes(step: Step): Step {
  if (!putToPerson(step)) return step
  const abandoned = { to: { kind: 'end', end: 'abandoned' }, bound: null } as const
  const retry = {
    to: { kind: 'step', step: step.name },
    bound: { kind: 'spend', budget: INTERVENTIONS, pass: null },
  } as const
  return {
    ...step,
    routes: {
      ...step.routes,
      [RETRY]: { arms: [retry, abandoned], origin: 'built-in' },
      [STOP]: { arms: [abandoned], origin: 'built-in' },
    },
  }
}

/** Whether the step's own question can land with a person: by a route, a proposal to confirm, or an escalation. */
function putToPerson(step: Step): boolean {
  return reachableRoutes(step).some(asks) || possibleAnswers(step).proposes
}

/** Of the outcomes that whoever works at it can bring about, and of its faults. */
function reachableRoutes(step: Step): Route[] {
  const { direct } = possibleAnswers(step)
  return [...direct, ...step.faults].flatMap((outcome) => step.routes[outcome] ?? [])
}
