/** `signalbox up`: the host for everything, until it is stopped. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { EXIT } from '../exit.ts'
import { reachHost } from '../hosting/reach-host.ts'
import { WITH_YOUR_RIGHTS } from '../runs/unconfined.ts'
import { complain } from '../terminal/complaint.ts'
import { portNumber } from '../terminal/number.ts'
import { type CommandSetting, settingOf, type Wiring } from '../wiring.ts'

export function addUp(program: Command, wiring: Wiring): void {
  program
    .command('up')
    .description('host everything here until stopped')
    .option('--port <n>', 'where to listen; 0 for any port that is free', portNumber, 7474)
    .option('--open', 'open a browser')
    .option('--trace <dir>', 'keep the wire traffic of agents there')
    .action(async (options: UpOptions) => wiring.finish(await up(options, settingOf(wiring))))
}

export interface UpOptions {
  readonly port: number
  readonly open?: boolean
  readonly trace?: string
}

async function up({ port, open, trace }: UpOptions, setting: CommandSetting): Promise<number> {
  const { environment, version, terminal, signal } = setting
  const traceDir = trace === undefined ? null : resolve(trace)
  const reached = await reachHost({ environment, version, otherwise: 'work', port, trace: traceDir })
  if ('problem' in reached) return complain(terminal, reached.problem, EXIT.failed)
  const { hosting, remote } = reached
  if (hosting === null)
    return complain(
      terminal,
      `Signalbox is already up at ${remote!.url} (process ${remote!.pid}). There is one host for ${environment.home}.`,
      EXIT.failed,
    )
  terminal.write(`Signalbox is up at ${terminal.paint('bold', hosting.url!)}`)
  if (hosting.unconfined !== null)
    terminal.write(terminal.paint('yellow', `${hosting.unconfined} ${WITH_YOUR_RIGHTS}`))
  if (traceDir !== null)
    terminal.write(
      terminal.paint('dim', `What agents and Signalbox say to each other is kept in ${traceDir}.`),
    )
  const going = await hosting.operations.runs({ all: false, limit: 1000 })
  if (going.length > 0)
    terminal.write(
      terminal.paint('dim', `${going.length} ${going.length === 1 ? 'run goes' : 'runs go'} on.`),
    )
  if (open === true) openBrowser(hosting.url!)
  await new Promise<void>((stop) => {
    if (signal.aborted) stop()
    signal.addEventListener('abort', () => stop(), { once: true })
  })
  await hosting.close()
  return EXIT.ok
}

function openBrowser(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
