/**
 * The outbox: threads in the journal. What is to be told is an event with a ticket before anything leaves the machine,
 * and what came of it is an event that settles the ticket: a crash loses no notice, and at worst repeats one under the
 * same id.
 */
import type { Claim, Journal, Row, StoredEvent, Ticket } from '../../journal/index.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { Clock } from '../machine/clock.ts'
import { createStreams, type StreamKind } from '../streams/streams.ts'
import { usable } from '../streams/usable.ts'
import type { Channel } from './channel.ts'
import { type Considering, decideThread, short, type ThreadCommand } from './decide-thread.ts'
import type { Outcome } from './post.ts'
import { evolveThread, NEW_THREAD, type Thread, type ThreadEvent } from './thread.ts'

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

/** Whoever has the database can write anything in its place. */
export function isErrand(data: unknown): data is Errand {
  const { thread, id } = (data ?? {}) as Partial<Errand>
  return typeof thread === 'string' && typeof id === 'string'
}

export interface Outbox {
  load(thread: string): Promise<Thread>
  /** Writes down what the channel is to be told of this decision, if anything is. */
  consider(record: DecisionRecord, channel: Channel): Promise<void>
  /** What came of sending it; gives back what the thread is then. */
  settle(claim: Claim, outcome: Outcome): Promise<Thread>
}

export interface OutboxOptions extends Pick<Considering, 'patienceMs' | 'isBusy'> {
  readonly journal: Journal
  readonly clock: Clock
}

export const streamOfThread = (thread: string): string => `notice/${thread}`
export const isThreadStream = (stream: string): boolean => stream.startsWith('notice/')
const threadOf = (stream: string): string => stream.slice('notice/'.length)

/** One thread for each channel and decision, whoever asks and however often. */
const threadFor = (channel: string, decision: string): string => short(`${channel}\n${decision}`)

export function createOutbox({ journal, clock, patienceMs, isBusy }: OutboxOptions): Outbox {
  const threads = createStreams(journal, THREAD)
  const load = async (key: string): Promise<Thread> => (await threads.load(key)) ?? NEW_THREAD
  return {
    load,
    consider: async (record, channel) => {
      const about = { record, channel, patienceMs, isBusy, now: clock.now() }
      await threads.execute(threadFor(channel.id, record.id), { kind: 'consider', ...about })
    },
    settle: async (claim, outcome) => {
      const { thread: key, id } = claim.ticket.data as Errand
      await threads.execute(key, { kind: 'settle', id, outcome, now: clock.now() }, { settle: claim })
      return load(key)
    },
  }
}

const THREAD: StreamKind<Thread, ThreadCommand, ThreadEvent> = {
  streamOf: streamOfThread,
  fold: (events) => (events.length === 0 ? null : foldThread(events)),
  decide: decideThread,
  ticketsOf,
  rowsOf: (key, thread) => [rowOf(key, thread)],
}

const foldThread = (events: readonly StoredEvent[]): Thread =>
  usable(events[0]!.stream, () =>
    events.reduce((thread, { data }) => evolveThread(thread, data as ThreadEvent), NEW_THREAD),
  )

const ticketId = ({ id, attempts }: NonNullable<Thread['waiting']>): string => `${id}/${attempts}`

function ticketsOf(key: string, { waiting }: Thread): Ticket[] {
  if (waiting === null) return []
  const data: Errand = { thread: key, id: waiting.id }
  return [
    { id: ticketId(waiting), stream: streamOfThread(key), kind: SEND_NOTICE, dueAt: waiting.dueAt, data },
  ]
}

/** What is still to be sent by its events alone. */
export const threadTickets = (stream: string, events: readonly StoredEvent[]): readonly Ticket[] =>
  events.length === 0 ? [] : ticketsOf(threadOf(stream), foldThread(events))

/** For `doctor --rebuild`: the row of a thread, from its events alone. */
export const threadRows = (stream: string, events: readonly StoredEvent[]): readonly Row[] =>
  isThreadStream(stream) && events.length > 0 ? [rowOf(threadOf(stream), foldThread(events))] : []

function rowOf(key: string, { channel, name, decision, trouble, ...thread }: Thread): Row {
  const data: ThreadRow = { channel, name, decision, trouble }
  const isOpen = thread.waiting !== null || thread.shown === 'open'
  const facet = isOpen ? 'open' : trouble === '' ? 'closed' : 'given-up'
  return { model: THREADS, key, facet, rank: thread.changedAt, data }
}
