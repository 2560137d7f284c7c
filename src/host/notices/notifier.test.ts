/** What the notifier holds back, what it leaves to the next one, and what it leaves behind: nothing. */
import { describe, expect, it } from 'vitest'
import {
  noticeEvents,
  openInbox,
  openReceiver,
  recordOf,
  seen,
  webhookAt,
} from '../../../test/notices.fixture.ts'
import { KeptBytesError } from '../../journal/index.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { fileTickets, ticketsUnlike } from '../runs/tickets-unlike.ts'
import { isThreadStream, THREADS, threadRows } from './outbox.ts'

const ANSWERED = { status: 'answered', by: { kind: 'person', name: 'Anna' }, pick: 'redis' } as const

describe('quiet hours', () => {
  const quiet = { zone: 'UTC', fromMinute: 22 * 60, toMinute: 7 * 60 }
  const night = Date.UTC(2024, 0, 10, 23)

  it('hold back what is not urgent, and what is over by then is never told', async () => {
    const clock = createManualClock(night)
    const receiver = await openReceiver()
    const inbox = await openInbox({ clock })
    inbox.notify([webhookAt(receiver.url, { quiet })])
    const waits = await inbox.open()
    const passes = await inbox.open()
    const urgent = await inbox.open({ urgency: 'high' })
    await seen(() => expect(receiver.received.map(({ body }) => body.data.id)).toEqual([urgent]))
    await seen(async () => expect(await inbox.journal().count(THREADS, 'open')).toBe(3))
    await inbox.change(passes, ANSWERED)
    await seen(async () => expect(await noticeEvents(inbox.journal())).toContain('notice.dropped'))
    await seen(() => expect(clock.alarms()).toBe(1))
    clock.advance(8 * 3_600_000)
    await seen(() => expect(receiver.received.map(({ body }) => body.data.id)).toEqual([urgent, waits]))
  })
})

describe('a question that is answered at once', () => {
  it('is never told', async () => {
    const clock = createManualClock(1_700_000_000_000)
    const receiver = await openReceiver()
    const inbox = await openInbox({ clock })
    inbox.notify([webhookAt(receiver.url)], { patienceMs: 1_000 })
    const answered = await inbox.open()
    const waits = await inbox.open()
    await seen(async () => expect(await inbox.journal().count(THREADS, 'open')).toBe(2))
    await inbox.change(answered, ANSWERED)
    await seen(async () => expect(await inbox.journal().count(THREADS, 'open')).toBe(1))
    await seen(() => expect(clock.alarms()).toBe(1))
    clock.advance(1_000)
    await seen(() => expect(receiver.received.map(({ body }) => body.data.id)).toEqual([waits]))
  })
})

describe('[Q28] an answer that can still be taken back', () => {
  it('is told when it counts, and not before', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url)])
    const told = () => receiver.received.map(({ body }) => `${body.type} ${body.data.id}`)
    const held = await inbox.open()
    await seen(() => expect(told()).toEqual([`decision.opened ${held}`]))
    await inbox.change(held, { ...ANSWERED, undoableUntil: 2_000_000_000_000 })
    // What comes after it is told: it was looked at, then.
    const next = await inbox.open()
    await inbox.change(next, ANSWERED)
    await seen(() => expect(told()).toContain(`decision.closed ${next}`))
    expect(told()).not.toContain(`decision.closed ${held}`)
    await inbox.change(held, { undoableUntil: undefined } as object)
    await seen(() => expect(told()).toContain(`decision.closed ${held}`))
  })
})

/** So many notices, each refused once; whoever sent them has gone. */
async function openRefused(count: number) {
  const receiver = await openReceiver()
  receiver.reply(500)
  const clock = createManualClock(1_700_000_000_000)
  const inbox = await openInbox({ clock })
  const first = inbox.notify([webhookAt(receiver.url)])
  for (let nth = 0; nth < count; nth++) await inbox.open()
  await seen(() => expect([receiver.received.length, clock.alarms()]).toEqual([count, 1]))
  await first.close()
  return { receiver, clock, inbox }
}

/** As it is in a file that somebody edits. */
const altered = (what: string) => Promise.reject(new KeptBytesError('', `The record of ${what} was changed.`))

