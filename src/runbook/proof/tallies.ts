/** The tallies of a run: its counters and budgets, numbered, each with the value it begins with. */
import type { Bound } from '../../model/route.ts'
import { type FlowGraph, type Restarts, startsAgain } from './flow-graph.ts'

export interface Tallies {
  /** Tally → how many values it can have, and the one it begins with. */
  readonly radix: readonly number[]
  readonly initial: readonly number[]
  /** The tally a bound draws on. */
  of(bound: Bound): number
  isCounterOf(scope: string, tally: number): boolean
  /** Null for a counter. */
  budgetOf(tally: number): string | null
  /** Budgets never start again. */
  startsAgain(restarts: Restarts | null, tally: number): boolean
}

export function talliesOf({ nodes, program }: FlowGraph): Tallies {
  const counters = new Map<string, number>()
  const budgets = new Map<string, number>()
  /** Tally → its name, in the one of its kind. */
  const counterNames: (string | null)[] = []
  const budgetNames: (string | null)[] = []
  const radix: number[] = []
  const initial: number[] = []
  const meet = (bound: Bound): void => {
    const [known, name] = bound.kind === 'max' ? [counters, bound.counter] : [budgets, bound.budget]
    const begins = bound.kind === 'max' ? 0 : (program.budgets[bound.budget] ?? 0)
    const most = bound.kind === 'max' ? bound.times : begins
    const tally = known.get(name) ?? counterNames.length
    radix[tally] = Math.max(radix[tally] ?? 0, most + 1)
    if (known.has(name)) return
    known.set(name, tally)
    counterNames.push(bound.kind === 'max' ? name : null)
    budgetNames.push(bound.kind === 'max' ? null : name)
    initial.push(begins)
  }
  for (const { choices } of nodes)
    for (const { arms } of choices) for (const { bound } of arms) if (bound !== null) meet(bound)
  return {
    radix,
    initial,
    of: (bound) => (bound.kind === 'max' ? counters.get(bound.counter) : budgets.get(bound.budget))!,
    budgetOf: (tally) => budgetNames[tally]!,
    isCounterOf: (scope, tally) => counterNames[tally]?.startsWith(scope) === true,
    startsAgain: (restarts, tally) => {
      const counter = restarts === null ? null : counterNames[tally]!
      return counter !== null && startsAgain(restarts!, counter)
    },
  }
}

/** Whether the value of its tally pays for the bound. */
export const pays = (bound: Bound, value: number): boolean =>
  bound.kind === 'max' ? value < bound.times : value > 0
