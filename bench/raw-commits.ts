/** The yardstick of what waits for the disk: commits a second of one small row each, as durable as the journal's. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { DatabaseSync } from '@photostructure/sqlite'

const SECONDS = 2

/** Does the work, with the disk measured before and after: its other users come and go. */
export async function besideCommits<T>(
  work: () => Promise<T>,
): Promise<{ readonly commits: number; readonly gave: T }> {
  const before = commitSpeed()
  const gave = await work()
  return { commits: (before + commitSpeed()) / 2, gave }
}

function commitSpeed(): number {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    return rawCommits(join(dir, 'raw.db'), SECONDS)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

export function rawCommits(file: string, seconds: number): number {
  const db = new DatabaseSync(file)
  db.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, data TEXT)',
  )
  const begin = db.prepare('BEGIN IMMEDIATE')
  const insert = db.prepare('INSERT INTO t (data) VALUES (?)')
  const commit = db.prepare('COMMIT')
  const data = JSON.stringify({ type: 'check.reported', at: 0, evidence: 'x'.repeat(200) })
  let count = 0
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    begin.run()
    insert.run(data)
    commit.run()
    count++
  }
  db.close()
  return count / seconds
}