describe('[J9] a notifier', () => {
  it('tells of all others where the record of one was changed', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    // Younger than the channel.
    const openedAt = Date.now() + 60_000
    const [changed, other] = [recordOf({ id: 'q1', openedAt }), recordOf({ id: 'q2', openedAt })]
    inbox.notify([webhookAt(receiver.url)], {
      decisions: {
        list: async () => ({ rows: [changed, other] as never[], next: null }),
        show: (id) => (id === other.id ? Promise.resolve(other) : altered(id)),
      },
    })
    await seen(() => expect(receiver.received.map(({ body }) => body.data.id)).toEqual(['q2']))
    expect(inbox.bugs).toMatchObject([{ code: 'altered' }])
  })

  it('does not try again and again to tell what nobody can read, and gives up what fails with a bug', async () => {
    const { receiver, clock, inbox } = await openRefused(1)
    const journal = inbox.journal()
    const changed = inbox.notify([], {
      journal: {
        ...journal,
        readIntact: (stream) => (isThreadStream(stream) ? altered(stream) : journal.readIntact(stream)),
      },
    })
    await seen(() => expect(clock.alarms()).toBe(1))
    clock.advance(5_000)
    await seen(() => expect(inbox.bugs).toHaveLength(1))
    await seen(async () => expect(await journal.nextDueAt()).toBe(clock.now() + 86_400_000))
    await changed.close()
    clock.advance(86_400_000)
    const send = () => Promise.reject(new TypeError('nobody thought of it'))
    inbox.notify([webhookAt(receiver.url)], { send })
    for (let failure = 2; failure <= 6; failure++) {
      await seen(() => expect([inbox.bugs.length, clock.alarms()]).toEqual([failure, failure < 6 ? 1 : 0]))
      clock.advance(10_000)
    }
    await seen(() => expect(inbox.notes).toEqual([expect.stringContaining('nobody thought of it')]))
    expect(await noticeEvents(journal)).toContain('notice.given_up')
  })
})

describe('[J9] a notice of whose duty somebody made something else', () => {
  it('keeps no other from being sent, is told of once, and can be filed anew', async () => {
    const { receiver, clock, inbox } = await openRefused(2)
    const journal = inbox.journal()
    const claims = await journal.claim({ limit: 9, now: clock.now() + 60_000, leaseMs: 1, kinds: null })
    const [claim] = claims
    const { stream } = claim!.ticket
    const version = (await journal.read(stream, 0)).length
    const nothing = { events: [], retire: [], settle: null, rows: [] }
    const data = { thread: 7 }
    const tickets = [{ ...claim!.ticket, data }]
    await journal.append({ ...nothing, stream, expected: version, retire: [claim!.ticket.id], tickets: [] })
    await journal.append({ ...nothing, stream, expected: version, tickets })
    for (const other of claims.slice(1)) await journal.release(other, clock.now())
    receiver.received.length = 0
    receiver.reply(200)
    clock.advance(60_000)
    const second = inbox.notify([webhookAt(receiver.url)])
    await seen(() => expect(receiver.received).toHaveLength(1))
    await seen(() => expect(inbox.bugs).toMatchObject([{ code: 'altered' }]))
    await second.close()
    expect(await ticketsUnlike(journal, clock.now())).toMatchObject([{ stream }])
    expect(await fileTickets(journal, clock.now())).toBe(1)
    expect(await ticketsUnlike(journal, clock.now())).toEqual([])
    inbox.notify([webhookAt(receiver.url)])
    await seen(() => expect(receiver.received).toHaveLength(2))
  })
})

describe('a notifier', () => {
  it('is told by a channel of which nobody knows any more since when it is there', async () => {
    const receiver = await openReceiver()
    const clock = createManualClock(1_700_000_000_000)
    const inbox = await openInbox({ clock })
    await inbox.notify([webhookAt(receiver.url)]).close()
    await inbox.open()
    const journal = inbox.journal()
    const read: typeof journal.read = (stream, after) =>
      stream.startsWith('notice-channel/') ? altered(stream) : journal.read(stream, after)
    inbox.notify([webhookAt(receiver.url)], { journal: { ...journal, read } })
    await seen(() => expect(receiver.received).toHaveLength(1))
    expect(inbox.bugs).toMatchObject([{ code: 'altered' }])
  })

  it('wants nothing more of a channel that was taken away', async () => {
    const { clock, inbox } = await openRefused(1)
    expect(clock.alarms()).toBe(0)
    inbox.notify([])
    await seen(() => expect(clock.alarms()).toBe(1))
    clock.advance(5_000)
    await seen(() => expect(inbox.notes).toEqual([expect.stringContaining('no longer in the config')]))
    expect(await inbox.journal().nextDueAt()).toBeNull()
  })

  it('waits for an answer when it closes, but not for long', async () => {
    const clock = createManualClock(1_700_000_000_000)
    const receiver = await openReceiver()
    receiver.reply(null)
    const inbox = await openInbox({ clock })
    const notifier = inbox.notify([webhookAt(receiver.url)])
    await inbox.open()
    await seen(() => expect(receiver.received).toHaveLength(1))
    const closed = notifier.close()
    await seen(() => expect(clock.alarms()).toBe(1))
    clock.advance(2_000)
    await closed
    expect(clock.alarms()).toBe(0)
    // It is the next host's.
    expect(await inbox.journal().nextDueAt(['send-notice'])).toBe(0)
  })

  it('keeps its list so that it can be made again from the events', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url)])
    await inbox.open()
    await seen(async () => expect(await noticeEvents(inbox.journal())).toContain('notice.sent'))
    const rows = () => inbox.journal().list({ model: THREADS, facet: null, before: null, limit: 10 })
    const before = await rows()
    expect(before).toHaveLength(1)
    await inbox.journal().rebuild(async (stream, events) => threadRows(stream, events))
    expect(await rows()).toEqual(before)
  })
})
