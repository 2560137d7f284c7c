/** Notices leave the machine signed, once each as far as anybody can promise, and are taken back when it is over. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../src/host/machine/clock.fixture.ts'
import { THREADS } from '../src/host/notices/outbox.ts'
import { WAITS_MS } from '../src/host/notices/retry.ts'
import {
  noticeEvents,
  ntfyAt,
  openInbox,
  openReceiver,
  type Received,
  SECRET,
  seen,
  slackAt,
  webhookAt,
} from './notices.fixture.ts'

const ANSWERED = {
  status: 'answered',
  by: { kind: 'person', name: 'Anna' },
  pick: 'redis',
} as const

const types = (received: readonly Received[]): string[] => received.map(({ body }) => body.type)

const isSigned = ({ headers, text }: Received): boolean => {
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.')
  const wanted = createHmac('sha256', SECRET).update(signed).digest('base64')
  return headers['webhook-signature'] === `v1,${wanted}`
}

describe('a decision that opens', () => {
  it('is told to every channel, signed where there is a secret', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url), ntfyAt(receiver.url), slackAt(receiver.url)])
    const id = await inbox.open()
    await seen(() => expect(receiver.received).toHaveLength(3))
    const hook = receiver.received.find(({ path }) => path === '/hook')!
    expect(isSigned(hook)).toBe(true)
    expect(hook.headers['webhook-id']).toMatch(/^msg_[0-9a-f]{24}$/)
    expect(hook.body).toMatchObject({
      type: 'decision.opened',
      data: { id, headline: 'Which cache?', link: `https://box.example/d/${id}?t=for-me` },
    })
    // Nothing but the head of the card leaves the machine.
    for (const { text } of receiver.received)
      expect(text).not.toMatch(/secret-project|long story|in full|"dev"/)
    expect(inbox.bugs).toEqual([])
  })

  it('is told in full where that is wished', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url, { full: true })])
    await inbox.open()
    await seen(() => expect(receiver.received).toHaveLength(1))
    expect(receiver.received[0]?.body.data.full).toMatchObject({
      context: { context: 'The long story of the cache.' },
      repo: '/home/me/secret-project',
    })
  })

  it('is told to those it concerns, and when it is urgent enough', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([
      webhookAt(`${receiver.url}/anna`, { id: 'a', audience: 'anna' }),
      webhookAt(`${receiver.url}/bob`, { id: 'b', audience: 'bob' }),
      webhookAt(`${receiver.url}/high`, { id: 'c', leastUrgency: 'high' }),
    ])
    await inbox.open({ assignee: 'team' })
    const urgent = await inbox.open({ urgency: 'high', assignee: 'bob' })
    await seen(() => expect(receiver.received).toHaveLength(3))
    const told = receiver.received.map(({ path, body }) => `${path} ${body.data.id === urgent}`)
    expect(told.sort()).toEqual(['/anna/hook false', '/bob/hook true', '/high/hook true'])
  })

  it('carries no link where nobody would answer in their own name', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url, { audience: 'team' })], { personFor: () => null })
    await inbox.open()
    await seen(() => expect(receiver.received).toHaveLength(1))
    expect(receiver.received[0]?.body.data.link).toBeNull()
  })
})

describe('a receiver that fails', () => {
  it('[N1] gets the same notice again, under the same id', async () => {
    const clock = createManualClock(1_700_000_000_000)
    const receiver = await openReceiver()
    receiver.reply(500, 503, 200)
    const inbox = await openInbox({ clock })
    inbox.notify([webhookAt(receiver.url)])
    await inbox.open()
    for (const waitMs of WAITS_MS.slice(0, 2)) {
      const before = receiver.received.length
      await seen(() => expect(clock.alarms()).toBe(1))
      clock.advance(waitMs - 1)
      expect(receiver.received).toHaveLength(Math.max(1, before))
      clock.advance(1)
      await seen(() => expect(receiver.received).toHaveLength(Math.max(1, before) + 1))
    }
    await seen(async () => expect(await noticeEvents(inbox.journal())).toContain('notice.sent'))
    const [first, second, third] = receiver.received
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect([first?.text, second?.text]).toEqual([third?.text, third?.text])
    expect(first?.headers['webhook-timestamp']).not.toBe(third?.headers['webhook-timestamp'])
    expect(receiver.received.every(isSigned)).toBe(true)
    expect(await noticeEvents(inbox.journal())).toEqual([
      'notice.due',
      'notice.failed',
      'notice.failed',
      'notice.sent',
    ])
    await seen(() => expect(clock.alarms()).toBe(0))
  })

  it('[N3] is given up after the last attempt, and that is told', async () => {
    const clock = createManualClock(1_700_000_000_000)
    const receiver = await openReceiver()
    receiver.reply(500)
    const inbox = await openInbox({ clock })
    inbox.notify([webhookAt(receiver.url)])
    const id = await inbox.open()
    for (const [index, waitMs] of WAITS_MS.entries()) {
      await seen(() => expect([receiver.received.length, clock.alarms()]).toEqual([index + 1, 1]))
      clock.advance(waitMs)
    }
    await seen(() =>
      expect(inbox.notes).toEqual([
        `hook at a test could not be told that ${id} is opened: HTTP 500: said …`,
      ]),
    )
    expect(receiver.received).toHaveLength(WAITS_MS.length + 1)
    expect(await inbox.journal().count(THREADS, 'given-up')).toBe(1)
    // It was never told that there is something, so it need not hear that it is over.
    receiver.reply(200)
    await inbox.change(id, ANSWERED)
    const later = await inbox.open()
    await seen(() => expect(receiver.received.at(-1)?.body.data.id).toBe(later))
    expect(types(receiver.received)).not.toContain('decision.closed')
  })

  it('[N3] is not asked again when it says no', async () => {
    const receiver = await openReceiver()
    receiver.reply(410)
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url)])
    await inbox.open()
    await seen(async () =>
      expect(await noticeEvents(inbox.journal())).toEqual(['notice.due', 'notice.given_up']),
    )
    expect(receiver.received).toHaveLength(1)
    expect(inbox.notes[0]).toContain('HTTP 410')
  })

  it('is given the time it asks for', async () => {
    const clock = createManualClock(1_700_000_000_000)
    const receiver = await openReceiver()
    receiver.reply({ status: 429, retryAfter: '60' }, 200)
    const inbox = await openInbox({ clock })
    inbox.notify([webhookAt(receiver.url)])
    await inbox.open()
    await seen(() => expect([receiver.received.length, clock.alarms()]).toEqual([1, 1]))
    clock.advance(59_999)
    expect(clock.alarms()).toBe(1)
    clock.advance(1)
    await seen(() => expect(receiver.received).toHaveLength(2))
  })

  it('does not make us go where it points', async () => {
    const receiver = await openReceiver()
    receiver.reply(307)
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url)])
    await inbox.open()
    await seen(() => expect(inbox.notes).toEqual([expect.stringContaining('redirects are not followed')]))
  })
})

describe('a host that is killed', () => {
  it('[N1] leaves what it had not sent to the next one, under the same id', async () => {
    const receiver = await openReceiver()
    receiver.reply(200, null)
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url)])
    const done = await inbox.open()
    await seen(async () => expect(await noticeEvents(inbox.journal())).toEqual(['notice.due', 'notice.sent']))
    const cut = await inbox.open()
    await seen(() => expect(receiver.received).toHaveLength(2))
    await inbox.crash()
    receiver.reply(200)
    inbox.notify([webhookAt(receiver.url)])
    await seen(async () =>
      expect(await noticeEvents(inbox.journal())).toEqual([
        'notice.due',
        'notice.sent',
        'notice.due',
        'notice.sent',
      ]),
    )
    expect(receiver.received.map(({ body }) => body.data.id)).toEqual([done, cut, cut])
    const [, second, third] = receiver.received
    expect(third?.headers['webhook-id']).toBe(second?.headers['webhook-id'])
  })

  it('may have seen nothing at all of what opened and closed last', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    const first = inbox.notify([webhookAt(receiver.url)])
    const told = await inbox.open()
    await seen(async () => expect(await noticeEvents(inbox.journal())).toContain('notice.sent'))
    await first.close()
    const missed = await inbox.open()
    const unheard = await inbox.open()
    await inbox.change(told, ANSWERED)
    await inbox.change(unheard, ANSWERED)
    await inbox.crash()
    inbox.notify([webhookAt(receiver.url)])
    await seen(() => expect(receiver.received).toHaveLength(3))
    expect(receiver.received.map(({ body }) => `${body.type} ${body.data.id}`).sort()).toEqual([
      `decision.closed ${told}`,
      `decision.opened ${told}`,
      `decision.opened ${missed}`,
    ])
  })

  it('does not flood a channel that is new with what has been waiting', async () => {
    const receiver = await openReceiver()
    const clock = createManualClock(1_700_000_000_000)
    const inbox = await openInbox({ clock })
    await inbox.open()
    clock.advance(1)
    inbox.notify([webhookAt(receiver.url)])
    const fresh = await inbox.open()
    await seen(() => expect(receiver.received.map(({ body }) => body.data.id)).toEqual([fresh]))
  })
})

describe('a decision that is over', () => {
  it('[N2] is closed once in every channel that was told of it', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url), ntfyAt(receiver.url), slackAt(receiver.url)])
    const id = await inbox.open()
    await seen(async () =>
      expect((await noticeEvents(inbox.journal())).filter((type) => type === 'notice.sent')).toHaveLength(3),
    )
    await inbox.change(id, ANSWERED)
    for (const status of ['delivered', 'acknowledged', 'acted'] as const)
      await inbox.change(id, { ...ANSWERED, status })
    await seen(async () =>
      expect((await noticeEvents(inbox.journal())).filter((type) => type === 'notice.sent')).toHaveLength(6),
    )
    const [, hook] = receiver.received.filter(({ path }) => path === '/hook')
    const [opened, ntfy] = receiver.received.filter(({ path }) => path === '/')
    const [, slack] = receiver.received.filter(({ path }) => path.startsWith('/services'))
    expect(hook?.body).toMatchObject({
      type: 'decision.closed',
      data: { id, closing: { how: 'answered', by: 'Anna', pick: 'redis', label: 'Redis' } },
    })
    expect(ntfy?.body).toMatchObject({
      title: opened?.body.title,
      sequence_id: opened?.body.sequence_id,
      message: 'Answered by Anna: Redis',
      priority: 1,
    })
    expect(ntfy?.body.actions).toBeUndefined()
    expect(slack?.body).toEqual({ text: '✓ ```\nWhich cache?: Answered by Anna: Redis\n```' })
    expect(receiver.received).toHaveLength(6)
    expect(await inbox.journal().count(THREADS, 'open')).toBe(0)
  })

  it('[N2] is closed where it was open, even if it closed while that was on its way', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url)])
    for (let each = 0; each < 20; each++) await inbox.change(await inbox.open(), ANSWERED)
    const idle = async (): Promise<void> =>
      expect([await inbox.journal().count(THREADS, 'open'), await inbox.journal().nextDueAt()]).toEqual([
        0,
        null,
      ])
    await seen(idle)
    const count = (type: string): number => types(receiver.received).filter((each) => each === type).length
    expect(count('decision.closed')).toBe(count('decision.opened'))
    expect(inbox.bugs).toEqual([])
  })

  it('opens again when the answer is taken back', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url)])
    const id = await inbox.open()
    await seen(() => expect(receiver.received).toHaveLength(1))
    await inbox.change(id, ANSWERED)
    await seen(() => expect(receiver.received).toHaveLength(2))
    await inbox.change(id, { status: 'open', by: null, pick: '' })
    await seen(() => expect(receiver.received).toHaveLength(3))
    await inbox.change(id, ANSWERED)
    await seen(() => expect(receiver.received).toHaveLength(4))
    expect(types(receiver.received)).toEqual([
      'decision.opened',
      'decision.closed',
      'decision.opened',
      'decision.closed',
    ])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4)
  })

  it('tells of reminders and of answers that did not arrive, each once', async () => {
    const receiver = await openReceiver()
    const inbox = await openInbox()
    inbox.notify([webhookAt(receiver.url)])
    const id = await inbox.open()
    await seen(() => expect(receiver.received).toHaveLength(1))
    await inbox.change(id, { reminders: 1 })
    await seen(() => expect(receiver.received).toHaveLength(2))
    await inbox.change(id, { ...ANSWERED, reminders: 1 })
    await seen(() => expect(receiver.received).toHaveLength(3))
    await inbox.change(id, { ...ANSWERED, status: 'undeliverable' })
    await seen(() => expect(receiver.received).toHaveLength(4))
    expect(types(receiver.received)).toEqual([
      'decision.opened',
      'decision.reminded',
      'decision.closed',
      'decision.undeliverable',
    ])
  })
})
