/**
 * The one way an answer gets to whoever asked, in a run or outside of any: recorded as given before it is. So what stands
 * as delivered may come twice after a crash, and what does not stand so cannot have come.
 */
import type { RunCommand } from '../../model/command.ts'
import type { DeliverDecision } from '../../model/decision-command.ts'
import type { Clock } from '../machine/clock.ts'
import { type Executed, stateAfter } from '../streams/streams.ts'

export interface Delivering<State> extends Pick<DeliverDecision, 'question' | 'session' | 'via'> {
  /** Writes it down where the decision lives, with all that happens in the same breath. */
  readonly record: (command: DeliverDecision) => Promise<Executed<State, unknown>>
}

/** What it lives in, as it is then; null: it cannot be given, having been taken back at this very moment. */
export async function deliver<State>(
  clock: Clock,
  { record, ...about }: Delivering<State>,
): Promise<State | null> {
  return stateAfter(await record({ type: 'decision.deliver', at: clock.now(), ...about }))
}

/** What a run is told with a delivery in the same breath, and the bytes it names. */
export interface Along {
  readonly commands: readonly RunCommand[]
  readonly keep: readonly Uint8Array[]
}

export const NOTHING_ALONG: Along = { commands: [], keep: [] }
