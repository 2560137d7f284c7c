/** Ends a family of processes: asks, waits, then insists, and looks again until nobody is left. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Family } from './family.ts'
import type { Process } from './identity.ts'
import { survivorsOf } from './table.ts'

/** A process that a signal cannot reach (another user's, or stuck in the kernel) must not hold us for ever. */
const INSIST_MS = 10_000

export interface Ending {
  readonly graceMs: number
  /** Not asked, only killed in the end: what would take others with it before they could tidy up. */
  readonly spares?: (process: Process) => boolean
}

/** Everybody who was found alive, and whether all of them are gone. */
export async function endFamily(
  family: Family,
  { graceMs, spares = () => false }: Ending,
): Promise<{ found: Process[]; gone: boolean }> {
  const found = new Map<string, Process>()
  const patienceUntil = performance.now() + graceMs
  for (;;) {
    const members = await family.survey()
    const left = patienceUntil - performance.now()
    if (members.length === 0) return { found: [...found.values()], gone: true }
    if (left < -INSIST_MS) return { found: [...found.values()], gone: false }
    for (const member of members) {
      const key = `${member.pid} ${member.startTime}`
      if (left <= 0) kill(member)
      else if (!found.has(key) && !spares(member)) signal(member.pid, 'SIGTERM')
      found.set(key, member)
    }
    await departure(members, left > 0 ? left : 500)
  }
}

/** Waits until none of them is alive, or for so long; tells whether none is. */
export async function departure(members: readonly Process[], limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs
  let alive = await survivorsOf(members)
  for (let pauseMs = 2; alive.length > 0 && performance.now() < until; pauseMs = Math.min(50, pauseMs * 2)) {
    await delay(Math.min(pauseMs, Math.max(1, until - performance.now())))
    alive = await survivorsOf(alive)
  }
  return alive.length === 0
}

/** A whole group at once where we can, so that none of it forks meanwhile. */
function kill({ pid, group }: Process): void {
  signal(group === pid ? -pid : pid, 'SIGKILL')
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name)
  } catch {
    // Gone meanwhile, or not ours to signal.
  }
}
