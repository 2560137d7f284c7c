/**
 * What agents answered when they were last asked, so that a listing need not start them. Kept with the host's data, and
 * forgotten when the program is another: it can always be asked again.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Probe } from '../../drivers/acp/probe.ts'

export interface Remembered {
  readonly probe: Probe
  /** ISO 8601. */
  readonly askedAt: string
}

export interface AskedProgram {
  readonly path: string
  readonly args: readonly string[]
}

export interface AgentsMemory {
  recall(program: AskedProgram): Remembered | null
  keep(entries: readonly (readonly [program: AskedProgram, remembered: Remembered])[]): void
}

export function openMemory(home: string): AgentsMemory {
  const file = join(home, 'agents.json')
  return {
    recall: (program) => {
      const key = keyOf(program)
      return key === null ? null : (read(file)[key] ?? null)
    },
    keep: (entries) => {
      const kept = { ...read(file) }
      for (const [program, remembered] of entries) {
        const key = keyOf(program)
        if (key !== null) kept[key] = remembered
      }
      write(file, kept)
    },
  }
}

/** Null: it is not there any more. */
function keyOf({ path, args }: AskedProgram): string | null {
  try {
    const { mtimeMs, size } = statSync(path)
    return JSON.stringify([path, ...args, size, mtimeMs])
  } catch {
    return null
  }
}

type Kept = Record<string, Remembered>

function read(file: string): Kept {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {}
  } catch {
    // Missing, or half written by something else: they are asked again.
    return {}
  }
}

function write(file: string, kept: Kept): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
    renameSync(draft, file)
  } catch {
    // A home that cannot be written to is told of by whoever needs it.
  }
}
