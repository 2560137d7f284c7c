/** What the tests of processes need: a folder of their own, sleepers to recognise, and a look at who is alive. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Launch } from '../driver.ts'
import type { Process } from './identity.ts'
import { type LaunchOptions, launch, type Running } from './launch.ts'
import { readProcessTable } from './table.ts'

export const isLinux = process.platform === 'linux'

export const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' }

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-process-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A shell script, running until the test ends. */
export function run(
  script: string,
  more: Partial<Launch> & { readonly options?: LaunchOptions } = {},
): Running {
  const { options = {}, ...rest } = more
  const running = launch({ argv: ['sh', '-c', script], cwd: '/', env, sandbox: null, ...rest }, options)
  onTestFinished(() => running.stop(0))
  return running
}

let sleepers = 0

/** A command that sleeps for ever and whose arguments nobody else has. */
export function sleeper(): { readonly command: string; readonly alive: () => number[] } {
  const seconds = `86400.${process.pid}${String(performance.now()).replace('.', '')}${sleepers++}`
  onTestFinished(() => {
    for (const pid of pidsOf(seconds)) process.kill(pid, 'SIGKILL')
  })
  return { command: `sleep ${seconds}`, alive: () => pidsOf(seconds) }
}

/** Who sleeps for so long, by the arguments of everybody in the process table. */
function pidsOf(seconds: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && commandLineOf(pid) === `sleep\0${seconds}\0`)
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Children, their children and so on, parents first. */
export async function descendantsOf(pid: number): Promise<Process[]> {
  const table = await readProcessTable()
  const found: Process[] = []
  const line = new Set([pid])
  for (let before = -1; before < found.length; ) {
    before = found.length
    for (const process of table)
      if (line.has(process.parent) && !line.has(process.pid)) {
        line.add(process.pid)
        found.push(process)
      }
  }
  return found
}

/** All of stdout, once it has ended. */
export async function stdoutOf(running: Running): Promise<string> {
  return await text(running.stdout)
}
