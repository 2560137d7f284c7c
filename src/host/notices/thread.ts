/**
 * A thread: everything one channel is told of one decision, in order and one at a time. What it was told is folded from
 * the thread's own events, and what it should be told next follows from that and from the decision as it is now; so it
 * does not matter which events were seen on the way, or how often anybody asks. Pure.
 */
import type { DecisionRecord } from '../../model/decision-record.ts'
import { isPending } from '../../model/decision-record.ts'
import type { Channel } from './channel.ts'
import type { Notice, NoticeKind } from './notice.ts'

export type ThreadEvent =
  | {
      readonly type: 'notice.due'
      readonly at: number
      /** Receivers see it, and it is the same each time it is tried. */
      readonly id: string
      readonly channel: string
      readonly name: string
      readonly kind: NoticeKind
      readonly reminders: number
      readonly dueAt: number
      /** What is said, without the link: that is made when it is sent. */
      readonly notice: Notice
    }
  /** The channel does not want to hear of that, and is taken to know. */
  | {
      readonly type: 'notice.skipped'
      readonly at: number
      readonly channel: string
      readonly name: string
      readonly decision: string
      readonly kind: NoticeKind
      readonly reminders: number
    }
  | { readonly type: 'notice.sent'; readonly at: number; readonly id: string; readonly detail: string }
  | {
      readonly type: 'notice.failed'
      readonly at: number
      readonly id: string
      readonly attempt: number
      readonly detail: string
      readonly nextAt: number
    }
  | { readonly type: 'notice.given_up'; readonly at: number; readonly id: string; readonly detail: string }
  /** It came too late to be worth telling. */
  | { readonly type: 'notice.dropped'; readonly at: number; readonly id: string }

export interface WaitingNotice {
  readonly id: string
  readonly kind: NoticeKind
  readonly notice: Notice
  readonly reminders: number
  readonly attempts: number
  readonly dueAt: number
}

export interface Thread {
  readonly version: number
  readonly channel: string
  readonly name: string
  readonly decision: string
  /** What the channel shows, as far as we know; `lost`: it could not be told that there is something. */
  readonly shown: 'nothing' | 'open' | 'closed' | 'lost'
  readonly reminders: number
  /** Told that the answer could not be delivered. */
  readonly stuck: boolean
  readonly waiting: WaitingNotice | null
  /** Why the last one was given up; empty where it was not. */
  readonly trouble: string
  readonly changedAt: number
}

export const NEW_THREAD: Thread = {
  version: 0,
  channel: '',
  name: '',
  decision: '',
  shown: 'nothing',
  reminders: 0,
  stuck: false,
  waiting: null,
  trouble: '',
  changedAt: 0,
}

export function evolveThread(before: Thread, event: ThreadEvent): Thread {
  const thread = { ...before, version: before.version + 1, changedAt: event.at }
  const { waiting } = thread
  switch (event.type) {
    case 'notice.due': {
      const { id, kind, notice, reminders, dueAt, channel, name } = event
      const next = { id, kind, notice, reminders, dueAt, attempts: 0 }
      return { ...thread, channel, name, decision: notice.decision, waiting: next }
    }
    case 'notice.skipped': {
      const { channel, name, decision } = event
      return knowing({ ...thread, channel, name, decision }, event)
    }
    case 'notice.sent':
      return waiting === null ? thread : { ...knowing(thread, waiting), waiting: null, trouble: '' }
    case 'notice.failed':
      return waiting === null
        ? thread
        : { ...thread, waiting: { ...waiting, attempts: event.attempt, dueAt: event.nextAt } }
    case 'notice.given_up': {
      if (waiting === null) return thread
      const shown = waiting.kind === 'opened' ? 'lost' : null
      const known = knowing(thread, waiting)
      // A lost reminder leaves what was shown as it was.
      const left = shown ?? (waiting.kind === 'closed' ? known.shown : thread.shown)
      return { ...known, shown: left, waiting: null, trouble: event.detail }
    }
    case 'notice.dropped':
      return { ...thread, waiting: null }
  }
}

const knowing = (thread: Thread, { kind, reminders }: Pick<WaitingNotice, 'kind' | 'reminders'>): Thread => {
  switch (kind) {
    case 'opened':
    case 'reminded':
      return { ...thread, shown: 'open', reminders }
    case 'closed':
      return { ...thread, shown: 'closed' }
    case 'undeliverable':
      return { ...thread, stuck: true }
  }
}

export type NoticeStep =
  | { readonly kind: 'nothing' | 'drop' }
  | { readonly kind: 'skip' | 'send'; readonly what: NoticeKind }

/** What is to be done now, so that the channel knows what is. */
export function nextStep(
  thread: Thread,
  {
    record,
    channel,
    now,
  }: { readonly record: DecisionRecord; readonly channel: Channel; readonly now: number },
): NoticeStep {
  const what = wanted(thread, record)
  const { waiting } = thread
  if (waiting !== null) {
    // It may be on its way this very moment: what comes of it is waited for.
    if (waiting.attempts === 0 && waiting.dueAt <= now) return { kind: 'nothing' }
    return { kind: what === waiting.kind ? 'nothing' : 'drop' }
  }
  if (what === null) return { kind: 'nothing' }
  return { kind: channel.kinds.includes(what) ? 'send' : 'skip', what }
}

function wanted({ shown, reminders, stuck }: Thread, record: DecisionRecord): NoticeKind | null {
  if (!isPending(record)) return shown === 'open' ? 'closed' : null
  if (record.status === 'undeliverable') return stuck ? null : 'undeliverable'
  if (shown === 'nothing' || shown === 'closed') return 'opened'
  return record.reminders > reminders ? 'reminded' : null
}
