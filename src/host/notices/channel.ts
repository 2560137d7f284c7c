/** Where people can be told, and who wants to hear what there. What is secret in it goes into requests only. */

import { URGENCIES, type Urgency } from '../../model/decision.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { NoticeKind } from './notice.ts'
import type { QuietHours } from './quiet-hours.ts'

interface Wishes {
  /** From what it is, so that it is known again after a restart; tells nothing of an address or a secret. */
  readonly id: string
  /** For people: "ntfy at ntfy.sh". */
  readonly name: string
  /** A person or a group; null for everybody. */
  readonly audience: string | null
  readonly leastUrgency: Urgency
  readonly kinds: readonly NoticeKind[]
  /** Context, bodies and notes too, not only what a card's head shows. */
  readonly full: boolean
  readonly quiet: QuietHours | null
}

export type Channel = Wishes &
  (
    | { readonly kind: 'desktop'; readonly program: 'notify-send' | 'osascript'; readonly path: string }
    /** Signed with each of the secrets: one is being replaced where there are two. */
    | { readonly kind: 'webhook'; readonly url: string; readonly secrets: readonly Uint8Array[] }
    | {
        readonly kind: 'ntfy'
        readonly server: string
        readonly topic: string
        readonly token: string | null
      }
    | { readonly kind: 'slack'; readonly url: string }
  )

export type Belongs = (audience: string, assignee: string) => boolean

/** Whether this decision is for this channel at all. */
export function isMeantFor(
  { audience, leastUrgency }: Channel,
  { assignee, urgency }: Pick<DecisionRecord, 'assignee' | 'urgency'>,
  belongs: Belongs,
): boolean {
  if (URGENCIES.indexOf(urgency) < URGENCIES.indexOf(leastUrgency)) return false
  // What nobody in particular has to answer is everybody's.
  return audience === null || assignee === null || audience === assignee || belongs(audience, assignee)
}
