import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Anchor, openAnchor } from './anchor.ts'
import { readAnchor } from './anchor-file.ts'
import { appendOf, happened } from './contract/subject.fixture.ts'
import type { Journal } from './journal.ts'
import { openScratch, sql } from './sqlite/scratch.fixture.ts'

const scratch = openScratch()

const anchorOf = (journal: Journal): Anchor =>
  openAnchor({
    file: scratch.file('anchor'),
    journal,
    now: () => 7,
    since: 'now',
    onFailure: (error) => {
      throw error
    },
  })

const append = (journal: Journal, stream: string, expected: number) =>
  journal.append(appendOf({ stream, expected, events: [happened('one'), happened('two')] }))

const found = async (journal: Journal) => {
  const note = await journal.anchorNote()
  const read = await readAnchor(scratch.file('anchor'), note)
  return { note, read, broken: await journal.verify(read.known) }
}

it('[J13] writes down where streams end, a line a batch, and the database knows how far', async () => {
  const journal = await scratch.open('journal.db')
  await append(journal, 'before', 0)
  const anchor = anchorOf(journal)
  await anchor.flush()
  expect(await journal.anchorNote()).toBeNull()
  await append(journal, 'a', 0)
  await append(journal, 'a', 2)
  await anchor.flush()
  await append(journal, 'b', 0)
  await anchor.close()
  const { note, read, broken } = await found(journal)
  expect(read).toMatchObject({ lines: 2, position: 8, lastAt: 7, broken: [], lost: [], fitsNote: true })
  expect([...read.known].map(([stream, hashes]) => [stream, ...hashes.keys()])).toEqual([
    ['before', 2],
    ['a', 4],
    ['b', 2],
  ])
  expect(note).toEqual({
    lines: 2,
    chain: read.chain,
    position: 8,
    bytes: statSync(scratch.file('anchor')).size,
  })
  expect(broken).toEqual([])
  const { mode } = statSync(scratch.file('anchor'))
  expect(mode & 0o077).toBe(0)
})

it('[J13] shows a tail that was cut with its head, a stream that was removed, and a chain that was computed anew', async () => {
  const journal = await scratch.open('journal.db')
  const anchor = anchorOf(journal)
  for (const stream of ['cut', 'removed', 'whole']) await append(journal, stream, 0)
  await append(journal, 'cut', 2)
  await anchor.close()
  const file = scratch.file('journal.db')
  sql(file, "DELETE FROM events WHERE version > 2 AND stream = (SELECT id FROM streams WHERE name = 'cut')")
  sql(
    file,
    `UPDATE streams SET version = 2, (hash, last) = (SELECT hash, position FROM events WHERE stream = streams.id AND version = 2)
     WHERE name = 'cut'`,
  )
  sql(file, "DELETE FROM events WHERE stream = (SELECT id FROM streams WHERE name = 'removed')")
  sql(file, "DELETE FROM streams WHERE name = 'removed'")
  expect(await journal.verify()).toEqual([])
  expect((await found(journal)).broken).toEqual([
    { stream: 'cut', version: 3, problem: expect.stringMatching(/^Events 3 to 4 are missing\./) },
    { stream: 'removed', version: 1, problem: expect.stringMatching(/^The whole stream is missing/) },
  ])
})

it('[J13] goes on after a crash, and after a line that was broken off', async () => {
  const journal = await scratch.open('journal.db')
  await append(journal, 'a', 0)
  const anchor = anchorOf(journal)
  await append(journal, 'b', 0)
  await anchor.flush()
  await append(journal, 'c', 0)
  writeFileSync(scratch.file('anchor'), '{"chain":"abc', { flag: 'a' })
  const next = anchorOf(journal)
  await append(journal, 'd', 0)
  await next.close()
  const { read, note, broken } = await found(journal)
  expect(read).toMatchObject({ lines: 2, broken: [], lost: [], fitsNote: true })
  expect([...read.known.keys()]).toEqual(['a', 'b', 'c', 'd'])
  expect(note?.lines).toBe(2)
  expect(broken).toEqual([])
  // A real crash takes what the first had still to write with it.
  await anchor.close()
})

it('[J13] an anchor that was cut or taken away is told of, then and after more was added', async () => {
  const journal = await scratch.open('journal.db')
  const file = scratch.file('anchor')
  const first = anchorOf(journal)
  await append(journal, 'a', 0)
  await first.flush()
  const { size } = statSync(file)
  await append(journal, 'b', 0)
  await first.close()
  truncateSync(file, size)
  expect((await found(journal)).read).toMatchObject({ lines: 1, fitsNote: null })
  const second = anchorOf(journal)
  await append(journal, 'c', 0)
  await second.close()
  const after = await found(journal)
  expect(after.read).toMatchObject({ lines: 2, fitsNote: true, lost: [{ lines: 2 }] })
  expect([...after.read.known.keys()]).toContain('b')
  rmSync(file)
  const third = anchorOf(journal)
  await append(journal, 'd', 0)
  await third.close()
  expect((await found(journal)).read).toMatchObject({ lines: 1, lost: [{ lines: 2 }] })
})

it('[J13] an anchor that was edited no longer goes on from line to line', async () => {
  const journal = await scratch.open('journal.db')
  const file = scratch.file('anchor')
  const anchor = anchorOf(journal)
  for (const stream of ['a', 'b', 'c']) {
    await append(journal, stream, 0)
    await anchor.flush()
  }
  writeFileSync(file, readFileSync(file, 'utf8').replace('["b",2,', '["b",1,'))
  expect((await found(journal)).read.broken).toEqual([2])
})
