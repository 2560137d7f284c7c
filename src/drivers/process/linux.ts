/**
 * Linux tells about processes in /proc. Read synchronously: the files are made up in memory, and hundreds of small
 * reads through the thread pool would take far longer, in which the table changes.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import type { Process } from './identity.ts'

export function readProc(): Process[] {
  const found: Process[] = []
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    const process = Number.isInteger(pid) ? readOne(pid) : null
    if (process !== null) found.push(process)
  }
  return found
}

export function readOne(pid: number): Process | null {
  const stat = readStat(pid)
  if (stat === null || !isProgram(stat)) return null
  return {
    pid,
    startTime: startTimeIn(stat),
    name: stat.name,
    parent: Number(field(stat, 4)),
    group: Number(field(stat, 5)),
    session: Number(field(stat, 6)),
  }
}

/** Also of a zombie. */
export function startTimeOf(pid: number): string | null {
  const stat = readStat(pid)
  return stat === null ? null : startTimeIn(stat)
}

/** Whether a start time is earlier than another. Those of two boots cannot be held against each other. */
export function isEarlier(startTime: string, other: string): boolean {
  const [[boot, ticks], [otherBoot, otherTicks]] = [startTime.split('-'), other.split('-')]
  return boot === otherBoot && Number(ticks) < Number(otherTicks)
}

const startTimeIn = (stat: Stat) => `${bootId()}-${field(stat, 22)}`

/**
 * One variable of the environment a process was started with; null also where we may not look. While a program is
 * being replaced by another, its environment is empty for a moment: then we cannot tell yet.
 */
export function variableOf(pid: number, name: string): { readonly value: string | null } | 'starting' {
  const environ = read(`/proc/${pid}/environ`)
  if (environ === null) return { value: null }
  if (environ.length === 0) return isStarting(pid) ? 'starting' : { value: null }
  const key = `${name}=`
  const isFirst = environ.subarray(0, key.length).equals(Buffer.from(key))
  const before = isFirst ? -1 : environ.indexOf(`\0${key}`)
  if (before === -1 && !isFirst) return { value: null }
  const start = before + 1 + key.length
  const end = environ.indexOf(0, start)
  return { value: environ.toString('utf8', start, end === -1 ? environ.length : end) }
}

/** What a process and all it starts may use, as a table; empty where we may not look. */
export const limitsOf = (pid: number): string => read(`/proc/${pid}/limits`)?.toString('latin1') ?? ''

/** No address for the end of its environment yet. */
function isStarting(pid: number): boolean {
  const stat = readStat(pid)
  return stat !== null && isProgram(stat) && field(stat, 51) === '0'
}

interface Stat {
  readonly pid: number
  readonly name: string
  /** From the third on. */
  readonly fields: readonly string[]
}

const field = ({ fields }: Stat, number: number) => fields[number - 3] ?? ''

function readStat(pid: number): Stat | null {
  const text = read(`/proc/${pid}/stat`)?.toString('latin1')
  if (text === undefined) return null
  // The name stands in brackets and may itself hold spaces and brackets.
  const close = text.lastIndexOf(')')
  const name = text.slice(text.indexOf('(') + 1, close)
  return {
    pid,
    name,
    fields: text
      .slice(close + 2)
      .trimEnd()
      .split(' '),
  }
}

const KERNEL_THREAD = 0x0020_0000

/** Neither a zombie nor a part of the kernel. */
function isProgram(stat: Stat): boolean {
  // The first thread of a process may end before the others: then it looks like a zombie and is none.
  const isOver = ['Z', 'X'].includes(field(stat, 3)) && Number(field(stat, 20)) <= 1
  return !isOver && (Number(field(stat, 9)) & KERNEL_THREAD) === 0
}

let boot: string | null = null

/** Start times count from the boot: without it, a process after a reboot could look like one before. */
function bootId(): string {
  boot ??= (read('/proc/sys/kernel/random/boot_id')?.toString('latin1') ?? '').slice(0, 8)
  return boot
}

/** Holds what was read last: to look once is hundreds of reads, and a new buffer for each takes longer than they do. */
let buffer = Buffer.allocUnsafe(16 * 1024)

function read(path: string): Buffer | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    for (let length = 0; ; ) {
      const more = readSync(file, buffer, length, buffer.length - length, null)
      if (more === 0) return buffer.subarray(0, length)
      length += more
      if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length)
    }
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}
