/** What the loop is told of an error that broke off the duty to have an agent at work. */
import { FailureError } from '../../model/failure.ts'
import { LostWork } from '../duty/give-up.ts'
import { storageFailureOf } from '../machine/storage.ts'
import type { Session } from './session.ts'

/** A disk that failed for a while is waited for, and then the same is done again; what a bug made of paid work is not. */
export async function afterBug(session: Session, error: unknown): Promise<unknown> {
  if (storageFailureOf(error) !== null || error instanceof FailureError) return error
  const { phase, aliveAt } = session.now()
  const hasWorked = phase === 'turn' || phase === 'concluding'
  // One that was opened and told nothing would take the next prompt for the rest of what it knows. One that waits
  // between two prompts knows all that it must, and what it has told of itself is known here alone.
  const isBetweenPrompts = phase === 'idle' && aliveAt > 0
  if (phase !== 'closed' && !isBetweenPrompts && !session.isOver()) await session.leave()
  return hasWorked ? new LostWork(error) : error
}
