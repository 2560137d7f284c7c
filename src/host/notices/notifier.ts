/**
 * The notifier: follows the journal, sees to it that every channel knows what has become of each decision, and sends.
 * Nothing is polled: a decision is considered when something happened to it, when a notice of it came to an end, and
 * once when the host starts, because the one before may have been killed between the two.
 */
import type { Claim, Journal } from '../../journal/index.ts'
import { isPending } from '../../model/decision-record.ts'
import { isAltered } from '../../model/failure.ts'
import { UnusableDutyError } from '../duty/failures.ts'
import { MOST_FAILURES } from '../duty/give-up.ts'
import { createPump } from '../duty/pump.ts'
import type { Decisions } from '../inbox/decisions.ts'
import type { Clock } from '../machine/clock.ts'
import { storageFailureOf } from '../machine/storage.ts'
import { apart } from '../streams/apart.ts'
import { type Belongs, type Channel, isMeantFor } from './channel.ts'
import { decisionOf } from './decision-of.ts'
import { knownSince } from './known-channels.ts'
import type { Notice } from './notice.ts'
import { createOutbox, type Errand, isErrand, isThreadStream, SEND_NOTICE } from './outbox.ts'
import type { Outcome } from './post.ts'
import type { Sender } from './sender.ts'
import { openThreads, pendingDecisions } from './untold.ts'

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
const GRACE_MS = 2_000
const AGAIN_MS = 10_000
/** Only another database puts it right. */
const ALTERED_AGAIN_MS = 24 * 60 * 60_000

export function startNotifier(options: NotifierOptions): Notifier {
  const { journal, clock, channels, decisions, onBug } = options
  const sending = new Map<string, Promise<void>>()
  const considering = new Set<Promise<void>>()
  /** How often an errand has failed with a bug, by ticket. */
  const failures = new Map<string, number>()
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
    if (!isErrand(claim.ticket.data)) {
      onBug(new UnusableDutyError(claim.ticket.stream))
      watched(journal.release(claim, clock.now() + ALTERED_AGAIN_MS))
      return
    }
    const { id } = claim.ticket.data
    const done = run(claim)
      .catch((error: unknown) => failed(claim, error))
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

  /** What fails with a bug is tried a few times and given up; of what was changed in the store nobody can write even that. */
  async function failed(claim: Claim, error: unknown): Promise<string | null> {
    onBug(error)
    const { id } = claim.ticket
    const again = async (inMs: number): Promise<null> => {
      await journal.release(claim, clock.now() + inMs)
      return null
    }
    if (isAltered(error)) return again(ALTERED_AGAIN_MS)
    if (storageFailureOf(error) !== null) return again(AGAIN_MS)
    const count = (failures.get(id) ?? 0) + 1
    failures.set(id, count)
    if (count < MOST_FAILURES) return again(AGAIN_MS)
    failures.delete(id)
    const detail = `Signalbox failed ${count} times in the middle of this. ${String(error)}`
    try {
      return await settle(claim, { kind: 'refused', detail })
    } catch (more) {
      onBug(more)
      return again(ALTERED_AGAIN_MS)
    }
  }

  async function settle(claim: Claim, outcome: Outcome): Promise<string> {
    const { thread, id } = claim.ticket.data as Errand
    const { waiting } = await outbox.load(thread)
    const { name, decision, trouble, waiting: left } = await outbox.settle(claim, outcome)
    if (waiting?.id === id && outcome.kind !== 'sent' && left === null)
      options.note(`${name} could not be told that ${decision} is ${waiting.kind}: ${trouble}`)
    return decision
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
    return settle(claim, outcome)
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
    const meant = those.filter(
      (channel) => !isPending(record) || isMeantFor(channel, record, options.belongs),
    )
    const consider = async (channel: Channel): Promise<void> => {
      if (!closed) await outbox.consider(record, channel)
    }
    await apart(meant, consider, onBug)
  }

  function watched(work: Promise<void>): void {
    const done: Promise<void> = work.catch(onBug).finally(() => considering.delete(done))
    considering.add(done)
  }

  /** What the host before this one did not come to. */
  async function catchUp(): Promise<void> {
    const since = await knownSince({ journal, clock, channels, onBug })
    const seen = new Set<string>()
    const lookOnce = async (id: string, those: readonly Channel[]): Promise<void> => {
      if (closed || seen.has(id)) return
      seen.add(id)
      await look(id, those)
    }
    const known = (at: number): readonly Channel[] => channels.filter(({ id }) => at >= (since.get(id) ?? 0))
    await apart(pendingDecisions(decisions), ({ id, openedAt }) => lookOnce(id, known(openedAt)), onBug)
    await apart(openThreads(journal), ({ decision }) => lookOnce(decision, channels), onBug)
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
