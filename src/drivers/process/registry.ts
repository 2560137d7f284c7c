/**
 * Which launched processes are alive, kept on disk: a host that was killed ends them at its next start. One small
 * file each, written right after the launch. What came of a launch without leaving a file is found by its mark.
 * A process is ended only if its start time is the noted one, or if it bears our mark; and only if the host that
 * launched it is gone, so that two hosts on one registry leave each other's agents alone.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { endFamily } from './ending.ts'
import { createFamily } from './family.ts'
import type { Process, ProcessId } from './identity.ts'
import { isOrphan, type Mark, markOf } from './mark.ts'

export interface ProcessRegistry {
  /** In the mark of every process launched with this registry. */
  readonly hostId: string
  add(entry: ProcessEntry): void
  remove(launchId: string): void
  /** Ends what earlier hosts left running, and tells what it was. */
  endLeftovers(): Promise<Leftover[]>
}

export interface ProcessEntry extends Mark {
  readonly process: ProcessId
  readonly label: string
  /** Null for what has none: in a sandbox nothing is left behind. */
  readonly birthmark: number | null
}

export interface Leftover {
  readonly pid: number
  readonly name: string
  /** What it was launched as; null where only its mark or its family told. */
  readonly label: string | null
}

const GRACE_MS = 2_000

export function openProcessRegistry({ dir }: { readonly dir: string }): ProcessRegistry {
  attempt(() => mkdirSync(dir, { recursive: true, mode: 0o700 }))
  // However it is spelled, one folder is one registry.
  const place = attempt(() => realpathSync(dir)) ?? resolve(dir)
  const hostId = createHash('sha256').update(place).digest('hex').slice(0, 16)
  const fileOf = (launchId: string) => join(dir, `${launchId}.json`)
  const remove = (launchId: string) => {
    attempt(() => rmSync(fileOf(launchId), { force: true }))
  }

  return {
    hostId,
    add(entry) {
      // A launch must not fail for this: without a file there is still the mark.
      attempt(() => writeFileSync(fileOf(entry.launchId), JSON.stringify(entry), { mode: 0o600 }))
    },
    remove,
    async endLeftovers() {
      const entries = readEntries(dir).filter(isOrphan)
      const family = createFamily({
        roots: entries.map(({ process }) => process),
        sessions: [],
        bears: (mark) => mark.hostId === hostId && isOrphan(mark),
        birthmarks: entries.flatMap(({ birthmark }) => birthmark ?? []),
        eldest: null,
      })
      const labels = labelsOf(entries, await family.survey())
      const { found, gone } = await endFamily(family, { graceMs: GRACE_MS })
      if (gone) for (const { launchId } of entries) remove(launchId)
      return found.map(({ pid, name }) => ({ pid, name, label: labels.get(pid) ?? null }))
    },
  }
}

function labelsOf(entries: readonly ProcessEntry[], processes: readonly Process[]): Map<number, string> {
  const labels = new Map<number, string>()
  for (const { pid } of processes) {
    const mark = markOf(pid)
    const launchId = mark === null || mark === 'starting' ? null : mark.launchId
    const entry = entries.find((entry) => entry.launchId === launchId || entry.process.pid === pid)
    if (entry !== undefined) labels.set(pid, entry.label)
  }
  return labels
}

function readEntries(dir: string): ProcessEntry[] {
  const files = attempt(() => readdirSync(dir)) ?? []
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => join(dir, file))
    .flatMap((path) => {
      const entry = attempt(() => parseEntry(JSON.parse(readFileSync(path, 'utf8'))))
      if (entry != null) return [entry]
      attempt(() => rmSync(path, { force: true }))
      return []
    })
}

function parseEntry(value: ProcessEntry): ProcessEntry | null {
  const isProcess = (process: ProcessId) =>
    Number.isInteger(process.pid) && typeof process.startTime === 'string'
  const isEntry = isProcess(value.host) && isProcess(value.process) && typeof value.launchId === 'string'
  return isEntry ? value : null
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
