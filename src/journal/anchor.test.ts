import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Anchor, openAnchor } from './anchor.ts'
import { anchorLine, readAnchor } from './anchor-file.ts'
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

const ORDER = { at: 5, streams: ['a'], edit: null, project: async () => [], note: null }

it('[J13] knows of an erasure before it is done, and nothing is erased where it cannot be told', async () => {
  const journal = await scratch.open('journal.db')
  const anchor = anchorOf(journal)
  await append(journal, 'a', 0)
  await append(journal, 'b', 0)
  await journal.erase(ORDER)
  const [stone] = await journal.tombstones()
  const early = await readAnchor(scratch.file('anchor'), null)
  expect([...early.announced]).toEqual([[1, new Set([stone!.hash])]])
  expect([...early.known.keys()]).toEqual([])
  await anchor.close()
  const { read, broken } = await found(journal)
  expect([...read.known.keys()].sort()).toEqual(['a', 'b', 'erasures'])
  expect(read).toMatchObject({ lines: 2, vouchedTo: 0, broken: [], lost: [], fitsNote: true })
  expect(broken).toEqual([])

  rmSync(scratch.file('anchor'))
  mkdirSync(scratch.file('anchor'))
  const hindered = anchorOf(journal)
  await expect(journal.erase({ ...ORDER, streams: ['b'] })).rejects.toMatchObject({
    message: expect.stringMatching(/anchor.* cannot be \w+: it is a folder/),
  })
  expect(await journal.read('b', 0)).toHaveLength(2)
  expect(await journal.tombstones()).toHaveLength(1)
  await expect(hindered.flush()).resolves.toBeUndefined()
})

it('[J13] reads what an older Signalbox wrote, which announced nothing', async () => {
  const { text } = anchorLine('', { at: 1, position: 3, heads: [['erasures', 2, 'x']] })
  writeFileSync(scratch.file('anchor'), text)
  const read = await readAnchor(scratch.file('anchor'), null)
  expect(read).toMatchObject({ lines: 1, vouchedTo: 2, broken: [] })
  expect(read.announced.size).toBe(0)
})

it('[J13] counts a line that no anchor has as broken, and goes on', async () => {
  const odd = [
    '{"heads":[1]}',
    '{"at":1,"position":1,"heads":[["a",0,"x"]]}',
    '{"at":8.64e15,"position":1,"heads":{}}',
    '{"at":1e300,"position":1,"heads":[]}',
    '{"at":1,"position":1,"heads":[],"erasing":[1]}',
    '{"at":1,"position":1,"heads":[],"erasing":7}',
    '{"at":1,"position":1,"heads":[],"lost":{}}',
    '{"at":1,"position":1,"heads":[],"lost":null}',
  ]
  const zeros = '0'.repeat(64)
  const lines = ['not a line', ...odd.map((body) => `{"chain":"${zeros}"} ${body}`)]
  writeFileSync(scratch.file('anchor'), lines.join('\n'))
  const read = await readAnchor(scratch.file('anchor'), { lines: 1, chain: zeros })
  expect(read).toMatchObject({ lines: odd.length, broken: odd.map((_, index) => index + 1), fitsNote: true })
  expect(read.known.size).toBe(0)
})
