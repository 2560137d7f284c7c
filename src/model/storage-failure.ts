/**
 * The disk let us down: what was to be written is not written, and nobody was told that it is. Thrown, because whoever could
 * make an event of it could not write that either.
 */
import { FailureError } from './failure.ts'

export class StorageFailure extends FailureError {
  override readonly name = 'StorageFailure'
  /** `cannot-write` may be over in a moment; `home-gone` will not. */
  declare readonly code: 'cannot-write' | 'home-gone'
  /** Known by the words of a program alone, into which others may have put some. */
  readonly isHearsay: boolean
  /** Hearsay, and there is so little room that it is likely so. */
  readonly isLikely: boolean

  constructor(message: string, about: AboutFailure) {
    super(about.code, message)
    this.cause = about.cause
    this.isHearsay = about.knownBy !== undefined
    this.isLikely = about.knownBy === 'words and little room'
  }
}

interface AboutFailure {
  readonly code: StorageFailure['code']
  /** Left out: the system itself said so. */
  readonly knownBy?: 'words' | 'words and little room'
  readonly cause?: unknown
}
