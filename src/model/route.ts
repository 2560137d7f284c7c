/**
 * A route is a ledger of arms: the first one that can still be paid is taken, and the last one is free. So every
 * route is total by its shape. The certificate and the engine both choose by `firstPayable`, and nowhere else.
 */

export type Target =
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'end'; readonly end: string }
  /** Out of an inlined flow: the outcome `end` of the step `flow`. */
  | { readonly kind: 'leave'; readonly flow: string; readonly end: string }
  /** A person is asked: retry while interventions last, answer in the agent's stead, or stop. */
  | { readonly kind: 'ask' }

export type Bound =
  /** Private to this arm; starts again with a new pass. */
  | { readonly kind: 'max'; readonly counter: string; readonly times: number }
  /** Drawn from the run, never refilled. `pass`: the scope whose counters start again, or null for none. */
  | { readonly kind: 'spend'; readonly budget: string; readonly pass: string | null }

export interface Arm {
  readonly to: Target
  readonly bound: Bound | null
}

export type Origin = 'step' | 'flow' | 'built-in'

export interface Route {
  readonly arms: readonly Arm[]
  /** Who wrote it: the step, the flow's `on:`, or nobody. */
  readonly origin: Origin
}

/** The person's two extra choices when a step is put to them. No option can be named so. */
export const RETRY = '@retry'
export const STOP = '@stop'

export interface Purse {
  readonly counters: Readonly<Record<string, number>>
  readonly budgets: Readonly<Record<string, number>>
}

/** The index of the arm to take, given what the run has left. */
export const chooseArm = (route: Route, purse: Purse, settled: boolean): number =>
  firstPayable(route.arms.length, settled, (index) => affordable(route.arms[index]!, purse))

/** The rule of all routes: the first arm that can be paid, the last being free. Settled: the first is passed over. */
export function firstPayable(count: number, settled: boolean, canPay: (index: number) => boolean): number {
  const last = count - 1
  for (let index = settled && last > 0 ? 1 : 0; index < last; index++) if (canPay(index)) return index
  return last
}

function affordable({ bound }: Arm, { counters, budgets }: Purse): boolean {
  if (bound === null) return true
  if (bound.kind === 'max') return (counters[bound.counter] ?? 0) < bound.times
  return (budgets[bound.budget] ?? 0) > 0
}

export const asks = (route: Route): boolean => route.arms.some((arm) => arm.to.kind === 'ask')

export function targetText(target: Target): string {
  switch (target.kind) {
    case 'step':
      return target.step
    case 'end':
      return target.end
    case 'leave':
      return `${target.flow}:${target.end}`
    case 'ask':
      return 'ask'
  }
}

export function routeText(route: Route): string {
  return route.arms
    .map(({ to, bound }) => {
      if (bound === null) return targetText(to)
      return bound.kind === 'max'
        ? `${targetText(to)} (max ${bound.times})`
        : `${targetText(to)} (spends ${bound.budget})`
    })
    .join(', then ')
}
