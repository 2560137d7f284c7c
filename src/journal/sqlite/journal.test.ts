import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it } from 'vitest'
import { appendOf, happened } from '../contract/subject.fixture.ts'
import { journalContract } from '../contract.fixture.ts'
import { openScratch, sql } from './scratch.fixture.ts'

const scratch = openScratch()

journalContract('sqlite', async () => {
  const journal = await scratch.open('journal.db')
  const event = 'WHERE stream = (SELECT id FROM streams WHERE name = ?) AND version = ?'
  return {
    journal,
    async reopen() {
      await journal.close()
      return scratch.open('journal.db')
    },
    dispose: () => journal.close(),
    tamper: {
      async edit(stream, version) {
        sql(scratch.file('journal.db'), `UPDATE events SET data = '{"n":99}' ${event}`, stream, version)
      },
      async alter(digest) {
        sql(scratch.file('journal.db'), "UPDATE blobs SET bytes = x'00' WHERE digest = ?", digest)
      },
      async drop(digest) {
        sql(scratch.file('journal.db'), 'DELETE FROM blobs WHERE digest = ?', digest)
      },
      async disguise(stream, version) {
        sql(scratch.file('journal.db'), `UPDATE events SET type = 'other', at = 12 ${event}`, stream, version)
      },
      async misdirect(stream, version) {
        const file = scratch.file('journal.db')
        if (version === 0) sql(file, 'UPDATE streams SET last = 1 WHERE name = ?', stream)
        else sql(file, `UPDATE events SET previous = 0 ${event}`, stream, version)
      },
      async double(stream, version) {
        const columns = 'stream, version, type, at, data, hash, previous'
        const [top] = sql(scratch.file('journal.db'), 'SELECT max(position) + 1 AS next FROM events')
        sql(
          scratch.file('journal.db'),
          `INSERT INTO events (position, ${columns}) SELECT ${Number(top!['next'])}, ${columns} FROM events ${event}`,
          stream,
          version,
        )
      },
      async remove(stream, version) {
        sql(scratch.file('journal.db'), `DELETE FROM events ${event}`, stream, version)
      },
    },
  }
})

it('writes everything asked for in one turn in one transaction', async () => {
  const journal = await scratch.open('group.db')
  await journal.append(appendOf({ stream: 'warm-up', events: [happened('one')] }))
  const before = commitsIn(scratch.file('group.db'))
  const rounds = 20
  await Promise.all(
    Array.from({ length: 50 }, async (_, writer) => {
      for (let round = 0; round < rounds; round++) {
        const stream = `run/${writer}`
        await journal.append(appendOf({ stream, expected: round, events: [happened('step', round)] }))
      }
    }),
  )
  expect(commitsIn(scratch.file('group.db')) - before).toBe(rounds)
})

it('shares the transaction between appends, kept bytes and released tickets', async () => {
  const journal = await scratch.open('group.db')
  const ticket = { id: 't', stream: 'a', kind: 'act', dueAt: 0, data: null }
  await journal.append(appendOf({ stream: 'a', tickets: [ticket] }))
  const [claim] = await journal.claim({ limit: 1, now: 0, leaseMs: 10, kinds: null })
  const before = commitsIn(scratch.file('group.db'))
  await Promise.all([
    journal.keep(new Uint8Array([1])),
    journal.release(claim!, 7),
    journal.append(appendOf({ stream: 'a', events: [happened('one')] })),
  ])
  expect(commitsIn(scratch.file('group.db')) - before).toBe(1)
})

it('lets what the file refuses fail alone', async () => {
  const journal = await scratch.open('alone.db')
  const results = await Promise.allSettled([
    journal.append(appendOf({ stream: 'a', events: [happened('fine')] })),
    journal.append(appendOf({ stream: 'b', events: [{ type: 'odd', at: Number.NaN, data: null }] })),
    journal.append(appendOf({ stream: 'a', expected: 1, events: [happened('fine')] })),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await journal.readAll(0, 10)).map(({ stream, version }) => [stream, version])).toEqual([
    ['a', 1],
    ['a', 2],
  ])
  expect(await journal.append(appendOf({ stream: 'b', events: [happened('fine')] }))).toMatchObject({
    version: 1,
  })
  expect(await journal.verify()).toEqual([])
})

it('voids every claim when it is opened again', async () => {
  const journal = await scratch.open('claims.db')
  const ticket = { id: 't', stream: 'a', kind: 'act', dueAt: 0, data: null }
  await journal.append(appendOf({ stream: 'a', tickets: [ticket] }))
  const [claim] = await journal.claim({ limit: 1, now: 0, leaseMs: 1_000_000, kinds: null })
  await journal.close()
  const again = await scratch.open('claims.db')
  expect(await again.append(appendOf({ stream: 'a', settle: claim! }))).toMatchObject({
    reason: 'claim-lost',
  })
  expect(await again.claim({ limit: 1, now: 0, leaseMs: 1, kinds: null })).toHaveLength(1)
})

it('writes what was asked for before it closes, and nothing after', async () => {
  const journal = await scratch.open('closing.db')
  const appended = journal.append(appendOf({ stream: 'a', events: [happened('one')] }))
  await journal.close()
  expect(await appended).toMatchObject({ done: true })
  await expect(journal.append(appendOf({ stream: 'a', expected: 1 }))).rejects.toThrow(
    'The journal is closed.',
  )
  await journal.close()
})

