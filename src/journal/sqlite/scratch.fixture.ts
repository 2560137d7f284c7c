/** Folders and journals of one test, gone after it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach } from 'vitest'
import type { Journal } from '../journal.ts'
import { openSqliteJournal } from './journal.ts'

export interface Scratch {
  file(name: string): string
  open(name: string): Promise<Journal>
}

export function openScratch(): Scratch {
  let folder: string | null = null
  const journals: Journal[] = []
  const file = (name: string): string => {
    folder ??= mkdtempSync(join(tmpdir(), 'signalbox-journal-'))
    return join(folder, name)
  }
  afterEach(async () => {
    for (const journal of journals.splice(0)) await journal.close()
    if (folder !== null) rmSync(folder, { recursive: true })
    folder = null
  })
  return {
    file,
    async open(name) {
      const journal = await openSqliteJournal({ file: file(name) })
      journals.push(journal)
      return journal
    },
  }
}

/** Goes behind the journal's back. */
export function sql(file: string, text: string, ...values: unknown[]): Record<string, unknown>[] {
  const db = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: false })
  try {
    return db.prepare(text).all(...values) as Record<string, unknown>[]
  } finally {
    db.close()
  }
}
