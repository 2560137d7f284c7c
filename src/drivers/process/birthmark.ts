/**
 * A second mark, for what wiped its environment, left its session and lost its parents: the soft limit of the resident
 * set, which Linux has long ceased to look at, which everything started inherits, and which nobody has a reason to change.
 * Whoever means to lose it can; only a sandbox holds those.
 */
import { randomInt } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { isExecutable } from './executable.ts'
import { limitsOf } from './linux.ts'

/** In bytes, and more than any machine has: whoever should look at it after all is not bounded by it. */
export function createBirthmark(): number | null {
  return PRLIMIT === null ? null : 2 ** 44 + randomInt(2 ** 40) * 4096
}

const PRLIMIT =
  process.platform === 'linux' ? (['/usr/bin/prlimit', '/bin/prlimit'].find(isExecutable) ?? null) : null

export interface StartedProgram {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** What cannot be started at all is left as it is: it is to fail by its own name. */
export function birthmarkedArgv(started: StartedProgram, birthmark: number | null): readonly string[] {
  if (birthmark === null || PRLIMIT === null || !canStart(started)) return started.argv
  return [PRLIMIT, `--rss=${birthmark}:`, '--', ...started.argv]
}

export function hasBirthmark(pid: number, birthmarks: readonly number[]): boolean {
  if (birthmarks.length === 0) return false
  const [, soft] = /^Max resident set +(\d+)/m.exec(limitsOf(pid)) ?? []
  return soft !== undefined && birthmarks.includes(Number(soft))
}

function canStart({ argv, cwd, env }: StartedProgram): boolean {
  const [program = ''] = argv
  const places = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  const file = places.map((place) => resolve(cwd, join(place, program))).find(isExecutable)
  return file !== undefined && hasInterpreter(file)
}

function hasInterpreter(file: string): boolean {
  const [, interpreter] = /^#! *(\S+)/.exec(beginningOf(file)) ?? []
  return interpreter === undefined || isExecutable(interpreter)
}

function beginningOf(file: string): string {
  const buffer = Buffer.alloc(256)
  try {
    const fd = openSync(file, 'r')
    const length = readSync(fd, buffer, 0, buffer.length, 0)
    closeSync(fd)
    return buffer.toString('latin1', 0, length)
  } catch {
    return ''
  }
}
