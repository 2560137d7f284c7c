/**
 * The file of one run's log. Whatever came while the last piece was being written is the next piece, so a flood costs as
 * many writes as the disk can do and no more; what waits is bounded, and so is the file.
 */
import { appendFile, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What of a line matters here. */
interface Line {
  readonly kind: string
  readonly text: string
}

export interface LogWriter {
  add(line: Line): void
  /** Resolves when everything added so far is in the file. */
  written(): Promise<void>
}

export interface LogWriterOptions {
  readonly file: string
  readonly maxBytes: number
  readonly maxWaitingBytes: number
}

export function createLogWriter({ file, maxBytes, maxWaitingBytes }: LogWriterOptions): LogWriter {
  let waiting: string[] = []
  let waitingBytes = 0
  /** How many were left out since the last piece, and the first of them. */
  let leftOut = 0
  let firstLeftOut: Line | null = null
  let isFull = false
  let size: number | null = null
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const piece = waiting
      if (firstLeftOut !== null) piece.push(lineOf({ ...firstLeftOut, ...noted(leftOutNote(leftOut)) }))
      firstLeftOut = null
      leftOut = 0
      waiting = []
      waitingBytes = 0
      try {
        size ??= await sizeOf(file)
        const { text, bytes } = fitting(piece, maxBytes - size)
        if (bytes > 0) {
          await mkdir(dirname(file), { recursive: true, mode: 0o700 })
          await appendFile(file, text, { mode: 0o600 })
        }
        size += bytes
        isFull = size >= maxBytes
      } catch {
        // A full disk must not end a run because of its log.
      }
    }
    writing = null
  }

  return {
    add: (line) => {
      if (isFull) return
      if (waitingBytes > maxWaitingBytes) {
        leftOut++
        firstLeftOut ??= line
        return
      }
      const text = lineOf(line)
      waiting.push(text)
      waitingBytes += Buffer.byteLength(text)
      writing ??= write()
    },
    written: async () => {
      await writing
    },
  }

  /** As many whole lines as there is room for; where that is not all of them, a note is the last, and fills the file. */
  function fitting(lines: readonly string[], room: number): { text: string; bytes: number } {
    if (room <= 0) return { text: '', bytes: 0 }
    let bytes = 0
    const kept = lines.findIndex((line) => {
      bytes += Buffer.byteLength(line)
      return bytes > room
    })
    if (kept === -1) return { text: lines.join(''), bytes }
    const last = JSON.parse(lines[kept]!) as Line
    const note = lineOf({ ...last, ...noted(fullNote(maxBytes)) })
    return { text: lines.slice(0, kept).join('') + note, bytes: room }
  }
}

const lineOf = (line: Line): string => `${JSON.stringify(line)}\n`

const noted = (text: string): Line => ({ kind: 'note', text })

const fullNote = (maxBytes: number): string =>
  `(the log has ${Math.round(maxBytes / 1024 / 1024)} MiB: nothing more is kept in it)`

const leftOutNote = (lines: number): string =>
  `(${lines} lines are left out here: they came faster than they could be written)`

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch {
    return 0
  }
}
