/**
 * Bytes are kept under their digest, and nobody is given others in their place: what does not fit its digest was changed
 * in the store, unless the journal itself erased a part of it and says so.
 */
import { FailureError } from '../model/failure.ts'
import { bytesDigest } from './bytes-digest.ts'

/** What was kept cannot be used; the message is for people and says why. */
export class KeptBytesError extends FailureError {
  override readonly name = 'KeptBytesError'
  readonly digest: string

  constructor(digest: string, message = alteredSentence(digest)) {
    super('altered', message)
    this.digest = digest
  }
}

/** Nobody took them away who said so. */
export const missingBytes = (digest: string): KeptBytesError =>
  new KeptBytesError(
    digest,
    `What was kept under ${digest.slice(0, 12)}… is not in the journal's store any more, and nobody erased it. ${BACKUP}`,
  )

const BACKUP =
  'Put a copy of the database from a backup in its place; signalbox doctor tells what else was changed.'

const alteredSentence = (digest: string): string =>
  `What is kept under ${digest.slice(0, 12)}… is not what was kept there: it was changed in the journal's store, and is not used.`

/** The bytes, if they are the ones; `erased` is what the journal left of them where it erased something. */
export function heldAgainst(digest: string, bytes: Uint8Array, erased: () => string | undefined): Uint8Array {
  const found = bytesDigest(bytes)
  if (found !== digest && found !== erased()) throw new KeptBytesError(digest)
  return bytes
}
