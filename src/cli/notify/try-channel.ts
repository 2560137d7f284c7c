/** A test notice to one channel, now, and what came of it. */
import { randomBytes } from 'node:crypto'
import type { Notice } from '../../host/notices/notice.ts'
import type { Outcome } from '../../host/notices/post.ts'
import { createSender } from '../../host/notices/sender.ts'
import type { OpenedChannel } from './channels.ts'

export interface TriedChannel {
  readonly channel: string
  readonly result: Outcome['kind'] | 'unusable'
  readonly detail: string
}

/** It is given up after a while by the sender itself. */
export async function tryChannel({ name, channel }: OpenedChannel): Promise<TriedChannel> {
  if ('problem' in channel) return { channel: name, result: 'unusable', detail: channel.problem }
  const now = Date.now()
  const id = `msg_${randomBytes(12).toString('hex')}`
  const { signal } = new AbortController()
  const sent = { id, thread: 'signalbox-test', link: null, now, signal }
  const { kind, detail } = await createSender({ fetch })(channel, testNotice(now), sent)
  return { channel: name, result: kind, detail }
}

const testNotice = (at: number): Notice => ({
  kind: 'test',
  decision: 'test',
  at,
  headline: 'Signalbox can reach you here',
  question: 'This is only a test; nothing waits for you.',
  options: [],
  recommended: null,
  urgency: 'normal',
  expiresAt: null,
  digest: '',
  closing: null,
  full: null,
})
