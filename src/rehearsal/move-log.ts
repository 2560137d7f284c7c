/**
 * The moves between states, in flat arrays: there are millions. What a move adds to the run's totals is one of a few
 * dozen effects, so a move is two numbers.
 */
import type { RunState, Totals } from '../engine/state.ts'
import type { RunEvent } from '../model/event.ts'
import { createNumbers } from './grown-numbers.ts'
import type { Begun } from './play.ts'

/** What a move adds, and the steps it enters: one, or a flow and the steps inside it. */
export interface Effect extends Totals {
  readonly entered: readonly string[]
}

export interface MoveLog {
  readonly length: number
  readonly effects: readonly Effect[]
  /** The moves that follow begin at the next state. */
  nextState(): void
  push(to: number, before: RunState, after: Begun): void
  /** State → its first move, one more than there are states; move → where it leads, and its effect. */
  packed(): { readonly first: Int32Array; readonly to: Int32Array; readonly effect: Int32Array }
}

export function createMoveLog(): MoveLog {
  const first = createNumbers()
  const to = createNumbers()
  const effect = createNumbers()
  const effects: Effect[] = []
  const known = new Map<string, Map<number, number>>()

  const effectOf = (before: Totals, after: Totals, events: readonly RunEvent[]): number => {
    const visits = after.visits - before.visits
    const dispatches = after.dispatches - before.dispatches
    const flowQuestions = after.flowQuestions - before.flowQuestions
    const agentQuestions = after.agentQuestions - before.agentQuestions
    const entered = visits === 0 ? NONE : enteredIn(events)
    const steps = entered.length === 1 ? entered[0]! : entered.join(' ')
    let beside = known.get(steps)
    if (beside === undefined) {
      beside = new Map()
      known.set(steps, beside)
    }
    const key = (dispatches * RADIX + flowQuestions) * RADIX + agentQuestions
    const number = beside.get(key)
    if (number !== undefined) return number
    beside.set(key, effects.length)
    return effects.push({ visits, dispatches, flowQuestions, agentQuestions, entered }) - 1
  }

  return {
    get length() {
      return to.length
    },
    effects,
    nextState: () => first.push(to.length),
    push: (target, before, { state, events }) => {
      to.push(target)
      effect.push(effectOf(before.totals, state.totals, events))
    },
    packed: () => {
      const starts = new Int32Array(first.length + 1)
      starts.set(first.packed())
      starts[first.length] = to.length
      return { first: starts, to: to.packed(), effect: effect.packed() }
    },
  }
}

/** More than one command can ask. */
const RADIX = 1024
const NONE: readonly string[] = []

function enteredIn(events: readonly RunEvent[]): string[] {
  const steps: string[] = []
  for (const event of events) if (event.type === 'visit.entered') steps.push(event.step)
  return steps
}
