/**
 * What happens at a host while it lives: its stream is watched, and people come round by round. It may be killed under
 * any request; what got no reply may have happened or not, and is asked again of the next host.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { FoundHost } from '../../src/cli/hosting/find-host.ts'
import { createRemote } from '../../src/cli/hosting/remote.ts'
import type { Operations } from '../../src/host/operations.ts'
import type { Chance } from './chance.fixture.ts'
import type { Project } from './project.fixture.ts'
import { placeOf, type Witness } from './witness.fixture.ts'

export interface Traffic {
  /** Resolves at the next thing of that kind: an event's type, `asked` for a request on its way, `acknowledged`. */
  next(kind: string): Promise<void>
  /** Resolves when nothing is left to do. */
  readonly quiet: Promise<void>
  end(): Promise<void>
}

export interface TrafficOptions {
  readonly door: FoundHost
  readonly project: Project
  readonly chance: Chance
  readonly witness: Witness
  /** So many runs are kept going; 0 lets them end. */
  readonly runs: number
  readonly people: People
}

export interface Around extends TrafficOptions {
  readonly operations: Operations
  /** Says that something of this kind happens now. */
  readonly happen: (kind: string) => void
}

/** One round of what people do; true when there was nothing left to do. */
export type People = (around: Around) => Promise<boolean>

/** Longer than anything takes that people began and whose host has gone. */
const LEAVING_MS = 60_000

export function openTraffic(options: TrafficOptions): Traffic {
  const { door, witness, chance, people } = options
  const operations = createRemote(door)
  const waiting = new Map<string, () => void>()
  const happen = (kind: string): void => {
    waiting.get(kind)?.()
    waiting.delete(kind)
  }
  let ended = false
  let becomeQuiet = (): void => {}
  const quiet = new Promise<void>((resolve) => {
    becomeQuiet = resolve
  })
  let position = 0
  const unfollow = operations.follow((event) => {
    if (event === null) return
    if (event.position <= position) witness.complaints.push(`the stream went back at ${placeOf(event)}`)
    position = event.position
    witness.seen.set(placeOf(event), event.hash)
    happen(event.type)
  })

  async function work(): Promise<void> {
    while (!ended) {
      if (await people({ ...options, operations, happen })) return becomeQuiet()
      await pause(chance.between(10, 120))
    }
  }
  const working = (async () => {
    while (!ended) await work().catch(() => pause(20))
  })()

  return {
    next: (kind) =>
      new Promise((resolve) => {
        waiting.set(kind, resolve)
      }),
    quiet,
    end: async () => {
      ended = true
      unfollow()
      const late = pause(LEAVING_MS, 'late' as const, { ref: false })
      if ((await Promise.race([working, late])) === 'late')
        witness.complaints.push('a request was never told that the host under it had gone')
    },
  }
}

/** What is asked of the host, so that a kill can fall between the question and the reply. */
export async function ask<T>({ happen }: Pick<Around, 'happen'>, asked: Promise<T>): Promise<T> {
  happen('asked')
  const answered = await asked
  happen('acknowledged')
  return answered
}
