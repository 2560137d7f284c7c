import { describe, expect, it } from 'vitest'
import { bytesDigest, createMemoryJournal, type Journal, type StoredEvent } from '../../journal/index.ts'
import type { Append } from '../../journal/journal.ts'
import { createStreams, type StreamKind } from './streams.ts'

/** A sum that may not fall below zero; while it is odd, somebody should be at work on it. */
interface Added {
  readonly type: 'added'
  readonly at: number
  readonly amount: number
}

const SUM: StreamKind<number, number, Added> = {
  streamOf: (id) => `sum/${id}`,
  fold: (events) =>
    events.length === 0 ? null : events.reduce((sum, { data }) => sum + (data as Added).amount, 0),
  decide: (id, before, amount) => {
    const state = (before ?? 0) + amount
    if (state < 0) return { refusal: { code: 'not-offered', message: `${id} has only ${before ?? 0}` } }
    return { state, events: amount === 0 ? [] : [{ type: 'added', at: 1, amount }] }
  },
  ticketsOf: (id, sum) =>
    sum % 2 === 0 ? [] : [{ id: `${id}/${sum}`, stream: `sum/${id}`, kind: 'even', dueAt: 0, data: sum }],
  rowsOf: (key, sum, before) => [
    { model: 'sum', key, facet: 'all', rank: sum, data: { sum, before: before ?? null } },
  ],
}

/** A journal that tells what was asked of it, and lets somebody come in between. */
function watched(journal: Journal = createMemoryJournal()) {
  const appends: Append[] = []
  const reads: number[] = []
  let meanwhile: (() => Promise<unknown>) | null = null
  const seen: Journal = {
    ...journal,
    append: async (append) => {
      const act = meanwhile
      meanwhile = null
      await act?.()
      appends.push(append)
      return journal.append(append)
    },
    readIntact: (stream): Promise<StoredEvent[]> => {
      reads.push(0)
      return journal.readIntact(stream)
    },
    read: (stream, after): Promise<StoredEvent[]> => {
      reads.push(after)
      return journal.read(stream, after)
    },
  }
  return {
    journal: seen,
    appends,
    reads,
    beforeAppend: (act: () => Promise<unknown>) => {
      meanwhile = act
    },
  }
}

const claimOf = async (journal: Journal, now = 0) => {
  const [claim] = await journal.claim({ limit: 1, now, leaseMs: 10, kinds: null })
  return claim!
}

