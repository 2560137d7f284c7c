/** What can be done about a decision: by the same names in a run and outside of any. */
import type { Actor } from './answer.ts'

interface About {
  readonly at: number
  /** As its stream calls it. */
  readonly question: string
}

export type DecisionCommand =
  | AnswerDecision
  | (About & { readonly type: 'decision.undo' | 'decision.retry'; readonly by: Actor })
  | (About & { readonly type: 'decision.snooze'; readonly by: Actor; readonly until: number | null })
  | (About & { readonly type: 'decision.assign'; readonly by: Actor; readonly to: string | null })
  | (About & { readonly type: 'decision.withdraw'; readonly note: string })
  | DeliverDecision
  /** Whoever asked says what it did about the answer. */
  | (About & { readonly type: 'decision.act'; readonly did: string })

/** Its answer is about to be given to whoever asked: from now on it cannot be taken back. */
export interface DeliverDecision extends About {
  readonly type: 'decision.deliver'
  readonly session: string | null
  readonly via: 'prompt' | 'wait' | 'permission' | 'command'
}

export interface AnswerDecision extends About {
  readonly type: 'decision.answer'
  readonly by: Actor
  /** An option's key, `@retry`, `@stop`; empty for words only. */
  readonly pick: string
  readonly note: string
  readonly fields: Readonly<Record<string, unknown>>
  /** What the picked option shall mean instead. */
  readonly edited: string | null
  /** The digest of what was seen; null: whatever is there. */
  readonly digest: string | null
  /** Of what is answered with one stroke. */
  readonly batch: string | null
  /** For how long it can be taken back before anything comes of it; left out: not at all. */
  readonly holdMs?: number
}

/** Nobody keeps an agent waiting for longer. */
export const LONGEST_HOLD_MS = 60_000
