/** What each channel is sent: in its own form, within its limits, whatever an agent wrote. */
import { describe, expect, it } from 'vitest'
import { ntfyAt, recordOf, SECRET, slackAt, webhookAt } from '../../../test/notices.fixture.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { Channel } from './channel.ts'
import { type NoticeKind, noticeOf, textOf } from './notice.ts'
import { afterQuiet } from './quiet-hours.ts'
import { requestFor } from './request.ts'
import { nextAttemptAt } from './retry.ts'
import { parseSecrets, signature } from './webhook.ts'

const NOW = Date.UTC(2024, 5, 1, 12)
const LINK = 'https://box.example/d/d1?t=abc'

function sent(
  channel: Channel,
  record: DecisionRecord,
  kind: NoticeKind = 'opened',
  link: string | null = LINK,
) {
  const notice = noticeOf(record, { kind, full: channel.full, now: NOW })
  const request = requestFor(channel, notice, { id: 'msg_1', thread: 'thread1', link, now: NOW })
  if ('argv' in request) throw new Error('a command was not asked for')
  return { ...request.post, json: JSON.parse(request.post.body) }
}

const desktop = (program: 'notify-send' | 'osascript'): Channel =>
  ({ ...slackAt('http://x'), kind: 'desktop', program, path: `/usr/bin/${program}` }) as Channel

function shown(program: 'notify-send' | 'osascript', record: DecisionRecord): readonly string[] {
  const notice = noticeOf(record, { kind: 'opened', full: false, now: NOW })
  const request = requestFor(desktop(program), notice, { id: '', thread: '', link: LINK, now: NOW })
  return 'argv' in request ? request.argv : []
}

const withHeadline = (headline: string): DecisionRecord => {
  const record = recordOf()
  const options = record.shown.options.map((option) => ({ ...option, label: headline }))
  return { ...record, shown: { ...record.shown, headline, question: headline, options } }
}

/** All that its card shows is its head. */
const headOnly = (record: DecisionRecord = recordOf()): DecisionRecord => ({
  ...record,
  shown: {
    ...record.shown,
    context: {},
    options: record.shown.options.map((each) => ({ ...each, body: '' })),
  },
})

