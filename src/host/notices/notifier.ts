/**
 * The notifier: follows the journal, sees to it that every channel knows what has become of each decision, and sends.
 * Nothing is polled: a decision is considered when something happened to it, when a notice of it came to an end, and
 * once when the host starts, because the one before may have been killed between the two.
 */
import type { Claim, Journal, ListRequest, Row } from '../../journal/index.ts'
import { type DecisionRow, isPending } from '../../model/decision-record.ts'
import type { Rejection } from '../../model/refusal.ts'
import { createPump } from '../duty/pump.ts'
import type { DecisionPage, Decisions } from '../inbox/decisions.ts'
import type { Clock } from '../machine/clock.ts'
import { type Belongs, type Channel, isMeantFor } from './channel.ts'
import { decisionOf } from './decision-of.ts'
import { knownSince } from './known-channels.ts'
import type { Notice } from './notice.ts'
import { createOutbox, type Errand, isThreadStream, SEND_NOTICE, THREADS, type ThreadRow } from './outbox.ts'
import type { Outcome } from './post.ts'
import type { Sender } from './sender.ts'

export interface NotifierOptions {
  readonly journal: Journal
  readonly clock: Clock
  readonly channels: readonly Channel[]
  readonly decisions: Pick<Decisions, 'list' | 'show'>
  /** The whole address of the page on which this person decides this. */
  readonly linkFor: (order: {
    readonly id: string
    readonly person: string
    readonly digest: string
  }) => string
  /** In whose name links of a channel decide; null: a group cannot. */
  readonly personFor: (audience: string | null) => string | null
  /** Whether somebody is in a group. */
  readonly belongs: Belongs
  readonly send: Sender
  /** So long a question is kept back that has just opened: a policy may answer it at once. */
  readonly patienceMs: number
  /** For the host's log. */
  readonly note: (text: string) => void
  readonly onBug: (error: unknown) => void
}

export interface Notifier {
  /** Lets what is on its way arrive, for a moment; the rest is left to the next host. */
  close(): Promise<void>
}

const LEASE_MS = 60_000
const AT_A_TIME = 8
const PAGE = 200
const GRACE_MS = 2_000
const AGAIN_MS = 10_000

