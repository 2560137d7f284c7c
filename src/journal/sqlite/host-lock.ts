/**
 * Never two hosts on one journal. The lock is a SQLite transaction that is never ended, on a small file of its own: the
 * operating system drops it when the process dies, however it dies, so there is nothing stale to clean up.
 */
import { DatabaseSync } from '@photostructure/sqlite'
import { type Database, JournalFileError, makePrivate, primaryCode } from './database.ts'
import { unwritable } from './unwritable.ts'

export interface HostLock {
  release(): void
}

/** A handle that is garbage collected is closed, and its lock with it. */
const held = new Set<Database>()

/** Null when another host has it. */
export function acquireHostLock({ file }: { readonly file: string }): HostLock | null {
  let db: Database | null = null
  try {
    makePrivate(file)
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('BEGIN EXCLUSIVE')
    return lockOf(db)
  } catch (error) {
    db?.close()
    const code = primaryCode(error)
    if (code === SQLITE_BUSY) return null
    if (code === SQLITE_FULL) throw unwritable(error, file)
    const reason = error instanceof Error ? error.message : String(error)
    throw new JournalFileError(`Cannot lock ${file}: ${reason}.`, { cause: error })
  }
}

function lockOf(db: Database): HostLock {
  held.add(db)
  return {
    release() {
      if (held.delete(db)) db.close()
    },
  }
}

const SQLITE_BUSY = 5
const SQLITE_FULL = 13
