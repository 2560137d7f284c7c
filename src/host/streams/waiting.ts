/** Waiting for what a journal will tell, for a bounded time and without looking twice for nothing. */
import type { Journal, StoredEvent } from '../../journal/index.ts'
import { LONGEST_WAIT_S } from '../../model/decision-record.ts'
import type { Clock } from '../machine/clock.ts'

/** Tool calls are cut off after a minute in some agents. */
const LONGEST_WAIT_MS = LONGEST_WAIT_S * 1000

export interface WaitingEdges {
  readonly journal: Pick<Journal, 'follow'>
  readonly clock: Clock
  /** The host is going: whoever waits for something need not wait longer. */
  readonly closing: AbortSignal
}

export interface Waiting<T> {
  /** Null: not yet. May change something, so it is not called for one who has hung up. */
  readonly look: () => Promise<T | null>
  /** Whether there may be more to see after this. */
  readonly concerns: (event: StoredEvent) => boolean
  readonly waitMs: number
  /** Fires when whoever waits has hung up. */
  readonly signal: AbortSignal | undefined
}

/** What happened before the wait is as good as what happens during it. */
export async function waitFor<T>(
  { journal, clock, closing }: WaitingEdges,
  { look, concerns, waitMs, signal }: Waiting<T>,
): Promise<T | null> {
  const lookFor = async (): Promise<T | null> => (signal?.aborted === true ? null : look())
  if (waitMs <= 0) return lookFor()
  let happened = (): void => {}
  let isOver = closing.aborted || signal?.aborted === true
  const end = (): void => {
    isOver = true
    happened()
  }
  const stop = journal.follow((events) => {
    if (events.some(concerns)) happened()
  })
  const callOff = clock.pause(Math.min(waitMs, LONGEST_WAIT_MS), end)
  closing.addEventListener('abort', end, { once: true })
  signal?.addEventListener('abort', end, { once: true })
  const untilFound = async (): Promise<T | null> => {
    for (;;) {
      // Before it is looked at, so that nothing falls between.
      const next = new Promise<void>((resolve) => {
        happened = resolve
      })
      const isLast = isOver
      const found = await lookFor()
      if (found !== null || isLast) return found
      await next
    }
  }
  return untilFound().finally(() => {
    stop()
    callOff()
    closing.removeEventListener('abort', end)
    signal?.removeEventListener('abort', end)
  })
}
