/** Rows of read models, how they are made anew, and kept bytes. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Journal, Row, StoredEvent } from '../journal.ts'
import { KeptBytesError } from '../kept-bytes.ts'
import { appendOf, happened, type Subject } from './subject.fixture.ts'

export function readModelContract(subject: Subject): void {
  it('puts, replaces and takes away rows', async () => {
    const { journal } = subject
    const row = rowOf('r1', 'open', 1)
    await put(journal, [row])
    expect(await journal.row('runs', 'r1')).toEqual(row)
    await put(journal, [{ ...row, facet: 'done', rank: 2.5, data: ['changed'] }])
    expect(await journal.row('runs', 'r1')).toEqual({ ...row, facet: 'done', rank: 2.5, data: ['changed'] })
    expect(await journal.count('runs', 'open')).toBe(0)
    expect(await journal.count('runs', 'done')).toBe(1)
    await put(journal, [
      { ...row, data: null },
      { ...rowOf('never-was', 'open', 1), data: null },
    ])
    expect(await journal.row('runs', 'r1')).toBeNull()
    expect(await journal.row('other', 'r1')).toBeNull()
  })

  it('lists by facet or all, highest rank first, page by page', async () => {
    const { journal } = subject
    const rows = Array.from({ length: 11 }, (_, i) =>
      rowOf(`r${i}`, i % 3 === 0 ? 'done' : 'open', Math.floor(i / 2)),
    )
    await put(journal, [...rows, { ...rowOf('r0', 'open', 99), model: 'others' }])
    const inOrder = [...rows].sort((a, b) => b.rank - a.rank || (a.key < b.key ? 1 : -1))
    for (const facet of [null, 'open', 'done', 'unheard-of']) {
      const expected = inOrder.filter((row) => facet === null || row.facet === facet)
      expect(await pages(journal, facet)).toEqual(expected)
    }
    expect(await journal.count('runs', 'done')).toBe(4)
  })

  it('finds keys by their beginning', async () => {
    const { journal } = subject
    await put(
      journal,
      ['ab', 'abc', 'abd', 'b', 'a%', 'a_'].map((key) => rowOf(key, '', 0)),
    )
    expect(await journal.keysWith('runs', 'ab', 10)).toEqual(['ab', 'abc', 'abd'])
    expect(await journal.keysWith('runs', 'ab', 2)).toEqual(['ab', 'abc'])
    expect(await journal.keysWith('runs', 'a%', 10)).toEqual(['a%'])
    expect(await journal.keysWith('runs', 'x', 10)).toEqual([])
    expect(await journal.keysWith('runs', '', 10)).toHaveLength(6)
  })

  it('[J6] makes all rows anew from the events', async () => {
    const { journal } = subject
    await put(journal, [rowOf('stale', 'open', 1)])
    await journal.append(appendOf({ stream: 'a', events: [happened('one'), happened('two')] }))
    await journal.append(appendOf({ stream: 'b', events: [happened('one')] }))
    const count = async (stream: string, events: readonly StoredEvent[]) => [
      rowOf(stream, 'counted', events.length),
    ]
    expect(await journal.rebuild(count)).toEqual({ streams: 2, unmade: [] })
    expect(await journal.keysWith('runs', '', 10)).toEqual(['a', 'b'])
    expect(await journal.row('runs', 'a')).toEqual(rowOf('a', 'counted', 2))
  })

  it('keeps the old rows when they cannot be made anew', async () => {
    const { journal } = subject
    await put(journal, [rowOf('old', 'open', 1)])
    await journal.append(appendOf({ stream: 'a', events: [happened('one')] }))
    const rebuilt = journal.rebuild(async () => {
      throw new Error('no such program')
    })
    expect(await rebuilt).toEqual({ streams: 0, unmade: [{ stream: 'a', why: 'no such program' }] })
    expect(await journal.keysWith('runs', '', 10)).toEqual(['old'])
    expect(await journal.append(appendOf({ stream: 'b', events: [happened('one')] }))).toMatchObject({
      done: true,
    })
  })

  it('keeps bytes under their digest, once', async () => {
    const { journal } = subject
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251)
    const digest = createHash('sha256').update(bytes).digest('hex')
    expect(await Promise.all([journal.keep(bytes), journal.keep(bytes)])).toEqual([digest, digest])
    expect(Buffer.compare((await journal.fetch(digest))!, bytes)).toBe(0)
    expect(await journal.fetch(await journal.keep(new Uint8Array()))).toHaveLength(0)
    expect(await journal.fetch('0'.repeat(64))).toBeNull()
  })

  it('[J9] gives nobody bytes that are not the ones that were kept', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    const [whole, changed] = [
      await journal.keep(new Uint8Array([1])),
      await journal.keep(new Uint8Array([2])),
    ]
    await opened.tamper.alter(changed)
    await expect(journal.fetch(changed)).rejects.toThrow(KeptBytesError)
    await expect(journal.fetch(changed)).rejects.toThrow(
      /^What is kept under [0-9a-f]{12}… is not what was kept/,
    )
    expect([...(await journal.fetch(whole))!]).toEqual([1])
  })
}

const rowOf = (key: string, facet: string, rank: number): Row => ({
  model: 'runs',
  key,
  facet,
  rank,
  data: { key },
})

const put = (journal: Journal, rows: readonly Row[]) => journal.append(appendOf({ stream: 'models', rows }))

async function pages(journal: Journal, facet: string | null): Promise<Row[]> {
  const all: Row[] = []
  let page = await journal.list({ model: 'runs', facet, before: null, limit: 3 })
  while (page.length > 0) {
    all.push(...page)
    page = await journal.list({ model: 'runs', facet, before: all.at(-1)!, limit: 3 })
  }
  return all
}