describe('a stream', () => {
  it('begins with its first events, their tickets and rows, all in one append', async () => {
    const { journal, appends } = watched()
    const sums = createStreams(journal, SUM)
    expect(await sums.load('a')).toBeNull()
    expect(await sums.execute('a', 3)).toEqual({
      loaded: 3,
      events: [{ type: 'added', at: 1, amount: 3 }],
    })
    expect(appends).toHaveLength(1)
    expect((await journal.ticketsOf('sum/a')).map(({ id }) => id)).toEqual(['a/3'])
    expect(await journal.row('sum', 'a')).toMatchObject({ data: { sum: 3, before: null } })
    await sums.execute('a', 2)
    expect((await journal.ticketsOf('sum/a')).map(({ id }) => id)).toEqual(['a/5'])
    expect(await journal.row('sum', 'a')).toMatchObject({ data: { sum: 5, before: 3 } })
  })

  it('is folded once, and not again while nobody else writes to it', async () => {
    const { journal, reads } = watched()
    await createStreams(journal, SUM).execute('a', 3)
    reads.length = 0
    const sums = createStreams(journal, SUM)
    for (let time = 0; time < 3; time++) await sums.execute('a', 1)
    expect(await sums.load('a')).toBe(6)
    expect(reads).toEqual([0])
  })

  it('takes commands one at a time, in the order they came', async () => {
    const { journal } = watched()
    const sums = createStreams(journal, SUM)
    const done = Array.from({ length: 20 }, (_, index) => sums.execute('a', index + 1))
    expect(await sums.load('a')).toBe(210)
    await Promise.all(done)
    const amounts = (await journal.read('sum/a', 0)).map(({ data }) => (data as Added).amount)
    expect(amounts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('keeps nobody waiting who writes to another', async () => {
    const { journal, beforeAppend } = watched()
    const sums = createStreams(journal, SUM)
    beforeAppend(() => sums.execute('b', 1))
    expect(await sums.execute('a', 1)).toMatchObject({ loaded: 1 })
    expect(await sums.load('b')).toBe(1)
  })

  it('[J1] is judged again when somebody wrote in between', async () => {
    const { journal, appends, beforeAppend } = watched()
    const [sums, others] = [createStreams(journal, SUM), createStreams(journal, SUM)]
    await sums.execute('a', 5)
    beforeAppend(() => others.execute('a', -3))
    expect(await sums.execute('a', -2)).toMatchObject({ loaded: 0 })
    // The first, the other's, the one that came too late, and the same again.
    expect(appends.map(({ expected }) => expected)).toEqual([0, 1, 1, 2])
  })

  it('refuses what no longer fits after somebody wrote in between', async () => {
    const { journal, beforeAppend } = watched()
    const [sums, others] = [createStreams(journal, SUM), createStreams(journal, SUM)]
    await sums.execute('a', 5)
    beforeAppend(() => others.execute('a', -4))
    expect(await sums.execute('a', -3)).toMatchObject({ refusal: { message: 'a has only 1' } })
    expect(await sums.load('a')).toBe(1)
  })

  it('refuses nothing, and takes nothing for done, for the sake of what is out of date', async () => {
    const { journal, reads } = watched()
    const [sums, others] = [createStreams(journal, SUM), createStreams(journal, SUM)]
    await sums.execute('a', 1)
    await others.execute('a', 8)
    expect(await sums.execute('a', -7)).toMatchObject({ loaded: 2 })
    await others.execute('a', 2)
    expect(await sums.execute('a', 0)).toEqual({ loaded: 4, events: [] })
    reads.length = 0
    expect(await sums.execute('a', -7)).toMatchObject({ refusal: { message: 'a has only 4' } })
    expect(reads).toEqual([4])
  })

  it('is not written to when nothing happens', async () => {
    const { journal, appends } = watched()
    const sums = createStreams(journal, SUM)
    expect(await sums.execute('a', 0)).toEqual({ loaded: 0, events: [] })
    expect(await sums.execute('a', -1)).toMatchObject({ refusal: { code: 'not-offered' } })
    expect(appends).toEqual([])
  })

  it('[J3] has a claim settled though nothing happens, and its tickets and rows left as they are', async () => {
    const { journal, appends } = watched()
    const sums = createStreams(journal, SUM)
    await sums.execute('a', 3)
    const claim = await claimOf(journal)
    expect(await sums.execute('a', 0, { settle: claim })).toEqual({ loaded: 3, events: [] })
    expect(appends.at(-1)).toMatchObject({ events: [], tickets: [], retire: [], rows: [], settle: claim })
    expect(await journal.ticketsOf('sum/a')).toEqual([])
  })

  it('[J3] is not changed by whoever lost their claim, and is read anew after that', async () => {
    const { journal, reads } = watched()
    const sums = createStreams(journal, SUM)
    await sums.execute('a', 3)
    const [late, holder] = [await claimOf(journal), await claimOf(journal, 1000)]
    expect(await sums.execute('a', 1, { settle: late })).toEqual({ lost: true })
    expect(await journal.read('sum/a', 0)).toHaveLength(1)
    reads.length = 0
    expect(await sums.execute('a', 1, { settle: holder })).toMatchObject({ loaded: 4 })
    expect(reads[0]).toBe(0)
  })

  it('does not retire the very ticket it settles', async () => {
    const { journal, appends } = watched()
    const sums = createStreams(journal, SUM)
    await sums.execute('a', 3)
    await sums.execute('a', 1, { settle: await claimOf(journal) })
    expect(appends.at(-1)).toMatchObject({ retire: [], tickets: [] })
    expect(await journal.ticketsOf('sum/a')).toEqual([])
  })

  it('[J2] brings the bytes that its events name', async () => {
    const { journal } = watched()
    const bytes = new TextEncoder().encode('a receipt')
    await createStreams(journal, SUM).execute('a', 3, { keep: [bytes] })
    expect(await journal.fetch(bytesDigest(bytes))).toEqual(bytes)
  })

  it('goes on after a command that threw', async () => {
    const sums = createStreams<number, number, Added>(watched().journal, {
      ...SUM,
      decide: (id, before, amount) => {
        if (amount === 13) throw new Error('a bug')
        return SUM.decide(id, before, amount)
      },
    })
    const broken = sums.execute('a', 13)
    const fine = sums.execute('a', 2)
    await expect(broken).rejects.toThrow('a bug')
    expect(await fine).toMatchObject({ loaded: 2 })
  })
})
