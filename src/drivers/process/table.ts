/** The process table. Zombies are not alive: they are in it only until somebody looks. */
import type { Process, ProcessId } from './identity.ts'
import { isEarlier, readOne, readProc, startTimeOf as startTimeInProc } from './linux.ts'
import { readOnePs, readPs } from './ps.ts'

const isLinux = process.platform === 'linux'

/** Everything alive that we can see. */
export async function readProcessTable(): Promise<readonly Process[]> {
  return isLinux ? readProc() : await readPs()
}

/** Null where there is no such process. A child of ours that ended is there until we were told of it. */
export function startTimeOf(pid: number): string | null {
  return isLinux ? startTimeInProc(pid) : (readOnePs(pid)?.startTime ?? null)
}

/** Null where nobody alive has this number. */
export const processAt = (pid: number): Process | null => (isLinux ? readOne(pid) : readOnePs(pid))

export function isAlive({ pid, startTime }: ProcessId): boolean {
  return processAt(pid)?.startTime === startTime
}

/** Surely began before; where only words tell when, nobody did. */
export const isOlder = (one: ProcessId, other: ProcessId): boolean =>
  isLinux && isEarlier(one.startTime, other.startTime)

/** Those of them that are alive still. */
export async function survivorsOf<P extends ProcessId>(processes: readonly P[]): Promise<P[]> {
  if (isLinux) return processes.filter(isAlive)
  const alive = new Map((await readPs()).map(({ pid, startTime }) => [pid, startTime]))
  return processes.filter(({ pid, startTime }) => alive.get(pid) === startTime)
}
