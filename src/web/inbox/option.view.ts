/** Where an option leads from here, and what is left of what it draws on. */
import type { RunState } from '../../engine/state.ts'
import type { ShownOption } from '../../model/decision-record.ts'
import { type Program, stepOf } from '../../model/program.ts'
import { type Arm, RETRY, type Route, targetText } from '../../model/route.ts'

export interface OptionGround {
  readonly program: Program
  readonly state: RunState
  readonly step: string
}

/** Empty where it leads nowhere by itself: an agent's own question. */
export function leadText({ key, leadsTo }: ShownOption, ground: OptionGround | null): string {
  const route = ground === null ? undefined : stepOf(ground.program, ground.step).routes[key]
  if (key === RETRY && ground !== null) {
    const left = ground.state.budgets['interventions']
    return left === undefined
      ? ''
      : `→ ${ground.step} · ${left} ${left === 1 ? 'intervention' : 'interventions'} left`
  }
  if (ground === null || route === undefined) return leadsTo === '' ? '' : `→ ${leadsTo}`
  return `→ ${routeLeft(route, ground.state)}`
}

/** What it can still come to: an arm that is used up is passed over. */
function routeLeft({ arms }: Route, state: RunState): string {
  const open = arms.filter((arm) => leftOf(arm, state) !== 0)
  return open.map((arm) => armText(arm, state)).join(', then ')
}

function armText(arm: Arm, state: RunState): string {
  const left = leftOf(arm, state)
  const { to, bound } = arm
  if (bound === null || left === null) return targetText(to)
  const of = bound.kind === 'max' ? `${left} of ${bound.times} left` : `${left} ${bound.budget} left`
  return `${targetText(to)} · ${of}`
}

/** Null: without a bound. */
function leftOf({ bound }: Arm, { counters, budgets }: RunState): number | null {
  if (bound === null) return null
  return bound.kind === 'max'
    ? Math.max(0, bound.times - (counters[bound.counter] ?? 0))
    : (budgets[bound.budget] ?? 0)
}
