/**
 * A kill that lands inside a duty. The host is stopped first and its record read: if it is in the middle of what was wanted it
 * never goes on, and otherwise it does, and another moment is tried.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { HostProcess } from '../host-process.fixture.ts'
import type { Chance } from './chance.fixture.ts'
import type { Project } from './project.fixture.ts'
import type { Traffic } from './traffic.fixture.ts'
import { type DutyKind, isTimer, type Lookout, openLookout } from './under-way.fixture.ts'

export interface Aim {
  readonly project: Project
  readonly chance: Chance
  readonly host: HostProcess
  readonly traffic: Traffic
  /** What it waits for first in half of all cases: kinds that `Traffic.next` knows. */
  readonly moments: readonly string[]
  /** Which kinds there are, with how often each was hit before. */
  readonly hits: Readonly<Partial<Record<DutyKind, number>>>
  readonly kinds: readonly DutyKind[]
  /** So long one kind is waited for; then any will do. */
  readonly patienceMs: number
}

/** So long any duty is waited for. */
const LONGEST_MS = 10_000

/** The host is stopped in the middle of these; none if it had nothing to do. */
export async function stopInsideDuty(aim: Aim): Promise<readonly DutyKind[]> {
  const { project, chance, traffic, moments, host, patienceMs } = aim
  const lookout = openLookout(project.home.database)
  const met = async (): Promise<readonly DutyKind[]> => {
    await host.freeze()
    return lookout.underWay(project.clock.now())
  }
  try {
    if (chance.happens(0.3)) {
      await Promise.race([traffic.next(chance.pick(moments)), pause(1500)])
      await pause(chance.between(0, 40))
      const found = await met()
      if (found.length > 0) return found
      host.thaw()
    }
    const wanted = chance.happens(0.6) ? rarest(aim) : chance.pick(aim.kinds)
    const begunAt = Date.now()
    for (;;) {
      const waitedMs = Date.now() - begunAt
      const isPatient = waitedMs < patienceMs
      if (await isNear(lookout, aim, isPatient ? wanted : null)) {
        const found = await met()
        if (found.includes(wanted) || (!isPatient && found.length > 0)) return found
        host.thaw()
      }
      if (waitedMs > LONGEST_MS) return await met()
      await pause(4)
    }
  } finally {
    lookout.close()
  }
}

/** Of those that were hit least, any. */
function rarest({ kinds, hits, chance }: Aim): DutyKind {
  const least = Math.min(...kinds.map((kind) => hits[kind] ?? 0))
  return chance.pick(kinds.filter((kind) => (hits[kind] ?? 0) === least))
}

/** Those that take longer, so that a kill may land in every part of them. */
const LASTS_MS: Readonly<Partial<Record<DutyKind, number>>> = { 'prompt-agent': 400, 'change-issues': 1_200 }

/** Resolves to true at a chance moment within such a duty, as far as that can be told before it is over. */
async function isNear(lookout: Lookout, { project, chance }: Aim, wanted: DutyKind | null): Promise<boolean> {
  const now = project.clock.now()
  if (wanted !== null && isTimer(wanted)) {
    const at = lookout.nextDueAt(wanted, now)
    if (at === null || at - now > 1_000) return false
    await pause(at - now)
    // The host is woken at the same moment; what it does then takes it a few milliseconds.
    while (project.clock.now() < at) await pause(0)
    await pause(chance.between(0, 3))
    return true
  }
  const found = lookout.underWay(now)
  if (wanted === null ? found.length === 0 : !found.includes(wanted)) return false
  await pause(chance.between(0, wanted === null ? 90 : (LASTS_MS[wanted] ?? 90)))
  return true
}
