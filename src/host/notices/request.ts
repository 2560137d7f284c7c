/** What is to be done to tell somebody: a request in the form of the channel, or a command. Pure. */
import type { Channel } from './channel.ts'
import { desktopArgv } from './desktop.ts'
import type { Notice } from './notice.ts'
import { ntfyPost } from './ntfy.ts'
import type { Post } from './post.ts'
import { slackPost } from './slack.ts'
import { webhookPost } from './webhook.ts'

export type Request = { readonly post: Post } | { readonly argv: readonly string[] }

export interface Telling {
  /** Of the notice, and the same each time it is tried. */
  readonly id: string
  /** Of everything that is said of this decision here. */
  readonly thread: string
  readonly link: string | null
  readonly now: number
}

export function requestFor(channel: Channel, notice: Notice, { id, thread, link, now }: Telling): Request {
  switch (channel.kind) {
    case 'desktop':
      return { argv: desktopArgv(notice, channel) }
    case 'webhook':
      return { post: webhookPost(notice, { url: channel.url, secrets: channel.secrets, id, link, now }) }
    case 'ntfy': {
      const { server, topic, token } = channel
      return { post: ntfyPost(notice, { server, topic, token, thread, link }) }
    }
    case 'slack':
      return { post: slackPost(notice, { url: channel.url, link }) }
  }
}
