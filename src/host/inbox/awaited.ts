/**
 * Decisions that end with whoever waits for them. The asker's process holds a lock on a file named after the decision. The
 * operating system drops the lock when the process dies, however it dies, and a restart of the host leaves it. So a host
 * withdraws a decision whose lock nobody holds. The asker removes the file where the decision is to outlive it.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireHostLock, type Journal } from '../../journal/index.ts'
import type { DecisionRow } from '../../model/decision-record.ts'
import type { Clock } from '../machine/clock.ts'
import type { Home } from '../machine/home.ts'
import { DECISIONS } from './rows.ts'
import { isStandalone, type Standalones } from './standalones.ts'

export interface AwaitedDecision {
  /** The asker goes on without it, and the decision stays. */
  keep(): void
}

type Place = Pick<Home, 'awaited'>

/** For as long as this process lives. */
export function awaitDecision({ awaited }: Place, id: string): AwaitedDecision {
  mkdirSync(awaited, { recursive: true, mode: 0o700 })
  const file = fileOf({ awaited }, id)
  // No host may see it before it is locked.
  const lock = acquireHostLock({ file: `${file}.new` })
  renameSync(`${file}.new`, file)
  return {
    keep: () => {
      rmSync(file, { force: true })
      lock?.release()
    },
  }
}

export interface AwaitedNeeds {
  readonly journal: Journal
  readonly standalones: Standalones
  readonly clock: Clock
  readonly home: Place
}

/** Those that an earlier host did not get to. */
export async function withdrawAllForsaken(needs: AwaitedNeeds): Promise<void> {
  for (const id of idsIn(needs.home)) await withdrawForsaken(needs, id)
}

/** False while its asker holds the lock. A decision without a lock has nothing to withdraw. */
export async function withdrawForsaken(needs: AwaitedNeeds, id: string): Promise<boolean> {
  if (!idsIn(needs.home).includes(id)) return true
  const file = fileOf(needs.home, id)
  const lock = acquireHostLock({ file })
  if (lock === null) return false
  try {
    const row = (await needs.journal.row(DECISIONS, id))?.data as DecisionRow | undefined
    if (row !== undefined && isStandalone(row.stream) && row.status === 'open')
      await needs.standalones.execute(row.question, {
        type: 'decision.withdraw',
        at: needs.clock.now(),
        question: row.question,
        note: 'Its asker ended without waiting for the answer.',
      })
    rmSync(file, { force: true })
  } finally {
    lock.release()
  }
  return true
}

const fileOf = ({ awaited }: Place, id: string): string => join(awaited, `${id}${ENDING}`)
const ENDING = '.lock'

function idsIn({ awaited }: Place): string[] {
  try {
    return readdirSync(awaited).flatMap((name) =>
      name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : [],
    )
  } catch {
    return []
  }
}
