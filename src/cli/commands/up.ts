/** `signalbox up`: the host for everything, until it is stopped. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { homeAt } from '../../host/machine/home.ts'
import { EXIT } from '../exit.ts'
import type { Hosting } from '../hosting/become-host.ts'
import { reachHost } from '../hosting/reach-host.ts'
import { WITH_YOUR_RIGHTS } from '../runs/unconfined.ts'
import { unknownWorktrees } from '../runs/unknown-worktrees.ts'
import { openBrowser } from '../terminal/browser.ts'
import { complain } from '../terminal/complaint.ts'
import { portNumber } from '../terminal/number.ts'
import { type CommandSetting, settingOf, type Wiring } from '../wiring.ts'

export function addUp(program: Command, wiring: Wiring): void {
  program
    .command('up')
    .description('host everything here until stopped')
    .option('--port <n>', 'where to listen; 0 for any port that is free', portNumber, 7474)
    .option('--open', 'open a browser, logged in')
    .option('--listen <address[:port]>', 'an address of this machine to be reached at from others, too')
    .option('--tls-cert <file>', 'the certificate for --listen')
    .option('--tls-key <file>', 'its key')
    .option('--behind-proxy', 'a proxy at `public_url` encrypts, and passes everything on with its Host')
    .option('--trace <dir>', 'keep the wire traffic of agents there')
    .action(async (options: UpOptions) => wiring.finish(await up(options, settingOf(wiring))))
}

export interface UpOptions {
  readonly port: number
  readonly open?: boolean
  readonly trace?: string
  readonly listen?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly behindProxy?: boolean
}

async function up(options: UpOptions, setting: CommandSetting): Promise<number> {
  const { port, open, trace } = options
  const { environment, version, terminal, signal } = setting
  const traceDir = trace === undefined ? null : resolve(trace)
  const tls = tlsOf(options)
  if (tls !== null && 'problem' in tls) return complain(terminal, tls.problem, EXIT.usage)
  const { reachFor } = await import('../../http/wide-reach.ts')
  const { listen = null, behindProxy = false } = options
  const reach = (publicUrl: string | null) => reachFor({ listen, tls, behindProxy, publicUrl })
  const reached = await reachHost({ environment, version, otherwise: 'work', port, trace: traceDir, reach })
  if ('problem' in reached) return complain(terminal, reached.problem, EXIT.failed)
  const { hosting, remote } = reached
  if (hosting === null)
    return complain(
      terminal,
      `Signalbox is already up at ${remote!.url} (process ${remote!.pid}). There is one host for ${environment.home}.`,
      EXIT.failed,
    )
  sayWhere(hosting, setting)
  // Now, and not with the first run: by then another version may have been put in its place.
  void import('../runbooks/sources.ts').catch(() => {})
  if (traceDir !== null)
    terminal.write(
      terminal.paint('dim', `What agents and Signalbox say to each other is kept in ${traceDir}.`),
    )
  const going = await hosting.operations.runs({ all: false, limit: 1000 })
  if (going.length > 0)
    terminal.write(
      terminal.paint('dim', `${going.length} ${going.length === 1 ? 'run goes' : 'runs go'} on.`),
    )
  const unknown =
    going.length > 0 ? null : await unknownWorktrees(homeAt(environment.home), hosting.operations)
  if (unknown !== null) terminal.write(terminal.paint('yellow', `Here ${unknown}`))
  if (open === true) openBrowser(hosting.createLoginLink!(), homeAt(environment.home).logins)
  await new Promise<void>((stop) => {
    if (signal.aborted) stop()
    signal.addEventListener('abort', () => stop(), { once: true })
  })
  await hosting.close()
  return EXIT.ok
}

function sayWhere(
  { url, wideUrl, createLoginLink, unconfined }: Hosting,
  { terminal }: CommandSetting,
): void {
  const { paint } = terminal
  terminal.write(`Signalbox is up at ${paint('bold', url!)}`)
  if (wideUrl !== null) terminal.write(`From elsewhere: ${paint('bold', wideUrl)}`)
  // In a log it would lie about for others who read it.
  if (process.stdout.isTTY === true)
    terminal.write(
      `In the browser: ${paint('cyan', createLoginLink!())} ${paint('dim', '(opens once; signalbox open makes another)')}`,
    )
  else terminal.write('In the browser: signalbox open')
  if (unconfined !== null) terminal.write(paint('yellow', `${unconfined} ${WITH_YOUR_RIGHTS}`))
}

function tlsOf({ tlsCert, tlsKey }: UpOptions) {
  if (tlsCert === undefined && tlsKey === undefined) return null
  if (tlsCert === undefined || tlsKey === undefined)
    return { problem: 'A certificate and its key belong together: --tls-cert FILE --tls-key FILE.' }
  try {
    return { cert: readFileSync(resolve(tlsCert), 'utf8'), key: readFileSync(resolve(tlsKey), 'utf8') }
  } catch (error) {
    return { problem: `It cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
