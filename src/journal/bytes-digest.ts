/** What bytes are kept under. */
import { createHash } from 'node:crypto'

export const bytesDigest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
