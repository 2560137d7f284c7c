/**
 * What becomes of a duty that an error ended: whether it is done again and when, or given up. A disk that lets us down is
 * nobody's mistake; a bug is tried a few times; what an agent has worked for is never done again for a bug of ours.
 */
import type { Duty } from '../../engine/index.ts'
import type { Claim } from '../../journal/index.ts'
import { FailureError, isAltered } from '../../model/failure.ts'
import { isStandalone, type Standalones, standaloneOf } from '../inbox/standalones.ts'
import { type Storage, storageFailureOf } from '../machine/storage.ts'
import { runOf } from '../runs/runs.ts'
import { type Tell, tellAlteredOnce } from '../streams/apart.ts'
import type { DutyNeeds } from './duty.ts'
import { type GivenUp, giveUp, giveUpDelivery, LostWork, MOST_FAILURES } from './give-up.ts'

/** A duty that a bug ended without a result is tried again, not at once. */
export const AGAIN_MS = 10_000
/** One that the disk was in the way of, sooner: it may be over in a moment. */
const DISK_AGAIN_MS = 1_000
/** What somebody made no duty of stays none until it is filed anew, and that is done without a host. */
const UNUSABLE_AGAIN_MS = 60 * 60_000

/** Its run knows nothing of it, and has failed at nothing. */
export class UnusableDutyError extends FailureError {
  constructor(stream: string) {
    super(
      'altered',
      `A duty of ${stream} was changed in the journal's store and is none. File it anew: signalbox doctor --rebuild`,
    )
  }
}

interface FailureNeeds extends Pick<DutyNeeds, 'runs' | 'clock'> {
  readonly standalones: Pick<Standalones, 'load' | 'execute'>
  readonly storage: Pick<Storage, 'isToBlame'>
}

interface Performance {
  readonly claim: Claim
  readonly signal: AbortSignal
  readonly act: () => Promise<void>
}

export interface Failures {
  /** Does it, and gives back after how long it may be tried again, should it not be settled. Never throws. */
  guard(performance: Performance): Promise<number>
}

export function createFailures(needs: FailureNeeds, onBug: Tell): Failures {
  const tellOnce = tellAlteredOnce(onBug)
  /** How often a duty has failed with a bug, by ticket. */
  const counts = new Map<string, number>()
  /** Why an agent's work came to nothing, by ticket: the run has not been told. */
  const lost = new Map<string, GivenUp>()

  async function failed(performance: Performance, error: unknown): Promise<number> {
    // Nobody's mistake, and nobody's fault: it does not count.
    if (needs.storage.isToBlame(error)) return DISK_AGAIN_MS
    const { id, stream } = performance.claim.ticket
    if (error instanceof LostWork) {
      tellOnce(error.cause)
      const why = { error: error.cause, failures: 1 }
      lost.set(id, why)
      return surrender(performance, why)
    }
    if (error instanceof UnusableDutyError) {
      tellOnce(error)
      return UNUSABLE_AGAIN_MS
    }
    // Whose record was changed stands still until somebody has put it right, and has failed at nothing meanwhile.
    if (!(await canBeLoaded(stream))) {
      tellOnce(error)
      return AGAIN_MS
    }
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    const isSaidOfDisk = storageFailureOf(error) !== null
    if (!isSaidOfDisk) tellOnce(error)
    if (!isAltered(error) && count < MOST_FAILURES) return isSaidOfDisk ? DISK_AGAIN_MS : AGAIN_MS
    if (isStandalone(stream)) {
      await giveUpDelivery(needs, performance.claim, { error, failures: count })
      return forget(id)
    }
    return surrender(performance, { error, failures: count })
  }

  async function surrender({ claim, signal }: Performance, why: GivenUp): Promise<number> {
    const { id, stream, data } = claim.ticket
    await giveUp(needs, { run: runOf(stream), duty: data as Duty, claim, signal }, why)
    return forget(id)
  }

  function forget(id: string): number {
    counts.delete(id)
    lost.delete(id)
    return AGAIN_MS
  }

  const canBeLoaded = (stream: string): Promise<boolean> => {
    const { runs, standalones } = needs
    const loading: Promise<unknown> = isStandalone(stream)
      ? standalones.load(standaloneOf(stream))
      : runs.load(runOf(stream))
    return loading.then(
      () => true,
      () => false,
    )
  }

  return {
    guard: (performance) => {
      const { id } = performance.claim.ticket
      const owed = lost.get(id)
      const done =
        owed === undefined
          ? Promise.resolve()
              .then(performance.act)
              .then(
                () => forget(id),
                (error: unknown) => failed(performance, error),
              )
          : surrender(performance, owed)
      return done.catch((error: unknown) => {
        tellOnce(error)
        return AGAIN_MS
      })
    },
  }
}
