/**
 * The outbox: threads in the journal. What is to be told is an event with a ticket before anything leaves the machine,
 * and what came of it is an event that settles the ticket: a crash loses no notice, and at worst repeats one under the
 * same id.
 */
import { createHash } from 'node:crypto'
import type { Claim, Journal, Row, StoredEvent, Ticket } from '../../journal/index.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { Clock } from '../clock.ts'
import { createKeyedMutex } from '../keyed-mutex.ts'
import type { Channel } from './channel.ts'
import { type NoticeKind, noticeOf } from './notice.ts'
import type { Outcome } from './post.ts'
import { afterQuiet } from './quiet-hours.ts'
import { nextAttemptAt } from './retry.ts'
import { evolveThread, NEW_THREAD, nextStep, type Thread, type ThreadEvent } from './thread.ts'

export const SEND_NOTICE = 'send-notice'

/** The threads, as far as lists need them. */
export const THREADS = 'notice'

export interface ThreadRow {
  readonly channel: string
  /** For people. */
  readonly name: string
  readonly decision: string
  readonly trouble: string
}

/** What a ticket stands for. */
export interface Errand {
  readonly thread: string
  readonly id: string
}

export interface Outbox {
  load(thread: string): Promise<Thread>
  /** Writes down what the channel is to be told of this decision, if anything is. */
  consider(record: DecisionRecord, channel: Channel): Promise<void>
  /** What came of sending it; gives back what the thread is then. */
  settle(claim: Claim, outcome: Outcome): Promise<Thread>
}

export interface OutboxOptions {
  readonly journal: Journal
  readonly clock: Clock
  /** So long a question is kept back that has just opened: a policy may answer it at once. */
  readonly patienceMs: number
  /** Of what is being sent right now nothing is taken back. */
  readonly isBusy: (id: string) => boolean
}

const streamOfThread = (thread: string): string => `notice/${thread}`
export const isThreadStream = (stream: string): boolean => stream.startsWith('notice/')
const threadOf = (stream: string): string => stream.slice('notice/'.length)

/** One thread for each channel and decision, whoever asks and however often. */
const threadFor = (channel: string, decision: string): string => short(`${channel}\n${decision}`)

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

export function createOutbox({ journal, clock, patienceMs, isBusy }: OutboxOptions): Outbox {
  const inTurn = createKeyedMutex()
  const load = async (thread: string): Promise<Thread> =>
    foldThread(await journal.read(streamOfThread(thread), 0))

  /** False: somebody else wrote meanwhile, or has the errand now. */
  async function write(key: string, before: Thread, { event, settle }: Writing): Promise<boolean> {
    const after = evolveThread(before, event)
    const gone = before.waiting === null || settle !== null ? [] : [ticketId(before.waiting)]
    const appended = await journal.append({
      stream: streamOfThread(key),
      expected: before.version,
      events: [{ type: event.type, at: event.at, data: event }],
      tickets: ticketsOf(key, after),
      retire: after.waiting === null ? gone : [],
      settle,
      rows: [rowOf(key, after)],
    })
    return appended.done || appended.reason === 'claim-lost'
  }

  return {
    load,
    consider: (record, channel) => {
      const key = threadFor(channel.id, record.id)
      return inTurn(key, async () => {
        for (;;) {
          const thread = await load(key)
          if (thread.waiting !== null && isBusy(thread.waiting.id)) return
          const event = eventFor(thread, { key, record, channel, patienceMs, now: clock.now() })
          if (event === null) return
          await write(key, thread, { event, settle: null })
        }
      })
    },
    settle: (claim, outcome) => {
      const { thread: key, id } = claim.ticket.data as Errand
      return inTurn(key, async () => {
        for (;;) {
          const thread = await load(key)
          if (thread.waiting?.id !== id) {
            await journal.append({
              ...NOTHING,
              stream: streamOfThread(key),
              expected: thread.version,
              settle: claim,
            })
            return thread
          }
          const event = resultOf(thread.waiting, outcome, clock.now())
          if (await write(key, thread, { event, settle: claim })) return load(key)
        }
      })
    },
  }
}

interface Writing {
  readonly event: ThreadEvent
  readonly settle: Claim | null
}

const NOTHING = { events: [], tickets: [], retire: [], rows: [] } as const

interface Considering {
  readonly key: string
  readonly record: DecisionRecord
  readonly channel: Channel
  readonly patienceMs: number
  readonly now: number
}

function eventFor(thread: Thread, considering: Considering): ThreadEvent | null {
  const { key, record, channel, now } = considering
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

const foldThread = (events: readonly StoredEvent[]): Thread =>
  events.reduce((thread, { data }) => evolveThread(thread, data as ThreadEvent), NEW_THREAD)

const ticketId = ({ id, attempts }: NonNullable<Thread['waiting']>): string => `${id}/${attempts}`

function ticketsOf(key: string, { waiting }: Thread): Ticket[] {
  if (waiting === null) return []
  const data: Errand = { thread: key, id: waiting.id }
  return [
    { id: ticketId(waiting), stream: streamOfThread(key), kind: SEND_NOTICE, dueAt: waiting.dueAt, data },
  ]
}

/** For `doctor --rebuild`: the row of a thread, from its events alone. */
export const threadRows = (stream: string, events: readonly StoredEvent[]): readonly Row[] =>
  isThreadStream(stream) && events.length > 0 ? [rowOf(threadOf(stream), foldThread(events))] : []

function rowOf(key: string, { channel, name, decision, trouble, ...thread }: Thread): Row {
  const data: ThreadRow = { channel, name, decision, trouble }
  const isOpen = thread.waiting !== null || thread.shown === 'open'
  const facet = isOpen ? 'open' : trouble === '' ? 'closed' : 'given-up'
  return { model: THREADS, key, facet, rank: thread.changedAt, data }
}
