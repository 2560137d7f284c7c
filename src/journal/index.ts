/** The journal's front door: one interface, and those who keep it. */
export { openAnchor } from './anchor.ts'
export { type AnchorMark, type AnchorRead, isInstant, readAnchor } from './anchor-file.ts'
export { bytesDigest } from './bytes-digest.ts'
export { UnusableStreamError } from './chain.ts'
export type { Edit, ErasureScope, KnownHashes, StoredTombstone } from './erasure.ts'
export { ERASURES } from './erasure.ts'
export type {
  Claim,
  ErasureOrder,
  Journal,
  JournalReader,
  ListRequest,
  MissingBytes,
  NewEvent,
  Rebuilt,
  Row,
  RowDifference,
  RowsUnlike,
  StoredEvent,
  Tampering,
  Ticket,
} from './journal.ts'
export { KeptBytesError, missingBytes } from './kept-bytes.ts'
export { fileTrouble, linesIn } from './lines.ts'
/** @public */
export { createMemoryJournal } from './memory.ts'
export { JournalFileError } from './sqlite/database.ts'
export { acquireHostLock, type HostLock } from './sqlite/host-lock.ts'
export { openSqliteJournal } from './sqlite/journal.ts'
export { openSqliteReader } from './sqlite/reader.ts'
