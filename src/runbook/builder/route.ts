/**
 * Routes, each held against the one form that its own keys say it means. So a bound without `then` is told as a
 * missing `then`, and never as something that fits none of four alternatives.
 */
import type { At, Names } from './names.ts'

export type RouteOf<X, N extends Names, Beside = unknown> = X extends string
  ? N['target']
  : RouteObjectOf<X, N> & Beside

export type RouteObjectOf<X, N extends Names, Depth extends 0 | 1 | 2 = 2> = X extends {
  readonly max: unknown
}
  ? RouteWithMax<N['target'], ThenOf<At<X, 'then'>, N, Depth>>
  : X extends { readonly spend: unknown }
    ? RouteWithSpend<N['target'], N['budget'], ThenOf<At<X, 'then'>, N, Depth>>
    : RouteWithoutBound<N['target'], N['budget']>

/** A `then` may hold a bounded route again, three levels deep as in the language. */
type ThenOf<X, N extends Names, Depth extends 0 | 1 | 2> = X extends string
  ? N['target']
  : X extends object
    ? Depth extends 2
      ? RouteObjectOf<X, N, 1>
      : Depth extends 1
        ? RouteObjectOf<X, N, 0>
        : N['target']
    : N['target']

interface Leads<Target> {
  /** Where it leads: a step, an end (`done`, `abandoned` or one of `ends`), `retry` (this step again; needs a bound) or `ask` (a person decides). */
  readonly to: Target
}

interface RouteWithMax<Target, Then> extends Leads<Target> {
  /** How often this route may be taken. Starts again when a budget is spent. */
  readonly max: number
  /** Where it leads once `max` is reached or the budget is gone. */
  readonly then: Then
}

interface RouteWithSpend<Target, Budget, Then> extends Leads<Target> {
  /** A budget of the run that this route draws on. Budgets are never refilled. */
  readonly spend: Budget
  /** Where it leads once `max` is reached or the budget is gone. */
  readonly then: Then
}

/** Names the bounds only so that an editor offers them: where one is written, another of these forms is meant. */
interface RouteWithoutBound<Target, Budget> extends Leads<Target> {
  /** How often this route may be taken. Starts again when a budget is spent. */
  readonly max?: number
  /** A budget of the run that this route draws on. Budgets are never refilled. */
  readonly spend?: Budget
}

/** Routes of faults, of those that can happen there. */
export type FaultRoutesOf<X, Fault extends string, N extends Names> = {
  readonly [F in Fault]?: RouteOf<At<X, F>, N>
}
