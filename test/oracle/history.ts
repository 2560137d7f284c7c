/** What has become of a run's agents, as it is remembered here: the engine's own state says it in other words. */
import type { RunEvent } from '../../src/model/event.ts'

export interface History {
  /** Some agent has begun, so usage can be told late. */
  readonly worked: boolean
  /** Of each member of the current step: whether it has begun with its attempt. */
  readonly begun: readonly boolean[]
}

export const NO_HISTORY: History = { worked: false, begun: [] }

export interface Followed extends History {
  /** Agents that came to be due by these events, less those that then never began for lack of means. */
  readonly dispatches: number
}

export function follow(before: History, events: readonly RunEvent[]): Followed {
  let { worked } = before
  let begun = before.begun
  let dispatches = 0
  for (const event of events)
    if (event.type === 'visit.entered') {
      begun = new Array<boolean>(event.members).fill(false)
      dispatches += event.members
    } else if (event.type === 'attempt.began') {
      begun = begun.with(event.member, true)
      worked = true
    } else if (SENT_BACK.has(event.type) && 'member' in event) {
      begun = begun.with(event.member!, false)
      dispatches++
    } else if (event.type === 'member.faulted' && event.fault === 'over_budget' && !begun[event.member])
      dispatches--
  return { worked, begun, dispatches }
}

const SENT_BACK: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'answer.refused',
  'signal.held',
  'gate.failed',
])
