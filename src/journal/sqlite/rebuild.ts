/**
 * Makes the read models anew. They grow in a table of this connection's own, and take the place of the old ones in one
 * transaction: readers see the old or the new, and a crash leaves the old.
 */
import type { Journal, Row } from '../journal.ts'
import { jsonText } from '../json-text.ts'
import type { Database } from './database.ts'

export interface Rebuild {
  readonly db: Database
  readonly read: Journal['read']
  readonly project: Parameters<Journal['rebuild']>[0]
}

export async function rebuildRows({ db, read, project }: Rebuild): Promise<number> {
  db.exec(`
    CREATE TEMP TABLE rebuilt (
      model TEXT NOT NULL, key TEXT NOT NULL, facet TEXT NOT NULL, rank REAL NOT NULL, data TEXT NOT NULL,
      PRIMARY KEY (model, key)
    ) WITHOUT ROWID
  `)
  try {
    const put = db.prepare(
      'INSERT OR REPLACE INTO temp.rebuilt (model, key, facet, rank, data) VALUES (?, ?, ?, ?, ?)',
    )
    const remove = db.prepare('DELETE FROM temp.rebuilt WHERE model = ? AND key = ?')
    const streams = db.prepare('SELECT name FROM streams WHERE version > 0 ORDER BY id').all() as {
      name: string
    }[]
    const write = ({ model, key, facet, rank, data }: Row): unknown =>
      data === null ? remove.get(model, key) : put.get(model, key, facet, rank, jsonText(data))
    for (const { name } of streams) {
      for (const row of await project(name, await read(name, 0))) write(row)
    }
    replaceRows(db)
    return streams.length
  } finally {
    db.exec('DROP TABLE temp.rebuilt')
  }
}

function replaceRows(db: Database): void {
  try {
    db.exec(`
      BEGIN IMMEDIATE;
      DELETE FROM main.rows;
      INSERT INTO main.rows (model, key, facet, rank, data) SELECT model, key, facet, rank, data FROM temp.rebuilt;
      COMMIT;
    `)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
