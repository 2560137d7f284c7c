/**
 * What agents and commands say while they work, one JSON line at a time, in a file a run. Not the journal: nothing is
 * decided by it, and a crash may cost the last line. It has an end: an agent that never stops talking fills no disk.
 */
import { join } from 'node:path'
import type { Clock } from './clock.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'

export interface LogLine {
  readonly at: number
  readonly step: string
  readonly visit: number
  readonly who: string
  readonly kind: 'text' | 'thought' | 'tool' | 'output' | 'note'
  readonly text: string
}

export interface Log {
  /** Output comes in whole lines; words may come in pieces. */
  write(run: string, line: Omit<LogLine, 'at'>): void
  /** Resolves when everything said so far is in its file. */
  flush(): Promise<void>
}

export const logFile = (dir: string, run: string): string => join(dir, `${run}.jsonl`)

/** Words come in pieces; this long they are gathered into one line. */
const GATHER_MS = 250
const LONGEST = 16_000
const LARGEST_FILE = 64 * 1024 * 1024
const MOST_WAITING = 4 * 1024 * 1024

export interface LogOptions {
  readonly dir: string
  readonly clock: Clock
  /** Beyond this nothing more is written, but for a note that says so. */
  readonly maxBytes?: number
  /** What comes faster than it can be written waits in memory, and beyond this is left out, with a note. */
  readonly maxWaitingBytes?: number
}

export function createLog({
  dir,
  clock,
  maxBytes = LARGEST_FILE,
  maxWaitingBytes = MOST_WAITING,
}: LogOptions): Log {
  const files = new Map<string, LogWriter>()
  const gathered = new Map<string, { line: LogLine; callOff: () => void }>()

  const save = (run: string, line: LogLine): void => {
    const known = files.get(run)
    const writer = known ?? createLogWriter({ file: logFile(dir, run), maxBytes, maxWaitingBytes })
    if (known === undefined) files.set(run, writer)
    writer.add(line)
  }
  const release = (key: string, run: string): void => {
    const waiting = gathered.get(key)
    if (waiting === undefined) return
    waiting.callOff()
    gathered.delete(key)
    save(run, waiting.line)
  }

  return {
    write: (run, said) => {
      const key = `${run}\n${said.step}\n${said.who}`
      const waiting = gathered.get(key)
      const line = { at: clock.now(), ...said, text: said.text.slice(0, LONGEST) }
      if (said.kind !== 'text' && said.kind !== 'thought') {
        release(key, run)
        if (said.kind !== 'output') save(run, line)
        else for (const text of blocksOf(said.text)) save(run, { ...line, text })
        return
      }
      const joined =
        waiting !== undefined && waiting.line.kind === line.kind && waiting.line.text.length < LONGEST
      if (joined) {
        waiting.line = { ...waiting.line, text: waiting.line.text + line.text }
        return
      }
      release(key, run)
      const callOff = clock.pause(GATHER_MS, () => release(key, run))
      gathered.set(key, { line, callOff })
    },
    flush: async () => {
      for (const key of [...gathered.keys()]) release(key, key.slice(0, key.indexOf('\n')))
      await Promise.all([...files.values()].map((writer) => writer.written()))
    },
  }
}

/** As few as hold it all, without empty lines; only a line that is itself too long is cut. */
function blocksOf(output: string): string[] {
  const blocks: string[] = []
  for (const ended of output.split('\n')) {
    const line = ended.trimEnd().slice(0, LONGEST)
    const last = blocks.at(-1)
    if (line === '') continue
    if (last !== undefined && last.length + line.length < LONGEST)
      blocks[blocks.length - 1] = `${last}\n${line}`
    else blocks.push(line)
  }
  return blocks
}
