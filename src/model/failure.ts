/**
 * The world let us down, and whoever asked is told so: thrown where no value can carry it, and told in its own sentence
 * at every door. It is no bug.
 */
import type { Rejection, RejectionCode } from './refusal.ts'

export class FailureError extends Error {
  override readonly name: string = 'FailureError'
  readonly code: RejectionCode

  constructor(code: RejectionCode, sentence: string) {
    super(sentence)
    this.code = code
  }
}

/** Somebody changed it in the journal's store, or erased of it what it cannot be read without. */
export const isAltered = (error: unknown): error is FailureError =>
  error instanceof FailureError && error.code === 'altered'

/** As a value: whoever asks about many leaves out the one whose record was changed, says so, and goes on with the others. */
export async function orAltered<T>(look: () => Promise<T>): Promise<T | Rejection> {
  try {
    return await look()
  } catch (error) {
    if (!isAltered(error)) throw error
    return { code: error.code, problem: error.message }
  }
}
