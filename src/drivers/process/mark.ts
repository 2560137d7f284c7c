/**
 * The environment variable that every launched process bears and hands down to all it starts. It finds what no
 * family tree shows any more: a daemon whose parents are gone.
 */
import { randomUUID } from 'node:crypto'
import type { ProcessId } from './identity.ts'
import { variableOf } from './linux.ts'
import { isAlive, startTimeOf } from './table.ts'

export const MARK = 'SIGNALBOX_LAUNCH'

export interface Mark {
  /** Which registry it was launched with. */
  readonly hostId: string
  /** The process that launched it. */
  readonly host: ProcessId
  readonly launchId: string
}

export function createMark(hostId: string): Mark {
  const host = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' }
  return { hostId, host, launchId: randomUUID() }
}

export function markText({ hostId, host, launchId }: Mark): string {
  return [hostId, host.pid, host.startTime, launchId].join('/')
}

/** The mark a process bears. Only Linux lets us look, and not while it is becoming another program. */
export function markOf(pid: number): Mark | null | 'starting' {
  const variable = process.platform === 'linux' ? variableOf(pid, MARK) : { value: null }
  if (variable === 'starting') return variable
  const [hostId, hostPid, startTime, launchId, ...more] = variable.value?.split('/') ?? []
  if (hostId === undefined || startTime === undefined || launchId === undefined || more.length > 0)
    return null
  return { hostId, host: { pid: Number(hostPid), startTime }, launchId }
}

/** Whoever launched it is gone: nobody will end it. */
export function isOrphan(mark: Mark): boolean {
  return !isAlive(mark.host)
}