it('lets appends wait while rows are made anew, and reads go on', async () => {
  const journal = await scratch.open('rebuild.db')
  const row = (key: string) => ({ model: 'runs', key, facet: '', rank: 0, data: {} })
  await journal.append(appendOf({ stream: 'a', events: [happened('one')], rows: [row('before')] }))
  const during: unknown[] = []
  let appended: Promise<unknown> = Promise.resolve()
  await journal.rebuild(async (stream) => {
    appended = journal.append(appendOf({ stream: 'b', events: [happened('one')], rows: [row('b')] }))
    await new Promise(setImmediate)
    during.push(await journal.keysWith('runs', '', 9), await journal.read('b', 0))
    return [row(stream)]
  })
  await appended
  expect(during).toEqual([['before'], []])
  expect(await journal.keysWith('runs', '', 9)).toEqual(['a', 'b'])
})

it('refuses to read a stream with a hole in it', async () => {
  const journal = await scratch.open('hole.db')
  await journal.append(appendOf({ stream: 'a', events: [happened('1'), happened('2'), happened('3')] }))
  sql(scratch.file('hole.db'), 'DELETE FROM events WHERE version = 2')
  await expect(journal.read('a', 0)).rejects.toThrow('Event 2: The way back to it is broken')
  expect(await journal.read('a', 2)).toHaveLength(1)
})

it('tells of events that the journal did not write', async () => {
  const journal = await scratch.open('strays.db')
  await journal.append(appendOf({ stream: 'a', events: [happened('one')] }))
  const columns = 'stream, version, type, at, data, hash, previous'
  for (const [stream, version] of [
    [1, 2],
    [77, 1],
  ]) {
    sql(
      scratch.file('strays.db'),
      `INSERT INTO events (${columns}) VALUES (?, ?, 'x', 0, '{}', '', 0)`,
      stream,
      version,
    )
  }
  expect((await journal.verify()).map(({ stream, version }) => [stream, version])).toEqual([
    ['a', 2],
    ['#77', 1],
  ])
})

it('opens ten thousand waiting streams at once, and claims from them by their time', async () => {
  const journal = await scratch.open('many.db')
  const waits = Array.from({ length: 10_000 }, (_, i) => {
    const stream = `run/${i}`
    const ticket = {
      id: `${stream}/wait`,
      stream,
      kind: 'timer',
      dueAt: 1_000_000 + i,
      data: { pad: 'x'.repeat(2_000) },
    }
    return journal.append(appendOf({ stream, events: [happened('waits')], tickets: [ticket] }))
  })
  await Promise.all(waits)
  await journal.close()
  const heapBefore = process.memoryUsage().heapUsed
  const again = await scratch.open('many.db')
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(15_000_000)
  expect(await again.nextDueAt()).toBe(1_000_000)
  const claims = await again.claim({ limit: 5, now: 1_000_001, leaseMs: 1, kinds: ['timer'] })
  expect(claims.map(({ ticket }) => ticket.id)).toEqual(['run/0/wait', 'run/1/wait'])
  expect(claims[0]?.ticket.data).toEqual({ pad: 'x'.repeat(2_000) })
})

/** Counts the commit records of the write-ahead log: frames that state the size of the database. */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const frameBytes = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes)
    if (log.readUInt32BE(at + 4) !== 0) commits++
  return commits
}

it('[J12] leaves nothing of what was erased in any of its files', async () => {
  const { journal, holders, eraseAll } = await leaky('erased.db')
  expect(holders()).toContain('-wal')
  await eraseAll()
  expect(await journal.isCompactionOwed()).toBe(true)
  expect(await journal.compact()).toBe(true)
  expect(await journal.isCompactionOwed()).toBe(false)
  expect(holders()).toEqual([])
  expect(await journal.verify()).toEqual([])
  expect(await journal.alteredBytes()).toEqual([])
})

it('[J12] owes what a reader was in the way of, and does it when it is asked or opened again', async () => {
  for (const again of ['asked', 'opened'] as const) {
    const { journal, file, holders, eraseAll } = await leaky(`owed-${again}.db`)
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM events').get()
    await eraseAll()
    expect(await journal.compact()).toBe(false)
    expect([await journal.isCompactionOwed(), holders()]).toEqual([true, ['-wal']])
    if (again === 'asked') {
      reader.exec('COMMIT')
      reader.close()
      expect(await journal.compact()).toBe(true)
      expect([await journal.isCompactionOwed(), holders()]).toEqual([false, []])
    } else {
      await journal.close()
      reader.exec('COMMIT')
      reader.close()
      const opened = await scratch.open(`owed-${again}.db`)
      expect([await opened.isCompactionOwed(), holders()]).toEqual([false, []])
    }
  }
})

/** A journal that is full of a secret, and who has it. */
async function leaky(name: string) {
  const file = scratch.file(name)
  const journal = await scratch.open(name)
  const secret = 'hunter2-hunter2-hunter2'
  for (let version = 0; version < 40; version++)
    await journal.append(
      appendOf({
        stream: `s${version % 3}`,
        expected: Math.floor(version / 3),
        events: [happened('said', { text: `${'x'.repeat(version * 300)} ${secret} ${version}` })],
        rows: [{ model: 'runs', key: `k${version % 7}`, facet: '', rank: version, data: { secret } }],
        keep: [new TextEncoder().encode(`${version} ${secret} ${'y'.repeat(version * 400)}`)],
      }),
    )
  const holders = () =>
    ['', '-wal', '-shm'].filter((end) => existsSync(file + end) && readFileSync(file + end).includes(secret))
  const text = (given: string) => (given.includes(secret) ? given.replaceAll(secret, '[erased]') : null)
  const bytes = (given: Uint8Array) => {
    const left = text(Buffer.from(given).toString('latin1'))
    return left === null ? null : Buffer.from(left, 'latin1')
  }
  const eraseAll = () =>
    journal.erase({ at: 1, streams: ['s1'], edit: { text, bytes }, project: async () => [], note: null })
  return { journal, file, holders, eraseAll }
}
