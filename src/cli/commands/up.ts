/** `signalbox up`: the host for everything, until it is stopped. `signalbox down` stops it. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { homeAt } from '../../host/home.ts'
import { acquireHostLock } from '../../journal/index.ts'
import { EXIT } from '../exit.ts'
import { findHost } from '../hosting/connect.ts'
import { becomeHost, type Hosting, type HostingOptions } from '../hosting/hosting.ts'
import { WITH_YOUR_RIGHTS } from '../runs/unconfined.ts'
import { complain } from '../terminal/complaint.ts'
import type { Setting } from './run.ts'

export interface UpOptions {
  readonly port: number
  readonly open?: boolean
  readonly trace?: string
}

export async function up({ port, open, trace }: UpOptions, setting: Setting): Promise<number> {
  const { environment, version, terminal, signal } = setting
  const traceDir = trace === undefined ? null : resolve(trace)
  const hosting = await hostHere({ environment, version, port, work: true, trace: traceDir })
  if ('problem' in hosting) return complain(terminal, hosting.problem, EXIT.failed)
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

const PATIENCE_MS = 5_000
const AGAIN_MS = 50

/** A command that only asks something is the host for a moment; that is waited for. */
async function hostHere(options: HostingOptions): Promise<Hosting | { readonly problem: string }> {
  const { environment } = options
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const hosting = await becomeHost(options)
    if (hosting !== null) return hosting
    const found = await findHost(environment)
    if (found !== null || Date.now() > deadline) {
      const where = found === null ? '' : ` at ${found.url} (process ${found.pid})`
      return { problem: `Signalbox is already up${where}. There is one host for ${environment.home}.` }
    }
    await pause(AGAIN_MS)
  }
}

export async function down({ environment, terminal }: Setting): Promise<number> {
  const found = await findHost(environment)
  if (found === null) {
    terminal.write('No host is running.')
    return EXIT.ok
  }
  const home = homeAt(environment.home)
  writeFileSync(home.stopped, '')
  process.kill(found.pid, 'SIGTERM')
  const deadline = Date.now() + LEAVING_MS
  while (isHeld(home.lock)) {
    if (Date.now() > deadline)
      return complain(terminal, `The host (process ${found.pid}) has not ended yet.`, EXIT.failed)
    await pause(AGAIN_MS)
  }
  terminal.write('Signalbox is down. Its runs go on when it is up again.')
  return EXIT.ok
}

const LEAVING_MS = 30_000

/** Its last act is to let go of the lock. */
function isHeld(file: string): boolean {
  const lock = acquireHostLock({ file })
  lock?.release()
  return lock === null
}

function openBrowser(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
