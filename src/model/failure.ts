/**
 * The world let us down, and whoever asked is told so: thrown where no value can carry it, and told in its own sentence
 * at every door. It is no bug.
 */
import type { RejectionCode } from './refusal.ts'

export class FailureError extends Error {
  override readonly name: string = 'FailureError'
  readonly code: RejectionCode

  constructor(code: RejectionCode, sentence: string) {
    super(sentence)
    this.code = code
  }
}
