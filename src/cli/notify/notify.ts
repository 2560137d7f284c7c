/** `signalbox notify test`: one notice to every channel, at once, and what came of it. */
import { randomBytes } from 'node:crypto'
import type { Notice } from '../../host/notices/notice.ts'
import type { Outcome } from '../../host/notices/post.ts'
import { createSender, type Sender } from '../../host/notices/sender.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { diagnosticsText } from '../runbooks/diagnostics-text.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type OpenedChannel, openChannels } from './channels.ts'

export interface NotifySetting {
  readonly terminal: Terminal
  readonly environment: Environment
}

interface Tried {
  readonly channel: string
  readonly result: Outcome['kind'] | 'unusable'
  readonly detail: string
}

export async function notifyTest(
  options: { readonly json?: boolean },
  { terminal, environment }: NotifySetting,
): Promise<number> {
  const { configDir } = environment
  const { config, diagnostics } = readConfig({ configDir, repo: null })
  if (hasErrors(diagnostics)) {
    terminal.write(diagnosticsText(diagnostics, `${configDir}/config.yaml`, terminal))
    return EXIT.failed
  }
  if (config.notify.length === 0)
    return complain(
      terminal,
      `No channel is configured. Add \`notify:\` to ${configDir}/config.yaml.`,
      EXIT.usage,
    )
  terminal.progress('telling every channel…')
  const trying = { send: createSender({ fetch }), signal: new AbortController().signal }
  const tried = await Promise.all(
    openChannels(config.notify, environment).map((each) => tryOne(each, trying)),
  )
  terminal.clearProgress()
  terminal.write(
    options.json === true ? JSON.stringify(tried, null, 2) : tried.map(lineOf(terminal)).join('\n'),
  )
  return tried.every(({ result }) => result === 'sent') ? EXIT.ok : EXIT.failed
}

async function tryOne(
  { name, channel }: OpenedChannel,
  { send, signal }: { readonly send: Sender; readonly signal: AbortSignal },
): Promise<Tried> {
  if ('problem' in channel) return { channel: name, result: 'unusable', detail: channel.problem }
  const now = Date.now()
  const id = `msg_${randomBytes(12).toString('hex')}`
  const { kind, detail } = await send(channel, testNotice(now), {
    id,
    thread: 'signalbox-test',
    link: null,
    now,
    signal,
  })
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

const lineOf =
  ({ paint }: Terminal) =>
  ({ channel, result, detail }: Tried): string =>
    `${result === 'sent' ? paint('green', '✓') : paint('red', '✗')} ${paint('bold', channel)}  ${detail}`
