/** What `signalbox doctor` says of the disk: room, whether it can be written, who else can read it, and what takes the room. */
import { accessSync, constants, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../../host/machine/home.ts'
import { lackOf, roomIn } from '../../host/machine/room.ts'
import { sizeText } from '../terminal/size.ts'

interface Finding {
  readonly about: 'disk' | 'home' | 'rights'
  readonly state: 'good' | 'note' | 'bad'
  readonly text: string
}

/** Below this a run may be the one that fills it. */
const SCARCE_BYTES = 512 * 1024 * 1024

export const storageFindings = (home: Home): Finding[] => [
  ...roomFinding(home),
  ...writableFindings(home),
  ...rightsFinding(home),
]

function roomFinding({ dir }: Home): Finding[] {
  const room = roomIn(dir)
  if (room === null) return []
  const free = `${sizeText(room.freeBytes)} of ${sizeText(room.totalBytes)} free where ${dir} is`
  const lack = lackOf(room)
  if (lack !== null) return [{ about: 'disk', state: 'bad', text: `${free}: ${lack}. ${MAKE_ROOM}` }]
  if (room.freeBytes < SCARCE_BYTES) return [{ about: 'disk', state: 'note', text: `${free}. ${MAKE_ROOM}` }]
  return [{ about: 'disk', state: 'good', text: free }]
}

const MAKE_ROOM = 'signalbox discard gives back the files of a run that has ended.'

/** Tried, not guessed: rights, quotas and mounts all have a word in it. */
function writableFindings({ dir, database }: Home): Finding[] {
  const files = namesIn(dir)
  if (files === null) return []
  const wrong = [whyNotWritten(join(dir, `.doctor-${process.pid}`)), whyNotOpened(database)].flatMap(
    (why) => why ?? [],
  )
  return wrong.length === 0
    ? [{ about: 'home', state: 'good', text: `${dir} can be written` }]
    : wrong.map((text) => ({ about: 'home', state: 'bad', text }))
}

const PROBE = Buffer.alloc(64 * 1024)

function whyNotWritten(file: string): string | null {
  try {
    writeFileSync(file, PROBE, { mode: 0o600, flush: true })
    return null
  } catch (error) {
    return `nothing can be written there: ${messageOf(error)}`
  } finally {
    try {
      rmSync(file, { force: true })
    } catch {
      // What could not be written is not there either.
    }
  }
}

function whyNotOpened(database: string): string | null {
  try {
    if (lstatSync(database, { throwIfNoEntry: false }) !== undefined)
      accessSync(database, constants.R_OK | constants.W_OK)
    return null
  } catch (error) {
    return `the journal cannot be written: ${messageOf(error)}`
  }
}

const OTHERS = 0o077

function rightsFinding({ dir }: Home): Finding[] {
  const wide = (namesIn(dir) ?? []).filter((name) => {
    const found = lstatSync(join(dir, name), { throwIfNoEntry: false })
    return found !== undefined && !found.isSymbolicLink() && (found.mode & OTHERS) !== 0
  })
  if (wide.length === 0 || !isOpenToOthers(dir)) return []
  const some = wide.slice(0, 5).join(', ')
  const text = `others on this machine can reach ${some}${wide.length > 5 ? ' and more' : ''} in ${dir}. chmod 700 ${dir} keeps them out; the next host narrows its own files.`
  return [{ about: 'rights', state: 'note', text }]
}

const isOpenToOthers = (dir: string): boolean => (lstatSync(dir).mode & 0o011) !== 0

function namesIn(dir: string): readonly string[] | null {
  try {
    return readdirSync(dir)
  } catch {
    return null
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
