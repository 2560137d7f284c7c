/** What SQLite says when the disk, and nobody's mistake, is in the way: a sentence, and the promise that nothing was written. */
import { StorageFailure } from '../../model/storage-failure.ts'
import { primaryCode } from './database.ts'

/** Anything else stays what it is. */
export function unwritable(error: unknown, file: string): unknown {
  const why = WHY[primaryCode(error) ?? 0]
  return why === undefined
    ? error
    : new StorageFailure(`Nothing can be written to ${file}: ${why}.`, { code: 'cannot-write', cause: error })
}

export const homeGone = (file: string): StorageFailure =>
  new StorageFailure(
    `${file} was deleted, moved or replaced while Signalbox had it open: nothing that is written now would be found again.`,
    { code: 'home-gone' },
  )

const WHY: Readonly<Record<number, string>> = {
  5: 'another process is writing to it',
  6: 'another process is writing to it',
  8: 'it can only be read',
  10: 'its disk does not take it',
  13: 'its disk is full',
  14: 'its folder cannot be used',
}
