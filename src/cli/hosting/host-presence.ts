/**
 * Whether somebody is the host, also one that does not answer: the lock says so, which goes with its process. Whoever is
 * one for a question only, or is just starting or leaving, is waited for.
 */
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { homeAt } from '../../host/machine/home.ts'
import type { Environment } from '../environment.ts'
import { type DoorFile, readDoorFile } from './door-file.ts'
import { type FoundHost, findHost } from './find-host.ts'

export type HostPresence =
  | { readonly is: 'there'; readonly door: FoundHost }
  /** Its process where that is known. */
  | { readonly is: 'silent'; readonly pid: number | null }
  | { readonly is: 'absent' }

const PATIENCE_MS = 5_000
const AGAIN_MS = 50

export async function hostPresence(
  environment: Pick<Environment, 'home'>,
  patienceMs = PATIENCE_MS,
): Promise<HostPresence> {
  const { lock, door: file } = homeAt(environment.home)
  const deadline = Date.now() + patienceMs
  for (;;) {
    const door = await findHost(environment)
    if (door !== null) return { is: 'there', door }
    if (!(await isHeld(lock))) return { is: 'absent' }
    if (Date.now() >= deadline) return { is: 'silent', pid: livingProcess(readDoorFile(file)) }
    await pause(AGAIN_MS)
  }
}

export function silentText({ pid }: Extract<HostPresence, { is: 'silent' }>): string {
  const which = pid === null ? 'Another process' : `Process ${pid}`
  const end = pid === null ? 'end it' : `end it (kill -9 ${pid})`
  return `${which} is the host and does not answer: it is busy, stopped or stuck. Wait, or ${end} and start signalbox up; nothing is lost`
}

/** Asked only of a lock that is there: nothing is made by looking. */
async function isHeld(file: string): Promise<boolean> {
  if (!existsSync(file)) return false
  // Loaded only where it matters: much of the code hangs on it.
  const { acquireHostLock, JournalFileError } = await import('../../journal/index.ts')
  try {
    const lock = acquireHostLock({ file })
    lock?.release()
    return lock === null
  } catch (error) {
    if (error instanceof JournalFileError) return false
    throw error
  }
}

/** A door that an earlier host left says nothing of who has the lock now. */
export function livingProcess(door: DoorFile | null): number | null {
  if (door === null) return null
  try {
    process.kill(door.pid, 0)
    return door.pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? door.pid : null
  }
}
