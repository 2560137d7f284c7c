/** Does what a request says. The one place here that reaches out of this process. */
import { execFile } from 'node:child_process'
import type { Channel } from './channel.ts'
import type { Notice } from './notice.ts'
import { type Outcome, post } from './post.ts'
import { requestFor, type Telling } from './request.ts'

export type Sender = (channel: Channel, notice: Notice, telling: Telling & Ending) => Promise<Outcome>

interface Ending {
  readonly signal: AbortSignal
}

const COMMAND_MS = 10_000

export const createSender =
  ({ fetch }: { readonly fetch: typeof globalThis.fetch }): Sender =>
  async (channel, notice, { signal, ...telling }) => {
    const request = requestFor(channel, notice, telling)
    const outcome =
      'argv' in request
        ? await command(request.argv, signal)
        : await post(request.post, { fetch, signal, now: telling.now })
    return { ...outcome, detail: withoutSecrets(outcome.detail, channel) }
  }

/** A screen that cannot be reached now need not show it in an hour. */
function command([file = '', ...args]: readonly string[], signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(file, args, { signal, timeout: COMMAND_MS }, (error) => {
      if (error === null) resolve({ kind: 'sent', detail: 'shown' })
      else if (signal.aborted)
        resolve({ kind: 'failed', detail: 'given up because the host closes', notBefore: null })
      else
        resolve({
          kind: 'refused',
          detail: `the command ended with ${error.code ?? error.signal ?? 'an error'}`,
        })
    })
  })
}

/** A server may say back what it was sent. */
function withoutSecrets(detail: string, channel: Channel): string {
  return secretsOf(channel).reduce((text, secret) => text.replaceAll(secret, '…'), detail)
}

function secretsOf(channel: Channel): readonly string[] {
  switch (channel.kind) {
    case 'desktop':
      return []
    case 'webhook':
      return [
        ...channel.secrets.map((secret) => Buffer.from(secret).toString('base64')),
        ...partsOf(channel.url),
      ]
    case 'slack':
      return partsOf(channel.url)
    case 'ntfy':
      return [channel.topic, ...(channel.token === null ? [] : [channel.token])]
  }
}

/** The path of such an address is what makes it secret. */
function partsOf(address: string): readonly string[] {
  const { href, pathname, search } = new URL(address)
  return [href, `${pathname}${search}`].filter((part) => part.length > 1)
}
