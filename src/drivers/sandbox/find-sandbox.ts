/** Whether a sandbox can be made here. Many containers have the program for it and forbid what it needs. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import type { Stream } from 'node:stream'
import { isExecutable } from '../process/executable.ts'
import { findControlGroups } from './control-group.ts'
import { openLoopbackProxy } from './loopback-proxy.ts'
import { emptySandbox, NO_LIMITS, type Sandbox, type SandboxEngine, WORLD } from './sandbox.ts'
import { sandboxed } from './sandboxed.ts'
import { STATUS_FD, WORDS_FD } from './sandboxed-command.ts'
import { prepareSystemView } from './system-view.ts'

export type FoundSandbox = { readonly engine: SandboxEngine } | { readonly why: string }

const TRIAL_MS = 10_000

export async function findSandbox(
  searchPath: string = process.env['PATH'] ?? '',
  platform: NodeJS.Platform = process.platform,
): Promise<FoundSandbox> {
  const found = await findUntried(searchPath, platform)
  if ('why' in found) return found
  const { engine } = found
  if (!(await prepareSystemView()))
    return { why: 'find (findutils) is not installed: it looks for files that are not for everybody.' }
  const trouble = await troubleWith(emptySandbox(engine))
  if (trouble === null) return { engine: await withLimits(await withNetwork(engine, searchPath), searchPath) }
  return { why: `${engine.kind} (${engine.program}) does not work here: ${trouble}` }
}

/** One that is here; whether it works shows once it is used. For a single process, which a trial would keep waiting. */
export async function findUntried(
  searchPath: string,
  platform: NodeJS.Platform = process.platform,
): Promise<FoundSandbox> {
  const engine = platform === 'darwin' ? await seatbeltEngine() : bubblewrapEngine(searchPath)
  if (engine !== null) return { engine }
  return { why: platform === 'darwin' ? `${SEATBELT} is not here.` : 'bubblewrap (bwrap) is not installed.' }
}

function bubblewrapEngine(searchPath: string): SandboxEngine | null {
  const program = programIn(searchPath, 'bwrap')
  const bare = { perl: null, groups: null, limitsTemporary: false }
  return program === null ? null : { kind: 'bubblewrap', program, ...bare }
}

/** With the limits that this machine can hold. */
async function withLimits(engine: SandboxEngine, searchPath: string): Promise<SandboxEngine> {
  if (engine.kind !== 'bubblewrap') return engine
  const limiting = { ...engine, groups: findControlGroups(searchPath), limitsTemporary: true }
  const limits = { ...NO_LIMITS, temporaryBytes: 1024 * 1024 }
  const trouble = await troubleWith({ ...emptySandbox(limiting), limits })
  return { ...limiting, limitsTemporary: trouble === null }
}

/** With perl, where perl can make a network. */
async function withNetwork(engine: SandboxEngine, searchPath: string): Promise<SandboxEngine> {
  const perl = programIn(searchPath, 'perl')
  if (engine.kind !== 'bubblewrap' || perl === null) return engine
  const better = { ...engine, perl }
  const network = { hosts: [WORLD], ports: [] }
  return (await troubleWith({ ...emptySandbox(better), network })) === null ? better : engine
}

const programIn = (searchPath: string, name: string): string | null =>
  searchPath
    .split(delimiter)
    .map((dir) => join(dir, name))
    .find(isExecutable) ?? null

/** A part of macOS: one of that name elsewhere is somebody else's. */
const SEATBELT = '/usr/bin/sandbox-exec'

async function seatbeltEngine(): Promise<SandboxEngine | null> {
  if (!isExecutable(SEATBELT)) return null
  return { kind: 'seatbelt', program: SEATBELT, proxy: await openLoopbackProxy() }
}

async function troubleWith(sandbox: Sandbox): Promise<string | null> {
  const command = sandboxed(sandbox, { argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {} })
  const [program = '', ...args] = command.argv
  const { env, descriptors } = command
  const child = spawn(program, args, {
    env,
    stdio: ['ignore', 'ignore', 'pipe', ...descriptors],
    detached: true,
  })
  const end = () => killGroup(child.pid)
  const timer = setTimeout(end, TRIAL_MS)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const pipes: readonly (Stream | null | undefined)[] = child.stdio
  for (const pipe of pipes) pipe?.on('error', () => {})
  for (const fd of [STATUS_FD, WORDS_FD]) pipes[fd]?.on('data', () => {})
  const attendance = command.attend(child)
  // Where it fails half-way it may leave a part of itself behind.
  child.once('exit', end)
  const trouble = await new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (code) => resolve(code === 0 ? null : stderr.trim() || 'it did not end well.'))
  })
  clearTimeout(timer)
  attendance.end()
  return trouble
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}
