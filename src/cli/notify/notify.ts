/** `signalbox notify test`: one notice to every channel, at once, and what came of it. */
import { hasErrors } from '../../model/diagnostic.ts'
import { readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { diagnosticsText } from '../runbooks/diagnostics-text.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { openChannels } from './channels.ts'
import { type TriedChannel, tryChannel } from './try-channel.ts'

export interface NotifySetting {
  readonly terminal: Terminal
  readonly environment: Environment
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
  const tried = await Promise.all(openChannels(config.notify, environment).map(tryChannel))
  terminal.clearProgress()
  terminal.write(
    options.json === true ? JSON.stringify(tried, null, 2) : tried.map(lineOf(terminal)).join('\n'),
  )
  return tried.every(({ result }) => result === 'sent') ? EXIT.ok : EXIT.failed
}

const lineOf =
  ({ paint }: Terminal) =>
  ({ channel, result, detail }: TriedChannel): string =>
    `${result === 'sent' ? paint('green', '✓') : paint('red', '✗')} ${paint('bold', channel)}  ${detail}`
