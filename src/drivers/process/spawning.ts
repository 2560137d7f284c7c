/** Starts a child process, and finds the words for what went wrong where it could not be started. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'

export interface Command {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Three, and one more for each pipe the program is to have besides. */
  readonly descriptors: number
}

export type Spawned =
  | { readonly child: ChildProcessWithoutNullStreams; readonly pid: number }
  | { readonly error: Promise<string> }

export function spawnCommand(command: Command): Spawned {
  const [program = '', ...args] = command.argv
  const { cwd, env, descriptors } = command
  try {
    // In a session of its own, so that a Ctrl-C meant for us does not reach it.
    const stdio = Array.from({ length: descriptors }, () => 'pipe' as const)
    const child = spawn(program, args, { cwd, env, detached: true, stdio })
    if (child.pid !== undefined) return { child: child as ChildProcessWithoutNullStreams, pid: child.pid }
    return { error: new Promise((resolve) => child.once('error', (error) => resolve(why(command, error)))) }
  } catch (error) {
    return { error: Promise.resolve(why(command, error)) }
  }
}

function why({ argv, cwd }: Command, error: unknown): string {
  const [program = ''] = argv
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
