/**
 * Makes anew what follows from the events: where the one before each stands, and the read models. These grow in a table of
 * this connection's own, and take the place of the old ones in one transaction: readers see the old or the new, and a
 * crash leaves the old.
 */
import type { Journal, Rebuilt, Row } from '../journal.ts'
import { jsonText } from '../json-text.ts'
import { rowsMade } from '../row-difference.ts'
import type { Database } from './database.ts'

export interface Rebuild {
  readonly db: Database
  readonly read: Journal['readIntact']
  readonly project: Parameters<Journal['rebuild']>[0]
}

export async function rebuildRows({ db, read, project }: Rebuild): Promise<Rebuilt> {
  findWayBack(db)
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
    const unmade: { stream: string; why: string }[] = []
    for (const { name } of streams) {
      const made = await rowsMade(name, async () => project(name, await read(name)))
      if ('why' in made) unmade.push(made)
      else made.rows.forEach(write)
    }
    // Whose they are is not known: better one too many than a run that nobody sees any more.
    replaceRows(db, unmade.length === 0 ? 'all' : 'made')
    return { streams: streams.length - unmade.length, unmade }
  } finally {
    db.exec('DROP TABLE temp.rebuilt')
  }
}

/** Only what is not as it follows from the events is written. */
function findWayBack(db: Database): void {
  inOne(
    db,
    `
      UPDATE events SET previous = found.previous
        FROM (SELECT position, coalesce(lag(position) OVER (PARTITION BY stream ORDER BY version, position DESC), 0) AS previous
          FROM events) AS found
        WHERE found.position = events.position AND found.previous <> events.previous;
      UPDATE streams SET last = events.position
        FROM events WHERE events.stream = streams.id AND events.version = streams.version AND events.position <> streams.last;
    `,
  )
}

function replaceRows(db: Database, which: 'all' | 'made'): void {
  inOne(
    db,
    `
      ${which === 'all' ? 'DELETE FROM main.rows;' : ''}
      INSERT OR REPLACE INTO main.rows (model, key, facet, rank, data) SELECT model, key, facet, rank, data FROM temp.rebuilt;
    `,
  )
}

function inOne(db: Database, statements: string): void {
  try {
    db.exec(`BEGIN IMMEDIATE; ${statements} COMMIT;`)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