describe('a standard webhook', () => {
  it('is signed as the specification shows', () => {
    const body = '{"test": 2432232314}'
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
    expect(signature({ secret: SECRET, id, timestamp: 1614265330, body })).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
    expect(parseSecrets('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toEqual([SECRET])
  })

  it('is signed with both secrets while one is being replaced', () => {
    const other = new Uint8Array(32).fill(7)
    const { headers, body } = sent(
      webhookAt('http://x', { secrets: [SECRET, other] } as Partial<Channel>),
      recordOf(),
    )
    const signed = { id: 'msg_1', timestamp: NOW / 1000, body }
    expect(headers['webhook-signature']).toBe(
      `${signature({ ...signed, secret: SECRET })} ${signature({ ...signed, secret: other })}`,
    )
  })

  it.each(['', 'secret', 'whsec_', 'whsec_dG9vIHNob3J0', `whsec_${'A'.repeat(200)}`, 'whsec_not base64!'])(
    'takes no %j for a secret',
    (text) => expect(parseSecrets(text)).toBeNull(),
  )

  it('tells when it happened, and who closed it with what', () => {
    const record = recordOf({
      status: 'acted',
      by: { kind: 'policy', name: 'small-things' },
      pick: 'memory',
      note: 'for our ears only',
      stages: [{ status: 'answered', at: NOW - 5000 }],
    })
    const { json, body } = sent(webhookAt('http://x'), record, 'closed')
    expect(json).toMatchObject({
      type: 'decision.closed',
      timestamp: '2024-06-01T11:59:55.000Z',
      data: { closing: { how: 'answered', by: 'policy small-things', pick: 'memory', label: 'In memory' } },
    })
    expect(body).not.toContain('our ears')
    expect(sent(webhookAt('http://x', { full: true }), record, 'closed').json.data.full.note).toBe(
      'for our ears only',
    )
  })
})

describe('ntfy', () => {
  it('[N5] has a button for what can be undone, the recommended one first', () => {
    const { url, json, headers } = sent(
      ntfyAt('https://ntfy.example', { token: 'tk_1' } as Partial<Channel>),
      headOnly(recordOf({ urgency: 'high' })),
    )
    expect(url).toBe('https://ntfy.example/')
    expect(headers['authorization']).toBe('Bearer tk_1')
    expect(json).toEqual({
      topic: 'my-topic',
      title: 'Which cache?',
      message:
        'Redis is here already; memory is simpler.\n• In memory\n• Redis (recommended)\n• Drop the table (cannot be undone)',
      priority: 5,
      tags: ['question'],
      sequence_id: 'thread1',
      click: LINK,
      actions: [
        { action: 'http', label: 'Redis', url: `${LINK}&pick=redis`, method: 'POST', clear: true },
        { action: 'http', label: 'In memory', url: `${LINK}&pick=memory`, method: 'POST', clear: true },
      ],
    })
  })

  it.each<readonly [string, Partial<DecisionRecord['shown']>]>([
    ['a context', { context: { context: 'And then curl | sh.' } }],
    ['a detail', { detail: 'And then curl | sh.' }],
    ['what is proposed', { proposed: { plan: 'And then curl | sh.' } }],
    ['a headline too long', { headline: 'a'.repeat(300) }],
    ['a question too long', { question: 'a'.repeat(1000) }],
    ['a label too long', { options: [{ ...recordOf().shown.options[0]!, body: '', label: 'a'.repeat(41) }] }],
    ['what an option means', { options: recordOf().shown.options }],
  ])('[N7] has no button where it does not show %s', (_what, more) => {
    const record = headOnly()
    const { json } = sent(ntfyAt('https://n'), { ...record, shown: { ...record.shown, ...more } })
    expect(json.actions).toEqual([])
    expect(json.click).toBe(LINK)
  })

  it('[N7] has buttons where it may tell all, and all of it fits', () => {
    const full = ntfyAt('https://n', { full: true } as Partial<Channel>)
    const { json } = sent(full, recordOf())
    expect(json.actions).toHaveLength(2)
    for (const text of ['What redis means in full.', 'The long story of the cache.'])
      expect(json.message).toContain(text)
    const long = { context: 'a'.repeat(2000) }
    const record = recordOf()
    expect(sent(full, { ...record, shown: { ...record.shown, context: long } }).json.actions).toEqual([])
  })

  it('has no button that could not work', () => {
    const local = sent(ntfyAt('https://n'), recordOf(), 'opened', 'http://127.0.0.1:7474/d/d1?t=abc').json
    expect([local.click, local.actions]).toEqual(['http://127.0.0.1:7474/d/d1?t=abc', []])
    const nobody = sent(ntfyAt('https://n'), recordOf(), 'opened', null).json
    expect([nobody.click, nobody.actions]).toEqual([undefined, undefined])
  })

  it('[N5] [Q27] has no button where any answer has a command run outside any sandbox, and says so', () => {
    const { shown: card, ...record } = recordOf()
    const runs = [{ command: 'claude -p', step: '', folder: '/repo', held: 'none' }] as const
    const { json } = sent(ntfyAt('https://n'), { ...record, shown: { ...card, runs } })
    expect(json.actions).toEqual([])
    expect(json.message).toContain('Any answer has a command run outside any sandbox.')
  })

  it('[Q27] has no button for an option that has commands run, says so, and tells them where it may tell all', () => {
    const { shown: card, ...record } = headOnly()
    const command = {
      command: 'npm run deliver -- --tag latest',
      step: 'publish',
      folder: '',
      held: 'run',
    } as const
    const [first, ...rest] = card.options
    const options = [{ ...first!, runs: [command] }, ...rest]
    const { json } = sent(ntfyAt('https://n'), { ...record, shown: { ...card, options } })
    const labels = (json.actions as { label: string }[]).map(({ label }) => label)
    expect(labels).not.toContain(first!.label)
    expect(labels).toHaveLength(rest.filter(({ reversible }) => reversible).length)
    expect(json.message).toContain(`${first!.label}`)
    expect(json.message).toContain('(runs commands)')
    const notice = noticeOf(
      { ...record, shown: { ...card, options } },
      { kind: 'opened', full: true, now: 0 },
    )
    expect(textOf(notice)).toContain('$ npm run deliver -- --tag latest')
  })

  it('has three buttons at most', () => {
    const { shown: card, ...record } = headOnly()
    const options = 'abcdef'.split('').map((key) => ({ ...card.options[0]!, key }))
    expect(sent(ntfyAt('https://n'), { ...record, shown: { ...card, options } }).json.actions).toHaveLength(3)
  })
})

describe('a Slack-compatible webhook', () => {
  it('says it in blocks and in text, and its buttons only open the page', () => {
    const { json } = sent(slackAt('https://hooks.example'), recordOf())
    expect(json.text).toContain('Which cache?')
    expect(json.text).toContain(`<${LINK}|Decide>`)
    expect(json.blocks.map(({ type }: { type: string }) => type)).toEqual(['header', 'section', 'actions'])
    expect(json.blocks[2].elements[1]).toEqual({
      type: 'button',
      text: { type: 'plain_text', text: 'Redis', emoji: false },
      url: `${LINK}&pick=redis`,
    })
  })

  it('tells of an end in one line', () => {
    expect(sent(slackAt('https://h'), recordOf({ status: 'expired' }), 'closed').json).toEqual({
      text: '✓ ```\nWhich cache?: Expired\n```',
    })
  })
})

describe('what an agent wrote, in a chat', () => {
  const MARKS = '```\n*b* _i_ ~s~ [Decide](http://evil) <http://evil|ok> <!channel> @here http://evil `c`'

  it('[N8] stands in code that it cannot end', () => {
    for (const kind of ['opened', 'closed'] as const) {
      const { text } = sent(slackAt('https://h'), withHeadline(MARKS), kind).json as { text: string }
      const outside = text.split('```').filter((_, index) => index % 2 === 0)
      expect(text.match(/`+/g)).toEqual(['```', '```'])
      expect(outside.join('')).not.toMatch(/evil|[*_~[]|&lt;/)
      expect(text).not.toMatch(/<!|<http:\/\/evil|@here/)
    }
  })
})

describe('an unseen letter', () => {
  it('[N6] is named wherever it is sent', () => {
    const record = withHeadline('cannot be \u202Eenodnu\u200B\u{E0041}')
    for (const kind of ['opened', 'closed'] as const) {
      const all = [
        sent(ntfyAt('https://n'), record, kind).body,
        sent(slackAt('https://h'), record, kind).body,
        sent(webhookAt('http://x', { full: true }), record, kind).body,
        ...shown('notify-send', record),
      ]
      for (const each of all) expect(each).not.toMatch(/[\u202E\u{E0041}]/u)
      for (const each of all.slice(0, 3)) expect(each).toContain('⟨U+202E⟩enodnu⟨U+200B⟩⟨U+E0041⟩')
    }
  })
})

describe('a screen', () => {
  it('is written to without a shell, and texts are never options or markup', () => {
    expect(shown('notify-send', withHeadline('--icon=/etc/passwd'))).toEqual([
      '/usr/bin/notify-send',
      '--app-name=Signalbox',
      '--urgency=normal',
      '--',
      '--icon=/etc/passwd',
      expect.stringMatching(/^--icon=/),
    ])
    expect(shown('notify-send', withHeadline('<b>$(id)</b>')).at(-1)).toContain('&lt;b&gt;$(id)&lt;/b&gt;')
    const script = shown('osascript', withHeadline('-e " & (do shell script "id") & "'))
    expect(script.slice(1, 7).join(' ')).not.toContain('shell')
    expect(script.at(-2)).toMatch(/^Signalbox: -e /)
  })
})

describe('whatever an agent wrote', () => {
  const hostile = [
    ['lines that look like headers', 'a\r\nX-Priority: 5\n\nb'],
    ['markup and mentions', '<!channel> <http://evil|ok> @everyone *b* &amp;'],
    ['emoji of several characters', '👩‍👩‍👧‍👦'.repeat(50)],
    ['ten thousand characters', '𝔘'.repeat(10_000)],
    ['controls and overrides', 'a\u0000b\u001b[31mc\u202Edcba'],
    ['half a character', 'a\uD83D'],
  ]

  it.each(hostile)('%s', (_what, text) => {
    const record = withHeadline(text)
    for (const kind of ['opened', 'reminded', 'closed', 'undeliverable'] as const) {
      const ntfy = sent(ntfyAt('https://n'), record, kind)
      expect(Buffer.byteLength(ntfy.json.title)).toBeLessThanOrEqual(1024)
      expect(Buffer.byteLength(ntfy.json.message)).toBeLessThanOrEqual(4096)
      expect(ntfy.json.title).not.toMatch(/[\p{Cc}\u202E]/u)
      expect(Object.values(ntfy.headers).join('')).not.toMatch(/[\r\n]/)
      const slack = sent(slackAt('https://h'), record, kind).json
      expect(slack.text).not.toMatch(/<!|<http:\/\/evil|@everyone/)
      expect(Array.from(slack.text as string).length).toBeLessThan(40_000)
      for (const block of slack.blocks ?? []) {
        if (block.text !== undefined) expect(block.text.type).toBe('plain_text')
        const most = block.type === 'header' ? 150 : 3000
        expect(block.text?.text.length ?? 0).toBeLessThanOrEqual(2 * most)
        expect(Array.from((block.text?.text ?? '') as string).length).toBeLessThanOrEqual(most)
      }
      const { headers } = sent(webhookAt('https://w'), record, kind)
      expect(Object.values(headers).join('')).not.toMatch(/[^\x20-\x7e]/)
    }
    for (const program of ['notify-send', 'osascript'] as const) {
      const argv = shown(program, record)
      expect(argv.join('')).not.toContain('\0')
      expect(Math.max(...argv.map((word) => Array.from(word).length))).toBeLessThan(2_000)
    }
  })
})

describe('when it is tried again', () => {
  it('is later each time, and not for ever', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) =>
      nextAttemptAt(attempts, { now: 0, notBefore: null }),
    )
    expect(waits).toEqual([5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, null])
  })

  it('is when the other side asks for it, within reason', () => {
    expect(nextAttemptAt(1, { now: 0, notBefore: 60_000 })).toBe(60_000)
    expect(nextAttemptAt(3, { now: 0, notBefore: 60_000 })).toBe(120_000)
    expect(nextAttemptAt(1, { now: 0, notBefore: 1e15 })).toBe(86_400_000)
  })
})

describe('quiet hours', () => {
  it.each([
    ['22:00 to 07:00', 22 * 60, 7 * 60, '2024-06-01T23:30', '2024-06-02T07:00'],
    ['22:00 to 07:00', 22 * 60, 7 * 60, '2024-06-01T03:00', '2024-06-01T07:00'],
    ['22:00 to 07:00', 22 * 60, 7 * 60, '2024-06-01T12:00', '2024-06-01T12:00'],
    ['12:00 to 13:00', 12 * 60, 13 * 60, '2024-06-01T12:30', '2024-06-01T13:00'],
    ['12:00 to 13:00', 12 * 60, 13 * 60, '2024-06-01T23:59', '2024-06-01T23:59'],
    ['00:00 to 07:00', 0, 7 * 60, '2024-06-01T05:00', '2024-06-01T07:00'],
  ])('%s', (_text, fromMinute, toMinute, at, until) => {
    const after = afterQuiet(Date.parse(`${at}Z`), { zone: 'UTC', fromMinute, toMinute })
    expect(new Date(after).toISOString().slice(0, 16)).toBe(until)
  })
})
