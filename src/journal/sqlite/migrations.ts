/**
 * The numbered steps from an empty file to today's. A step that was released is never changed: files in the world
 * have taken it. Each is one transaction, so a crash leaves a file at one number or the next.
 */
import { type Database, JournalFileError } from './database.ts'

/** Marks a file as ours: "SBOX". */
const APPLICATION = 0x53_42_4f_58

const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    last INTEGER NOT NULL
  );
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams (id),
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    data TEXT NOT NULL,
    hash TEXT NOT NULL,
    previous INTEGER NOT NULL
  );
  CREATE TABLE tickets (
    stream INTEGER NOT NULL REFERENCES streams (id),
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (stream, id)
  ) WITHOUT ROWID;
  CREATE TABLE blobs (
    digest TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL
  );
  `,
  `
  CREATE TABLE rows (
    model TEXT NOT NULL,
    key TEXT NOT NULL,
    facet TEXT NOT NULL,
    rank REAL NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (model, key)
  ) WITHOUT ROWID;
  CREATE INDEX rows_by_rank ON rows (model, facet, rank, key);
  `,
  `
  CREATE TABLE anchor (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    lines INTEGER NOT NULL,
    chain TEXT NOT NULL,
    position INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  );
  `,
  `
  CREATE TABLE owed_compaction (id INTEGER PRIMARY KEY CHECK (id = 1));
  `,
]

const FORMAT = MIGRATIONS.length

export function migrate(db: Database, file: string): void {
  while (formatOf(db, file) < FORMAT) {
    db.exec('BEGIN IMMEDIATE')
    // Asked again under the lock: another process may have taken the step meanwhile.
    const format = formatOf(db, file)
    if (format < FORMAT) {
      db.exec(MIGRATIONS[format]!)
      db.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${format + 1}`)
    }
    db.exec('COMMIT')
  }
}

/** For those who may not change the file. */
export function requireCurrentFormat(db: Database, file: string): void {
  const format = formatOf(db, file)
  if (format === FORMAT) return
  throw new JournalFileError(
    `The journal ${file} has format ${format}, and this Signalbox reads format ${FORMAT}. ` +
      'Start this Signalbox on it once; that brings it up to date.',
  )
}

function formatOf(db: Database, file: string): number {
  const { user_version: format } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  const { application_id: application } = db.prepare('PRAGMA application_id').get() as {
    application_id: number
  }
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
  if (application !== APPLICATION && !(format === 0 && isEmpty)) {
    throw new JournalFileError(
      `${file} is a SQLite database, but not a journal of Signalbox. Name another file; this one was left as it is.`,
    )
  }
  if (format > FORMAT) {
    throw new JournalFileError(
      `The journal ${file} was written by a newer Signalbox: it has format ${format}, and this one knows formats ` +
        `up to ${FORMAT}. Install the newer Signalbox again, or name another file; this one was left as it is.`,
    )
  }
  return format
}
