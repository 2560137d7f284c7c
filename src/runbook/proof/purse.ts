/**
 * Counters and budgets as digits of one number. At each node only those have a digit that can matter there: a
 * counter that is certain to start again before it is next asked for, or that nothing can have counted yet, does
 * not tell two states apart. This keeps long flows of separate loops small.
 */
import type { Bound, Purse } from '../../model/route.ts'
import { type FlowGraph, type GraphArm, startsAgain } from './flow-graph.ts'
import { liveness } from './liveness.ts'

export interface Digits {
  /** Node → where its codes begin among all states. */
  readonly base: readonly number[]
  /** How many states there could be. */
  readonly size: number
  /** The code at the start. */
  readonly start: number
  /** The code of a purse at a node. */
  codeOf(node: number, purse: Purse): number
  affordable(node: number, choice: number, arm: number, code: number): boolean
  /** The code at the node the arm leads to. */
  after(node: number, choice: number, arm: number, code: number): number
}

/** One digit: its value is `floor(code / place) % radix`. */
interface Digit {
  readonly place: number
  readonly radix: number
}

interface ArmPlan {
  /** What the arm is paid with, and the value it must stay below (counter) or above zero (budget). */
  readonly asked: (Digit & { readonly below: number | null }) | null
  /** Four numbers a digit: source place, source radix, target place, what is added. */
  readonly moves: Float64Array
  /** What is added whatever the source says. */
  readonly plus: number
}

const known = new WeakMap<FlowGraph, Digits>()

export function digitsOf(graph: FlowGraph): Digits {
  const digits = known.get(graph) ?? planned(graph)
  known.set(graph, digits)
  return digits
}

function planned(graph: FlowGraph): Digits {
  const live = liveness(graph)
  const radix = radixes(graph)
  const places = graph.nodes.map((_, node) => {
    const digits = new Map<string, Digit>()
    let place = 1
    for (const name of [...live.counters[node]!.map(counterKey), ...live.budgets[node]!.map(budgetKey)]) {
      digits.set(name, { place, radix: radix.get(name)! })
      place *= radix.get(name)!
    }
    return { digits, size: place }
  })
  const base: number[] = []
  let size = 0
  for (const place of places) {
    base.push(size)
    size += place.size
  }
  const plans = graph.nodes.map((node) =>
    node.choices.map((choice) =>
      choice.arms.map((arm): ArmPlan => {
        const here = places[node.id]!.digits
        return { asked: askedFor(arm.bound, here), ...movesBetween(here, places[arm.to]!.digits, arm) }
      }),
    ),
  )
  const named = places.map(({ digits }) =>
    [...digits].map(([key, { place }]) => ({ name: key.slice(1), isCounter: key.startsWith('c'), place })),
  )
  let start = 0
  for (const [name, { place }] of places[graph.start]!.digits)
    if (name.startsWith('b')) start += (graph.program.budgets[name.slice(1)] ?? 0) * place

  return {
    base,
    size,
    start,
    codeOf: (node, { counters, budgets }) => {
      let code = 0
      for (const { name, isCounter, place } of named[node]!)
        code += ((isCounter ? counters : budgets)[name] ?? 0) * place
      return code
    },
    affordable: (node, choice, arm, code) => {
      const { asked } = plans[node]![choice]![arm]!
      if (asked === null) return true
      const value = Math.floor(code / asked.place) % asked.radix
      return asked.below === null ? value > 0 : value < asked.below
    },
    after: (node, choice, arm, code) => {
      const { moves, plus } = plans[node]![choice]![arm]!
      let next = plus
      for (let at = 0; at < moves.length; at += 4)
        next += ((Math.floor(code / moves[at]!) % moves[at + 1]!) + moves[at + 3]!) * moves[at + 2]!
      return next
    },
  }
}

const counterKey = (name: string): string => `c${name}`
const budgetKey = (name: string): string => `b${name}`

function radixes(graph: FlowGraph): Map<string, number> {
  const radix = new Map<string, number>()
  for (const node of graph.nodes)
    for (const choice of node.choices)
      for (const { bound } of choice.arms) {
        if (bound?.kind === 'max') radix.set(counterKey(bound.counter), bound.times + 1)
        if (bound?.kind === 'spend')
          radix.set(budgetKey(bound.budget), (graph.program.budgets[bound.budget] ?? 0) + 1)
      }
  return radix
}

function askedFor(bound: Bound | null, here: ReadonlyMap<string, Digit>): ArmPlan['asked'] {
  if (bound === null) return null
  const counter = bound.kind === 'max' ? here.get(counterKey(bound.counter)) : undefined
  // A counter that cannot have been touched yet is at zero, so the arm can be paid.
  if (bound.kind === 'max') return counter === undefined ? null : { ...counter, below: bound.times }
  return { ...here.get(budgetKey(bound.budget))!, below: null }
}

function movesBetween(
  here: ReadonlyMap<string, Digit>,
  there: ReadonlyMap<string, Digit>,
  { bound, restarts }: GraphArm,
): Pick<ArmPlan, 'moves' | 'plus'> {
  const moves: number[] = []
  let plus = 0
  for (const [name, { place }] of there) {
    const source = here.get(name)
    // What starts again is zero there, which adds nothing.
    if (name.startsWith('c') && startsAgain(restarts, name.slice(1))) continue
    const counted = bound?.kind === 'max' && counterKey(bound.counter) === name ? 1 : 0
    const spent = bound?.kind === 'spend' && budgetKey(bound.budget) === name ? -1 : 0
    if (source === undefined) plus += (counted + spent) * place
    else moves.push(source.place, source.radix, place, counted + spent)
  }
  return { moves: Float64Array.from(moves), plus }
}
