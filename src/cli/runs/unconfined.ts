/** What is said where nothing holds the agents of a run. */
import type { RunEvent } from '../../model/event.ts'
import { type Holder, heldBy } from '../../model/fact.ts'

export const UNCONFINED =
  'No sandbox held the agents of this run: they could read and change whatever you can, what you see here included.'

export const WITH_YOUR_RIGHTS = 'Agents and commands of runs work with your rights.'

/** What held all agents that have worked so far; undefined where none has, or nobody said. */
export const heldIn = (events: readonly RunEvent[]): Holder | undefined =>
  events.reduce<Holder | undefined>(
    (before, event) => (event.type === 'session.opened' ? heldBy(before, event.confined) : before),
    undefined,
  )
