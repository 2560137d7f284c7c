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
  /** A count of this arm alone, or one that several arms share; starts again with a new pass. */
  | { readonly kind: 'max'; readonly counter: string; readonly times: number }
  /**
   * Drawn from the run, never refilled. `pass`: the scope whose counters start again, or null for none; where it
   * `forgets`, what the steps of that scope said goes as well.
   */
  | {
      readonly kind: 'spend'
      readonly budget: string
      readonly pass: string | null
      readonly forgets?: true
    }

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
  firstPayable(route.arms, settled, (index) => affordable(route.arms[index]!, purse))

type Bounded = Pick<Arm, 'bound'>

/** The rule of all routes: the first arm that can be paid, the last being free. Settled: the loop is passed over. */
export function firstPayable(
  arms: readonly Bounded[],
  settled: boolean,
  canPay: (index: number) => boolean,
): number {
  const last = arms.length - 1
  for (let index = settled && canSettle(arms) ? 1 : 0; index < last; index++) if (canPay(index)) return index
  return last
}

/** Only a loop that counts its rounds can be over before they are used up: what a budget pays for is no round of it. */
export const canSettle = (arms: readonly Bounded[]): boolean =>
  arms.length > 1 && arms[0]!.bound?.kind === 'max'

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

/** Step → the counters that start again when it is entered anew: what a program says of its counts. */
export interface Counting {
  readonly restarts?: Readonly<Record<string, readonly string[]>>
}

export function routeText(route: Route, counting: Counting): string {
  return route.arms
    .map(({ to, bound }) => {
      if (bound === null) return targetText(to)
      return `${targetText(to)} (${boundText(bound, counting)})`
    })
    .join(', then ')
}

export function boundText(bound: Bound, { restarts = {} }: Counting): string {
  if (bound.kind === 'spend') return `spends ${bound.budget}${bound.forgets === true ? ', forgets' : ''}`
  const { counter, times } = bound
  const by = isShared(bound) ? ` by ${nameOf(counter)}` : ''
  const per = Object.keys(restarts).filter((step) => restarts[step]!.includes(counter))
  return `max ${times}${by}${per.length === 0 ? '' : ` per ${per.join(', ')}`}`
}

/** A counter of its own is named after its arm, with dots; a shared one has the name it was declared by. */
export const isShared = (bound: Bound): boolean =>
  bound.kind === 'max' && !nameOf(bound.counter).includes('.')

const nameOf = (counter: string): string => counter.slice(counter.lastIndexOf('/') + 1)
