/** A run's log, from its beginning or from now on, as it grows. The file system tells when; nothing is polled. */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { LogLine } from '../../host/machine/log.ts'

export interface Tail {
  /** Reads what is there now. */
  read(): void
  stop(): void
}

const CHUNK = 64 * 1024

export function tailLog(
  file: string,
  { fromEnd, onLine }: { readonly fromEnd: boolean; readonly onLine: (line: LogLine) => void },
): Tail {
  let position = 0
  let rest = Buffer.alloc(0)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (fromEnd && existsSync(file)) position = sizeOf(file)

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
          if (line !== null) onLine(line)
          rest = rest.subarray(end + 1)
        }
      }
    } finally {
      closeSync(handle)
    }
  }
  const name = basename(file)
  const watcher = watch(dirname(file), (_event, changed) => {
    if (changed === name) read()
  })
  return { read, stop: () => watcher.close() }
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
