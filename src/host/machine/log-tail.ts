/**
 * A run's log, from a place in it or from now on, as it grows. The file system says when. Its watches are limited for each user, and
 * a program of an agent can use them up: then the file is looked at now and then.
 */
import {
  closeSync,
  existsSync,
  type FSWatcher,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  watch,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import type { LogLine } from './log.ts'

export interface Tail {
  /** Reads what is there now. */
  read(): void
  stop(): void
}

export interface TailOptions {
  /** So many bytes into the file, which is where a line begins; or only what comes from now on. */
  readonly from: number | 'end'
  /** `next`: where the line after it begins. */
  readonly onLine: (line: LogLine, next: number) => void
  /** Called once where the file system has no watch left. */
  readonly onUnwatched?: (why: string) => void
}

const CHUNK = 64 * 1024

const LOOK_MS = 500

export function tailLog(file: string, { from, onLine, onUnwatched }: TailOptions): Tail {
  let position = from === 'end' ? 0 : from
  let rest = Buffer.alloc(0)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (from === 'end' && existsSync(file)) position = sizeOf(file)

  const read = (): void => {
    if (!existsSync(file)) return
    const handle = openSync(file, 'r')
    try {
      const chunk = Buffer.alloc(CHUNK)
      for (;;) {
        const count = readSync(handle, chunk, 0, CHUNK, position)
        if (count === 0) return
        position += count
        rest = Buffer.concat([rest, chunk.subarray(0, count)])
        for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
          const line = parsed(rest.subarray(0, end).toString('utf8'))
          rest = rest.subarray(end + 1)
          if (line !== null) onLine(line, position - rest.length)
        }
      }
    } finally {
      closeSync(handle)
    }
  }
  let looking: NodeJS.Timeout | null = null
  const look = (error: Error): void => {
    if (looking !== null) return
    looking = setInterval(read, LOOK_MS)
    onUnwatched?.(`No file watch is left (${error.message}): the log is read every ${LOOK_MS / 1000} s.`)
  }
  const watcher = watchFile(file, { onChange: read, onError: look })
  return {
    read,
    stop: () => {
      watcher?.close()
      if (looking !== null) clearInterval(looking)
    },
  }
}

interface Watching {
  readonly onChange: () => void
  readonly onError: (error: Error) => void
}

/** By its folder: the file may not be there yet. */
function watchFile(file: string, { onChange, onError }: Watching): FSWatcher | null {
  try {
    const watcher = watch(dirname(file), (_event, changed) => {
      if (changed === basename(file)) onChange()
    })
    return watcher.on('error', onError)
  } catch (error) {
    onError(error as Error)
    return null
  }
}

function sizeOf(file: string): number {
  const handle = openSync(file, 'r')
  try {
    return fstatSync(handle).size
  } finally {
    closeSync(handle)
  }
}

/** A last line that a crash cut off is no line. */
function parsed(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine
  } catch {
    return null
  }
}
