/** An inbox on a real journal, channels, and receivers that are real servers; gone after each test. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, vi } from 'vitest'
import { aRecord, option } from '../src/engine/decision-row.fixture.ts'
import { type Clock, systemClock } from '../src/host/machine/clock.ts'
import type { Channel } from '../src/host/notices/channel.ts'
import { NOTICE_KINDS } from '../src/host/notices/notice.ts'
import { type Notifier, type NotifierOptions, startNotifier } from '../src/host/notices/notifier.ts'
import { createSender } from '../src/host/notices/sender.ts'
import { type Journal, openSqliteJournal } from '../src/journal/index.ts'
import { type DecisionRecord, isPending } from '../src/model/decision-record.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

export const recordOf = (over: Partial<DecisionRecord> = {}): DecisionRecord =>
  aRecord(
    {
      stream: 'decision/q1',
      run: null,
      step: null,
      cause: 'outside',
      kind: '',
      repo: '/home/me/secret-project',
      runbook: '',
      digest: 'digest-of-what-was-shown',
      openedAt: 0,
      stages: [],
      ...over,
    },
    {
      headline: 'Which cache?',
      question: 'Redis is here already; memory is simpler.',
      context: { context: 'The long story of the cache.' },
      options: [
        optionOf('memory', 'In memory'),
        optionOf('redis', 'Redis'),
        { ...optionOf('drop', 'Drop the table'), reversible: false },
      ],
      recommended: 'redis',
    },
  )

const optionOf = (key: string, label: string) => option(key, { label, body: `What ${key} means in full.` })

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Body
}

/** What tests look at in what a channel was sent. */
interface Body {
  readonly type: string
  readonly data: { readonly id: string; readonly link: string | null; readonly full?: unknown }
  readonly title?: string
  readonly sequence_id?: string
  readonly actions?: unknown
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** What is answered to the requests from now on, the last one for ever; null: nothing at all. */
  reply(...statuses: (number | null | { readonly status: number; readonly retryAfter: string })[]): void
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let replies: Parameters<Receiver['reply']> = [200]
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text) as Body,
      })
      const next = replies.length > 1 ? replies.shift() : replies[0]
      if (next === null || next === undefined) return
      if (typeof next === 'number') response.writeHead(next).end(`said ${request.url}`)
      else response.writeHead(next.status, { 'retry-after': next.retryAfter }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    reply: (...statuses) => {
      replies = statuses
    },
  }
}

/** The specification's own example. */
export const SECRET = new Uint8Array(Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'))

const wishes = (id: string) => ({
  id,
  name: `${id} at a test`,
  audience: null,
  leastUrgency: 'low' as const,
  kinds: NOTICE_KINDS,
  full: false,
  quiet: null,
})

export const webhookAt = (url: string, over: Partial<Channel> = {}): Channel =>
  ({ ...wishes('hook'), kind: 'webhook', url: `${url}/hook`, secrets: [SECRET], ...over }) as Channel

export const ntfyAt = (url: string, over: Partial<Channel> = {}): Channel =>
  ({ ...wishes('ntfy'), kind: 'ntfy', server: `${url}/`, topic: 'my-topic', token: null, ...over }) as Channel

export const slackAt = (url: string, over: Partial<Channel> = {}): Channel =>
  ({ ...wishes('slack'), kind: 'slack', url: `${url}/services/T0/B0/XYZ`, ...over }) as Channel

export interface Inbox {
  readonly journal: () => Journal
  readonly bugs: unknown[]
  readonly notes: string[]
  readonly clock: Clock
  /** Gives back its id. */
  open(over?: Partial<DecisionRecord>): Promise<string>
  change(id: string, over: Partial<DecisionRecord>): Promise<void>
  notify(channels: readonly Channel[], over?: Partial<NotifierOptions>): Notifier
  /** The journal as a killed process leaves it; what goes on in this one is never seen there. */
  crash(): Promise<void>
}

export async function openInbox({ clock = systemClock }: { readonly clock?: Clock } = {}): Promise<Inbox> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-notices-'))
  closing.push(async () => rmSync(folder, { recursive: true, force: true }))
  const records = new Map<string, DecisionRecord>()
  const [bugs, notes]: [unknown[], string[]] = [[], []]
  let files = 0
  let journal = await openSqliteJournal({ file: join(folder, '0.db') })
  closeLater(journal)

  function closeLater(opened: Journal): void {
    closing.push(() => opened.close())
  }

  async function write(record: DecisionRecord, type: string): Promise<void> {
    records.set(record.id, record)
    const { stream, question } = record
    const expected = (await journal.read(stream, 0)).length
    const at = clock.now()
    const events = [{ type, at, data: { type, at, question } }]
    await journal.append({ stream, expected, events, tickets: [], retire: [], settle: null, rows: [] })
  }

  return {
    journal: () => journal,
    bugs,
    notes,
    clock,
    open: async (over = {}) => {
      const id = `q${records.size + 1}`
      const [question, stream] = [id, `decision/${id}`]
      await write(recordOf({ id, stream, question, openedAt: clock.now(), ...over }), 'question.opened')
      return id
    },
    change: async (id, over) => {
      await write({ ...records.get(id)!, ...over }, 'question.changed')
    },
    notify: (channels, over = {}) => {
      const notifier = startNotifier({
        journal,
        clock,
        channels,
        decisions: {
          list: async () => ({ rows: [...records.values()].filter(isPending) as never[], next: null }),
          show: async (id) => records.get(id) ?? { code: 'unknown-decision', problem: `no ${id}` },
        },
        linkFor: ({ id, person }) => `https://box.example/d/${id}?t=for-${person}`,
        personFor: (audience) => audience ?? 'me',
        belongs: (audience, assignee) => audience === 'anna' && assignee === 'team',
        send: createSender({ fetch }),
        patienceMs: 0,
        note: (text) => notes.push(text),
        onBug: (error) => bugs.push(error),
        ...over,
      })
      let closed: Promise<void> | null = null
      const close = (): Promise<void> => {
        closed ??= notifier.close()
        return closed
      }
      closing.push(close)
      return { close }
    },
    crash: async () => {
      const [from, to] = [join(folder, `${files}.db`), join(folder, `${++files}.db`)]
      for (const part of ['', '-wal'])
        if (existsSync(`${from}${part}`)) copyFileSync(`${from}${part}`, `${to}${part}`)
      journal = await openSqliteJournal({ file: to })
      closeLater(journal)
    },
  }
}

export const seen = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 10_000, interval: 5 })

/** Everything a notice thread has been through, by the type of its events. */
export async function noticeEvents(journal: Journal): Promise<string[]> {
  const all = await journal.readAll(0, 1000)
  return all.filter(({ stream }) => stream.startsWith('notice/')).map(({ type }) => type)
}
