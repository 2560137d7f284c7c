/** What a thread is told next, and what came of telling it. Pure. */
import { createHash } from 'node:crypto'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { Channel } from './channel.ts'
import { type NoticeKind, noticeOf } from './notice.ts'
import type { Outcome } from './post.ts'
import { afterQuiet } from './quiet-hours.ts'
import { nextAttemptAt } from './retry.ts'
import { evolveThread, NEW_THREAD, nextStep, type Thread, type ThreadEvent } from './thread.ts'

export type ThreadCommand =
  | ({ readonly kind: 'consider' } & Considering)
  /** What came of sending the notice of this id. */
  | { readonly kind: 'settle'; readonly id: string; readonly outcome: Outcome; readonly now: number }

export interface Considering {
  readonly record: DecisionRecord
  readonly channel: Channel
  /** So long a question is kept back that has just opened: a policy may answer it at once. */
  readonly patienceMs: number
  /** Of what is being sent right now nothing is taken back. */
  readonly isBusy: (id: string) => boolean
  readonly now: number
}

export interface DecidedThread {
  readonly state: Thread
  readonly events: readonly ThreadEvent[]
}

export function decideThread(key: string, before: Thread | null, command: ThreadCommand): DecidedThread {
  const thread = before ?? NEW_THREAD
  if (command.kind === 'consider') return considered(key, thread, command)
  const { id, outcome, now } = command
  if (thread.waiting?.id !== id) return { state: thread, events: [] }
  const event = resultOf(thread.waiting, outcome, now)
  return { state: evolveThread(thread, event), events: [event] }
}

/** One thing after the other, until the channel is told what is or waits to be. */
function considered(key: string, before: Thread, command: Considering): DecidedThread {
  const events: ThreadEvent[] = []
  let thread = before
  while (thread.waiting === null || !command.isBusy(thread.waiting.id)) {
    const event = eventFor(key, thread, command)
    if (event === null) break
    events.push(event)
    thread = evolveThread(thread, event)
  }
  return { state: thread, events }
}

function eventFor(key: string, thread: Thread, considering: Considering): ThreadEvent | null {
  const { record, channel, now } = considering
  const step = nextStep(thread, { record, channel, now })
  switch (step.kind) {
    case 'nothing':
      return null
    case 'drop':
      return { type: 'notice.dropped', at: now, id: thread.waiting?.id ?? '' }
    case 'skip': {
      const { id, name } = channel
      const { id: decision, reminders } = record
      return { type: 'notice.skipped', at: now, channel: id, name, decision, kind: step.what, reminders }
    }
    case 'send':
      return {
        type: 'notice.due',
        at: now,
        id: `msg_${short(`${key}\n${thread.version}\n${step.what}`)}`,
        channel: channel.id,
        name: channel.name,
        kind: step.what,
        reminders: record.reminders,
        dueAt: dueAt(step.what, considering),
        notice: noticeOf(record, { kind: step.what, full: channel.full, now }),
      }
  }
}

function dueAt(kind: NoticeKind, { record, channel, patienceMs, now }: Considering): number {
  const at = kind === 'opened' ? now + patienceMs : now
  // That something is over comes without a sound, and takes a question away that nobody should see any more.
  if (channel.quiet === null || record.urgency === 'high' || kind === 'closed') return at
  return afterQuiet(at, channel.quiet)
}

function resultOf(
  { id, attempts }: NonNullable<Thread['waiting']>,
  outcome: Outcome,
  now: number,
): ThreadEvent {
  const { detail } = outcome
  if (outcome.kind === 'sent') return { type: 'notice.sent', at: now, id, detail }
  const attempt = attempts + 1
  const nextAt =
    outcome.kind === 'refused' ? null : nextAttemptAt(attempt, { now, notBefore: outcome.notBefore })
  return nextAt === null
    ? { type: 'notice.given_up', at: now, id, detail }
    : { type: 'notice.failed', at: now, id, attempt, detail, nextAt }
}

export const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)
