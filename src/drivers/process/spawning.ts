/** Starts a child process, and finds the words for what went wrong where it could not be started. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'

export interface Command {
  readonly argv: readonly string[]
  /** What it is called where it cannot be started. */
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** What it has beside the three pipes that everybody has. */
  readonly descriptors: readonly ('pipe' | 'ipc' | 'ignore')[]
}

export type Spawned =
  | { readonly child: ChildProcessWithoutNullStreams; readonly pid: number }
  | { readonly error: Promise<string> }

export function spawnCommand(command: Command): Spawned {
  const [program = '', ...args] = command.argv
  const { cwd, env, descriptors } = command
  try {
    // In a session of its own, so that a Ctrl-C meant for us does not reach it.
    const stdio: ('pipe' | 'ipc' | 'ignore' | number)[] = ['pipe', 'pipe', 'pipe', ...descriptors]
    for (const leak of inherited()) {
      // Beyond the first three, what is ignored stays as it is.
      while (stdio.length <= leak) stdio.push('ignore')
      if (stdio[leak] === 'ignore') stdio[leak] = nothing()
    }
    const child = spawn(program, args, { cwd, env, detached: true, stdio })
    if (child.pid !== undefined) return { child: child as ChildProcessWithoutNullStreams, pid: child.pid }
    return { error: new Promise((resolve) => child.once('error', (error) => resolve(why(command, error)))) }
  } catch (error) {
    return { error: Promise.resolve(why(command, error)) }
  }
}

const CLOSES_ON_EXEC = 0o2000000
let leaks: readonly number[] | null = null
let nullDevice: number | null = null

/**
 * What whoever started us left open. A child would have it too, and an open folder leads out of every sandbox, so each
 * is covered. Node closes its own.
 */
function inherited(): readonly number[] {
  leaks ??= readdirOf('/proc/self/fdinfo').filter((fd) => fd > 2 && (flagsOf(fd) & CLOSES_ON_EXEC) === 0)
  return leaks
}

function nothing(): number {
  nullDevice ??= openSync('/dev/null', 'r')
  return nullDevice
}

function readdirOf(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number)
  } catch {
    return []
  }
}

function flagsOf(fd: number): number {
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? []
    return Number.parseInt(flags, 8)
  } catch {
    // It was the one with which the folder was read.
    return CLOSES_ON_EXEC
  }
}

function why({ program, cwd }: Command, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const place = kindOf(cwd)
  if (program === '') return 'No program was named.'
  if (place === 'missing') return `The folder ${cwd} does not exist.`
  if (place === 'other') return `${cwd} is not a folder.`
  if (code === 'ENOENT')
    return isAbsolute(program) && existsSync(program)
      ? `The program ${program} cannot run: the interpreter it names was not found.`
      : `The program ${program} was not found.`
  if (code === 'EACCES')
    return `The program ${program} may not be executed, or the folder ${cwd} not be entered.`
  if (code === 'E2BIG')
    return `The program ${program} was given more arguments and environment than the system allows.`
  if (code === 'EMFILE' || code === 'ENFILE' || code === 'EAGAIN' || code === 'ENOMEM')
    return `The program ${program} could not be started: the system is out of resources (${code}).`
  return `The program ${program} could not be started (${error instanceof Error ? error.message : String(error)}).`
}

function kindOf(path: string): 'folder' | 'other' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other'
  } catch {
    return 'missing'
  }
}
