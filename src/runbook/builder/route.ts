/**
 * Routes, each held against the one form that its own keys say it means. So a bound without `then` is told as a
 * missing `then`, and never as something that fits none of four alternatives.
 */
import type { At, DeclaredNames } from './names.ts'

export type RouteOf<X, N extends DeclaredNames, Beside = unknown> = X extends string
  ? N['target']
  : RouteObjectOf<X, N> & Beside

export type RouteObjectOf<X, N extends DeclaredNames, Depth extends 0 | 1 | 2 = 2> = X extends {
  readonly max: unknown
}
  ? RouteWithMax<N, ThenOf<At<X, 'then'>, N, Depth>>
  : X extends { readonly count: unknown }
    ? RouteWithCount<N, ThenOf<At<X, 'then'>, N, Depth>>
    : X extends { readonly spend: unknown }
      ? RouteWithSpend<N, ThenOf<At<X, 'then'>, N, Depth>>
      : RouteWithoutBound<N>

/** A `then` may hold a bounded route again, three levels deep as in the language. */
type ThenOf<X, N extends DeclaredNames, Depth extends 0 | 1 | 2> = X extends string
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

interface RouteWithMax<N extends DeclaredNames, Then> extends Leads<N['target']> {
  /** How often this route may be taken. Starts again when a budget is spent. */
  readonly max: number
  /** With `max`. A step: the count starts again whenever a route that does not count leads there, so each entry into a loop has its own rounds. */
  readonly per?: N['step']
  /** Where it leads once `max` is reached or the budget is gone. */
  readonly then: Then
}

interface RouteWithCount<N extends DeclaredNames, Then> extends Leads<N['target']> {
  /** A counter of `counters` that this route shares with others. */
  readonly count: N['counter']
  /** Where it leads once `max` is reached or the budget is gone. */
  readonly then: Then
}

interface RouteWithSpend<N extends DeclaredNames, Then> extends Leads<N['target']> {
  /** A budget of the run that this route draws on. Budgets are never refilled. */
  readonly spend: N['budget']
  /**
   * With `spend`: what the steps said before is forgotten, but for the one that sends the run back; its findings are
   * forgotten, too.
   */
  readonly forget?: boolean
  /** Where it leads once `max` is reached or the budget is gone. */
  readonly then: Then
}

/** Names the bounds only so that an editor offers them: where one is written, another of these forms is meant. */
interface RouteWithoutBound<N extends DeclaredNames> extends Leads<N['target']> {
  /** How often this route may be taken. Starts again when a budget is spent. */
  readonly max?: number
  /** A counter of `counters` that this route shares with others. */
  readonly count?: N['counter']
  /** A budget of the run that this route draws on. Budgets are never refilled. */
  readonly spend?: N['budget']
}

/** Routes of faults, of those that can happen there; `else` for all that are not named. */
export type FaultRoutesOf<X, Fault extends string, N extends DeclaredNames> = {
  readonly [F in Fault | 'else']?: RouteOf<At<X, F>, N>
}
