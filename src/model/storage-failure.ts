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

  constructor(
    message: string,
    about: { readonly code: StorageFailure['code']; readonly isHearsay?: boolean; readonly cause?: unknown },
  ) {
    super(about.code, message)
    this.cause = about.cause
    this.isHearsay = about.isHearsay ?? false
  }
}
