/** The journal's front door: one interface, and those who keep it. */
export { bytesDigest } from './bytes-digest.ts'
export type {
  Claim,
  Journal,
  JournalReader,
  ListRequest,
  NewEvent,
  Row,
  StoredEvent,
  Ticket,
} from './journal.ts'
export { KeptBytesError } from './kept-bytes.ts'
/** @public */
export { createMemoryJournal } from './memory.ts'
export { JournalFileError } from './sqlite/database.ts'
export { acquireHostLock, type HostLock } from './sqlite/host-lock.ts'
export { openSqliteJournal } from './sqlite/journal.ts'
export { openSqliteReader } from './sqlite/reader.ts'
