import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it } from 'vitest'
import { bytesDigest } from '../bytes-digest.ts'
import { CHAIN_START, chainHash } from '../chain.ts'
import { appendOf, happened } from '../contract/subject.fixture.ts'
import { JournalFileError } from './database.ts'
import { openScratch, sql } from './scratch.fixture.ts'

const scratch = openScratch()

/** What the first format was. It stays as it is, whatever becomes of the migrations. */
const FIRST_FORMAT = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, hash TEXT NOT NULL, last INTEGER NOT NULL
  );
  CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL REFERENCES streams (id), version INTEGER NOT NULL,
    type TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL, previous INTEGER NOT NULL
  );
  CREATE TABLE tickets (
    stream INTEGER NOT NULL REFERENCES streams (id), id TEXT NOT NULL, kind TEXT NOT NULL, due_at INTEGER NOT NULL,
    data TEXT NOT NULL, PRIMARY KEY (stream, id)
  ) WITHOUT ROWID;
  CREATE TABLE blobs (digest TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);
  PRAGMA application_id = 1396854616;
  PRAGMA user_version = 1;
`

it('[J7] takes a file of the first format forward, with all that is in it', async () => {
  writeFirstFormat(scratch.file('old.db'))
  const journal = await scratch.open('old.db')
  expect(await journal.read('run/1', 0)).toMatchObject([
    { version: 1, type: 'began', data: { n: 1 } },
    { version: 2, type: 'ended', data: { n: 2 } },
  ])
  expect(await journal.ticketsOf('run/1')).toMatchObject([{ id: 't', kind: 'act', dueAt: 5, data: { n: 3 } }])
  expect(await journal.nextDueAt()).toBe(5)
  expect(await journal.fetch(bytesDigest(new Uint8Array([1, 2, 3])))).toHaveLength(3)
  expect(await journal.verify()).toEqual([])
  const row = { model: 'runs', key: 'run/1', facet: 'open', rank: 1, data: {} }
  const next = appendOf({ stream: 'run/1', expected: 2, events: [happened('again')], rows: [row] })
  expect(await journal.append(next)).toMatchObject({ done: true, version: 3, position: 3 })
  expect(await journal.row('runs', 'run/1')).toEqual(row)
  await journal.close()
  expect(sql(scratch.file('old.db'), 'PRAGMA user_version')).toEqual([{ user_version: 4 }])
})

it('makes the same tables whether new or taken forward', async () => {
  writeFirstFormat(scratch.file('old.db'))
  for (const name of ['old.db', 'new.db']) await (await scratch.open(name)).close()
  const tables = (name: string) =>
    sql(scratch.file(name), 'SELECT name, sql FROM sqlite_schema ORDER BY name').map((table) => ({
      ...table,
      sql: String(table['sql'])
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/(\() | (\))/g, '$1$2'),
    }))
  expect(tables('old.db')).toEqual(tables('new.db'))
})

it('[J7] refuses a file from a newer Signalbox and leaves it as it is', async () => {
  const file = scratch.file('newer.db')
  await (await scratch.open('newer.db')).close()
  sql(file, 'PRAGMA user_version = 99')
  const before = readFileSync(file)
  await expect(scratch.open('newer.db')).rejects.toThrow(JournalFileError)
  await expect(scratch.open('newer.db')).rejects.toThrow(
    /written by a newer Signalbox: it has format 99, and this one knows formats up to 4\. Install the newer/,
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})

it('[J7] refuses a database of somebody else', async () => {
  sql(scratch.file('theirs.db'), 'CREATE TABLE theirs (x)')
  await expect(scratch.open('theirs.db')).rejects.toThrow('but not a journal of Signalbox')
})

it('refuses a file that is no database, and a folder that is not there', async () => {
  const file = scratch.file('notes.txt')
  writeFileSync(file, 'These are my notes, and they are longer than the header of a database. '.repeat(40))
  await expect(scratch.open('notes.txt')).rejects.toThrow('is not a journal: it is no SQLite database')
  expect(readFileSync(file, 'utf8')).toMatch(/^These are my notes/)
  await expect(scratch.open('no/such/folder.db')).rejects.toThrow('Its folder must exist')
})

it('says of a damaged file that it is damaged', async () => {
  const file = scratch.file('damaged.db')
  const journal = await scratch.open('damaged.db')
  for (let i = 0; i < 50; i++) {
    const ticket = { id: `t${i}`, stream: 'a', kind: 'act', dueAt: 0, data: 'x'.repeat(3_000) }
    await journal.append(appendOf({ stream: 'a', expected: i, events: [happened('one')], tickets: [ticket] }))
  }
  await journal.close()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x5a, 4_096))
  await expect(scratch.open('damaged.db')).rejects.toThrow(
    /is damaged\. Put a copy from a backup in its place/,
  )
})

function writeFirstFormat(file: string): void {
  const first = { stream: 'run/1', version: 1, type: 'began', at: 10, text: '{"n":1}' }
  const second = { stream: 'run/1', version: 2, type: 'ended', at: 20, text: '{"n":2}' }
  const firstHash = chainHash(CHAIN_START, first)
  const secondHash = chainHash(firstHash, second)
  const db = new DatabaseSync(file)
  db.exec(FIRST_FORMAT)
  db.prepare("INSERT INTO streams VALUES (1, 'run/1', 2, ?, 2)").run(secondHash)
  db.prepare("INSERT INTO events VALUES (1, 1, 1, 'began', 10, ?, ?, 0)").run(first.text, firstHash)
  db.prepare("INSERT INTO events VALUES (2, 1, 2, 'ended', 20, ?, ?, 1)").run(second.text, secondHash)
  db.exec(`INSERT INTO tickets VALUES (1, 't', 'act', 5, '{"n":3}')`)
  const bytes = new Uint8Array([1, 2, 3])
  db.prepare('INSERT INTO blobs VALUES (?, ?)').run(bytesDigest(bytes), bytes)
  db.close()
}
