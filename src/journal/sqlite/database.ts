/** A SQLite file, opened the way a journal needs it, or a sentence that says why that cannot be. */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'

export type Database = DatabaseSyncInstance

/** The file cannot serve as a journal; the message is for people and says what to do. */
export class JournalFileError extends Error {
  override readonly name = 'JournalFileError'
}

export interface OpenDatabase<T> {
  readonly file: string
  readonly mode: 'write' | 'read'
  /** The first look at what is in the file; what goes wrong there is told as clearly as what goes wrong here. */
  readonly use: (db: Database) => T
}

export function openDatabase<T>({ file, mode, use }: OpenDatabase<T>): T {
  let db: Database | null = null
  try {
    if (mode === 'write') makePrivate(file)
    db = new DatabaseSync(file, {
      readOnly: mode === 'read',
      // References hold because there is one writer; checking them again would cost at every append.
      enableForeignKeyConstraints: false,
    })
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    if (mode === 'write') writeDurably(db)
    return use(db)
  } catch (error) {
    db?.close()
    throw explained(error, file)
  }
}

/** Before SQLite makes it, with rights for everybody; its log gets the rights that the file has. */
export function makePrivate(file: string): void {
  try {
    // Never one that is there: closing it would drop the locks that this process holds on it.
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // There already, or it cannot be made: SQLite says so.
  }
}

/**
 * The driver lets go of the file only when its prepared statements are garbage collected. So that the file is whole
 * without its log from here on, the log is emptied first; where that fails, the next one to open it does it.
 */
export function closeWriter(db: Database): void {
  if (!db.isOpen) return
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Nothing is lost: what was committed is in the log.
  }
  db.close()
}

const BUSY_MS = 5_000
const BRIEF_MS = 100

/** Once it is open: whoever waits for another process stops everything else in this one, and can as well ask again. */
export function waitBriefly(db: Database): void {
  db.exec(`PRAGMA busy_timeout = ${BRIEF_MS}`)
}

/** Drivers differ in their defaults, and anything less than FULL may lose an acknowledged answer on power loss. */
function writeDurably(db: Database): void {
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string }
  if (mode !== 'wal') throw new Error('its file system has no shared memory for a write-ahead log')
  db.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -8000;
  `)
}

const SQLITE_CORRUPT = 11
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

function explained(error: unknown, file: string): Error {
  if (error instanceof JournalFileError || !(error instanceof Error)) return error as Error
  const sentence =
    sentenceFor(primaryCode(error), file) ?? `Cannot open the journal ${file}: ${error.message}.`
  return new JournalFileError(sentence, { cause: error })
}

function sentenceFor(code: number | null, file: string): string | null {
  switch (code) {
    case SQLITE_NOTADB:
      return `${file} is not a journal: it is no SQLite database. Name another file; this one was left as it is.`
    case SQLITE_CORRUPT:
      return `The journal ${file} is damaged. Put a copy from a backup in its place, together with no -wal or -shm file.`
    case SQLITE_CANTOPEN:
      return `Cannot open the journal ${file}. Its folder must exist and be writable, also for reading.`
    default:
      return null
  }
}

/** Extended codes carry the primary one in their lowest byte. */
export function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  // The driver gives no code to what goes wrong between two rows.
  return error.message.includes('malformed') ? SQLITE_CORRUPT : null
}
