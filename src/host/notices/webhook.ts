/** Standard Webhooks 1.0: the body as JSON, signed together with its id and the time of the attempt. Pure. */
import { createHmac } from 'node:crypto'
import type { Notice } from './notice.ts'
import type { Post } from './post.ts'

export interface WebhookOrder {
  readonly url: string
  readonly secrets: readonly Uint8Array[]
  /** Stays the same however often it is sent: receivers know by it what they have had. */
  readonly id: string
  readonly link: string | null
  readonly now: number
}

export function webhookPost(notice: Notice, { url, secrets, id, link, now }: WebhookOrder): Post {
  const body = JSON.stringify({
    type: notice.kind === 'test' ? 'signalbox.test' : `decision.${notice.kind}`,
    timestamp: new Date(notice.at).toISOString(),
    data: dataOf(notice, link),
  })
  const timestamp = Math.floor(now / 1000)
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': secrets.map((secret) => signature({ secret, id, timestamp, body })).join(' '),
    },
    body,
  }
}

export function signature({
  secret,
  id,
  timestamp,
  body,
}: {
  readonly secret: Uint8Array
  readonly id: string
  /** In seconds. */
  readonly timestamp: number
  readonly body: string
}): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

const PREFIX = 'whsec_'
/** What the specification asks of a secret. */
const [FEWEST_BYTES, MOST_BYTES] = [24, 64]

/** One secret, or two while one is being replaced; null where the text is none. */
export function parseSecrets(text: string): readonly Uint8Array[] | null {
  const words = text.trim().split(/\s+/)
  const secrets = words.map((word) => {
    const bytes = Buffer.from(word.slice(PREFIX.length), 'base64')
    const isOne = word.startsWith(PREFIX) && /^[A-Za-z0-9+/]+={0,2}$/.test(word.slice(PREFIX.length))
    return isOne && bytes.length >= FEWEST_BYTES && bytes.length <= MOST_BYTES ? new Uint8Array(bytes) : null
  })
  return secrets.includes(null) ? null : (secrets as Uint8Array[])
}

function dataOf(notice: Notice, link: string | null): Readonly<Record<string, unknown>> {
  const { decision, headline, question, options, recommended, urgency, expiresAt, closing, full } = notice
  return {
    id: decision,
    headline,
    question,
    options,
    recommended,
    urgency,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    ...(closing === null ? { link } : { closing }),
    ...(full === null ? {} : { full }),
  }
}
