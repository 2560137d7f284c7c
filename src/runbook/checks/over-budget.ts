/**
 * Where a used-up limit leads: no agent begins after it, so leading to one only ends the same way again. A person may
 * extend the limit before going on; a check may not.
 */
import { outcomesOf } from '../../model/contract.ts'
import { type Program, type Step, stepOf } from '../../model/program.ts'
import { armSpot } from '../compile/routes.ts'
import type { Checked } from './checked.ts'

export function checkOverBudget({ program, own, scope }: Checked): void {
  for (const step of own)
    step.routes['over_budget']?.arms.forEach(({ to }, index) => {
      const spot = scope.spots.get(armSpot(step.name, 'over_budget', index))
      if (to.kind !== 'step' || spot === undefined) return
      const next = firstInside(program, to.step)
      const agent = isAgents(next) ? next : agentAfter(program, next)
      if (agent === null) return
      const isNext = agent === next
      scope.report.add({
        code: 'over-budget-agent',
        ...(isNext ? {} : { severity: 'warning' }),
        ...spot,
        message: `No agent begins once the limit of the run is used up, so "${agent.name}"${isNext ? '' : `, to which "${next.name}" leads on,`} would end as over_budget at once.`,
        help: `Lead it to a \`decide\` step, where a person can extend the limit before going on; to a check${isNext ? '' : ' that leads to no agent'}; or to an end.`,
      })
    })
}

const isAgents = ({ kind }: Step): boolean => kind === 'agent' || kind === 'panel'

const firstInside = (program: Program, name: string): Step => {
  const step = stepOf(program, name)
  return step.kind === 'flow' ? firstInside(program, step.entry) : step
}

/** The first agent that checks lead on to, with nobody between who could extend the limit. */
function agentAfter(program: Program, check: Step): Step | null {
  const checks = new Set([check])
  for (const { kind, contract, routes } of checks) {
    if (kind !== 'check') continue
    for (const outcome of outcomesOf(contract))
      for (const { to } of routes[outcome]?.arms ?? []) {
        if (to.kind !== 'step') continue
        const next = firstInside(program, to.step)
        if (isAgents(next)) return next
        checks.add(next)
      }
  }
  return null
}