export function startNotifier(options: NotifierOptions): Notifier {
  const { journal, clock, channels, decisions, onBug } = options
  const sending = new Map<string, Promise<void>>()
  const considering = new Set<Promise<void>>()
  const abort = new AbortController()
  const outbox = createOutbox({
    journal,
    clock,
    patienceMs: options.patienceMs,
    isBusy: (id) => sending.has(id),
  })
  let closed = false
  let callOffTimer = (): void => {}

  const pump = createPump({
    work: async () => {
      const limit = AT_A_TIME - sending.size
      if (limit <= 0) return
      const claims = await journal.claim({ limit, now: clock.now(), leaseMs: LEASE_MS, kinds: [SEND_NOTICE] })
      for (const claim of claims)
        if (closed) await journal.release(claim, 0)
        else begin(claim)
    },
    rest: async () => {
      // Whoever is sent next is sent when one of these is done.
      if (sending.size >= AT_A_TIME) return
      const next = await journal.nextDueAt([SEND_NOTICE])
      if (closed) return
      if (next === null) callOffTimer()
      else wakeAt(next)
    },
    isClosed: () => closed,
    onFailure: (error) => {
      onBug(error)
      if (!closed) wakeAt(clock.now() + AGAIN_MS)
    },
  })

  function wakeAt(at: number): void {
    callOffTimer()
    callOffTimer = clock.alarm(at, pump.prod)
  }

  function begin(claim: Claim): void {
    const { id } = claim.ticket.data as Errand
    const done = run(claim)
      .catch(async (error: unknown) => {
        onBug(error)
        await journal.release(claim, clock.now() + AGAIN_MS)
        return null
      })
      .then((decision) => {
        sending.delete(id)
        if (closed) return
        // What happened to the decision meanwhile was not looked at.
        if (decision !== null && channels.length > 0) watched(look(decision, channels))
        pump.prod()
      })
      .catch(onBug)
    sending.set(id, done)
  }

  /** Sends it, and gives back whose decision it was. */
  async function run(claim: Claim): Promise<string | null> {
    const errand = claim.ticket.data as Errand
    const thread = await outbox.load(errand.thread)
    const { waiting } = thread
    const isDue = waiting?.id === errand.id
    const outcome = isDue ? await tell(errand, thread.channel, waiting.notice) : NOT_DUE
    // Nobody knows whether it arrived: the next host tries it again, under the same id.
    if (abort.signal.aborted && outcome.kind !== 'sent') {
      await journal.release(claim, 0)
      return null
    }
    const { trouble, waiting: left } = await outbox.settle(claim, outcome)
    if (isDue && outcome.kind !== 'sent' && left === null)
      options.note(`${thread.name} could not be told that ${thread.decision} is ${waiting.kind}: ${trouble}`)
    return thread.decision
  }

  async function tell(errand: Errand, channelId: string, notice: Notice): Promise<Outcome> {
    const channel = channels.find(({ id }) => id === channelId)
    if (channel === undefined) return { kind: 'refused', detail: 'it is no longer in the config' }
    const { decision: id, digest } = notice
    const person = options.personFor(channel.audience)
    return options.send(channel, notice, {
      ...errand,
      link: person === null ? null : options.linkFor({ id, person, digest }),
      now: clock.now(),
      signal: abort.signal,
    })
  }

  /** Whatever is known of it by now counts, not what made us look. */
  async function look(id: string, those: readonly Channel[]): Promise<void> {
    const record = await decisions.show(id)
    // An answer that may still be taken back is told when it counts.
    if ('problem' in record || record.undoableUntil !== undefined) return
    // Whoever was told of it hears that it is over, even if it became somebody else's meanwhile.
    for (const channel of those)
      if (!isPending(record) || isMeantFor(channel, record, options.belongs))
        if (!closed) await outbox.consider(record, channel)
  }

  function watched(work: Promise<void>): void {
    const done: Promise<void> = work.catch(onBug).finally(() => considering.delete(done))
    considering.add(done)
  }

  /** What the host before this one did not come to. */
  async function catchUp(): Promise<void> {
    const since = await knownSince({ journal, clock, channels })
    const seen = new Set<string>()
    for await (const { id, openedAt } of pendingDecisions(decisions)) {
      if (closed) return
      seen.add(id)
      await look(
        id,
        channels.filter((channel) => openedAt >= (since.get(channel.id) ?? 0)),
      )
    }
    for await (const { decision } of openThreads(journal)) {
      if (closed) return
      if (!seen.has(decision)) await look(decision, channels)
      seen.add(decision)
    }
  }

  const unfollow = journal.follow((events) => {
    if (channels.length > 0)
      for (const id of new Set(events.flatMap((event) => decisionOf(event) ?? [])))
        watched(look(id, channels))
    if (events.some(({ stream }) => isThreadStream(stream))) pump.prod()
  })
  if (channels.length > 0) watched(catchUp())
  pump.prod()

  return {
    close: async () => {
      closed = true
      unfollow()
      callOffTimer()
      const callOffGrace = clock.pause(GRACE_MS, () => abort.abort())
      await pump.idle()
      await Promise.all(sending.values())
      await Promise.all(considering)
      await pump.idle()
      callOffGrace()
    },
  }
}

const NOT_DUE: Outcome = { kind: 'refused', detail: 'it is no longer due' }

async function* pendingDecisions(decisions: Pick<Decisions, 'list'>): AsyncGenerator<DecisionRow> {
  let cursor: string | null = null
  do {
    const page: DecisionPage | Rejection = await decisions.list({
      status: 'pending',
      snoozed: true,
      cursor,
      limit: PAGE,
    })
    if ('problem' in page) throw new Error(page.problem)
    yield* page.rows
    cursor = page.next
  } while (cursor !== null)
}

async function* openThreads(journal: Journal): AsyncGenerator<ThreadRow> {
  let before: ListRequest['before'] = null
  for (;;) {
    const rows: readonly Row[] = await journal.list({ model: THREADS, facet: 'open', before, limit: PAGE })
    for (const { data } of rows) yield data as ThreadRow
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    before = { rank: last.rank, key: last.key }
  }
}
