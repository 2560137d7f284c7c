/** Appending, reading and following. */
import { expect, it } from 'vitest'
import { bytesDigest } from '../bytes-digest.ts'
import type { Append, StoredEvent } from '../journal.ts'
import { appendOf, happened, type Subject } from './subject.fixture.ts'

export function appendContract(subject: Subject): void {
  it('gives events back as they were written, in order', async () => {
    const { journal } = subject
    const data = { text: 'näh "quoted" \n \u{1F600}', list: [1, 2.5, null], deep: { yes: true } }
    const first = await journal.append(
      appendOf({ stream: 'run/1', events: [happened('began', data), happened('went-on', 7)] }),
    )
    expect(first).toMatchObject({ done: true, version: 2 })
    await journal.append(appendOf({ stream: 'run/1', expected: 2, events: [happened('ended', null)] }))
    const events = await journal.read('run/1', 0)
    expect(events.map(({ version, type, at, data }) => ({ version, type, at, data }))).toEqual([
      { version: 1, type: 'began', at: 1_000, data },
      { version: 2, type: 'went-on', at: 1_000, data: 7 },
      { version: 3, type: 'ended', at: 1_000, data: null },
    ])
    expect(events.map(({ stream }) => stream)).toEqual(['run/1', 'run/1', 'run/1'])
    expect((await journal.read('run/1', 2)).map(({ type }) => type)).toEqual(['ended'])
    expect(await journal.read('run/1', 3)).toEqual([])
    expect(await journal.read('unknown', 0)).toEqual([])
  })

  it('[J2] keeps the bytes that events name together with them, or neither', async () => {
    const { journal } = subject
    const bytes = new TextEncoder().encode('what was said')
    const digest = bytesDigest(bytes)
    const naming = { stream: 'a', events: [happened('said', { digest })], keep: [bytes] }
    expect(await journal.append(appendOf({ ...naming, expected: 7 }))).toMatchObject({ done: false })
    expect(await journal.fetch(digest)).toBeNull()
    const appending = journal.append(appendOf(naming))
    bytes.fill(0)
    expect(await appending).toMatchObject({ done: true })
    const reopened = await subject.opened.reopen()
    expect(new TextDecoder().decode((await reopened.fetch(digest))!)).toBe('what was said')
  })

  it('[J1] refuses an append at any version but the last, and tells the last', async () => {
    const { journal } = subject
    await journal.append(appendOf({ stream: 'a', events: [happened('one'), happened('two')] }))
    for (const expected of [0, 1, 3]) {
      const refused = await journal.append(appendOf({ stream: 'a', expected, events: [happened('late')] }))
      expect(refused).toEqual({ done: false, reason: 'version', version: 2 })
    }
    expect(await journal.append(appendOf({ stream: 'b', expected: 1, events: [happened('x')] }))).toEqual({
      done: false,
      reason: 'version',
      version: 0,
    })
    expect(await journal.read('a', 2)).toEqual([])
  })

  it('[J1] lets exactly one of many racing appends win', async () => {
    const { journal } = subject
    const racers = Array.from({ length: 20 }, (_, racer) =>
      journal.append(appendOf({ stream: 'a', events: [happened('won', racer)], rows: [rowBy(racer)] })),
    )
    const results = await Promise.all(racers)
    const winner = results.findIndex(({ done }) => done)
    expect(results.filter(({ done }) => done)).toHaveLength(1)
    expect((await journal.read('a', 0)).map(({ data }) => data)).toEqual([winner])
    expect(await journal.row('race', 'a')).toMatchObject({ data: winner })
  })

  it('lets later appends of the same moment see the earlier ones', async () => {
    const { journal } = subject
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, expected) =>
        journal.append(appendOf({ stream: 'a', expected, events: [happened('step', expected)] })),
      ),
    )
    expect(results.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('[J2] writes nothing of a refused append, and its neighbours whole', async () => {
    const { journal } = subject
    const whole = (stream: string, expected: number): Append =>
      appendOf({
        stream,
        expected,
        events: [happened('came')],
        tickets: [{ id: `${stream}/t`, stream, kind: 'act', dueAt: 0, data: null }],
        rows: [{ model: 'runs', key: stream, facet: 'new', rank: 1, data: {} }],
      })
    const appends = [whole('a', 0), whole('b', 5), whole('c', 0)]
    const results = await Promise.all(appends.map((append) => journal.append(append)))
    expect(results.map(({ done }) => done)).toEqual([true, false, true])
    for (const [stream, there] of [
      ['a', 1],
      ['b', 0],
      ['c', 1],
    ] as const) {
      expect(await journal.read(stream, 0)).toHaveLength(there)
      expect(await journal.ticketsOf(stream)).toHaveLength(there)
    }
    expect(await journal.keysWith('runs', '', 10)).toEqual(['a', 'c'])
  })

  it('rejects what is no JSON without disturbing the neighbours', async () => {
    const { journal } = subject
    const results = await Promise.allSettled([
      journal.append(appendOf({ stream: 'a', events: [happened('fine')] })),
      journal.append(appendOf({ stream: 'b', events: [happened('odd', () => 1)] })),
      journal.append(appendOf({ stream: 'c', events: [happened('odd', 1n)] })),
      journal.append(appendOf({ stream: 'd', events: [happened('fine')] })),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect((await journal.readAll(0, 10)).map(({ stream }) => stream)).toEqual(['a', 'd'])
  })

  it('stores data as it was when it was given', async () => {
    const { journal } = subject
    const data = { count: 1 }
    const appended = journal.append(appendOf({ stream: 'a', events: [happened('counted', data)] }))
    data.count = 2
    await appended
    expect((await journal.read('a', 0))[0]?.data).toEqual({ count: 1 })
  })

  it('reads all streams by position, page by page', async () => {
    const { journal } = subject
    for (let i = 0; i < 7; i++) {
      const stream = `s${i % 2}`
      await journal.append(appendOf({ stream, expected: Math.floor(i / 2), events: [happened('step', i)] }))
    }
    const seen: StoredEvent[] = []
    for (let page = await journal.readAll(0, 3); page.length > 0; ) {
      seen.push(...page)
      page = await journal.readAll(page.at(-1)!.position, 3)
    }
    expect(seen.map(({ data }) => data)).toEqual([0, 1, 2, 3, 4, 5, 6])
    const positions = seen.map(({ position }) => position)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    expect(new Set(positions).size).toBe(7)
  })

  it('[J4] tells followers of each event in order, once it can be read', async () => {
    const { journal } = subject
    const told: StoredEvent[] = []
    const readable: Promise<StoredEvent[]>[] = []
    const stop = journal.follow((events) => {
      told.push(...events)
      for (const { stream, version } of events) readable.push(journal.read(stream, version - 1))
    })
    const appends = ['a', 'b', 'c'].map((stream) =>
      journal.append(appendOf({ stream, events: [happened('one'), happened('two')] })),
    )
    expect(told).toEqual([])
    await Promise.all(appends)
    await journal.append(appendOf({ stream: 'a', expected: 7, events: [happened('refused')] }))
    expect(told).toEqual(await journal.readAll(0, 100))
    for (const [i, events] of (await Promise.all(readable)).entries()) expect(events[0]).toEqual(told[i])
    stop()
    await journal.append(appendOf({ stream: 'a', expected: 2, events: [happened('unheard')] }))
    expect(told).toHaveLength(6)
  })

  it('[J2] has everything after it was opened again', async () => {
    const { journal, opened } = subject
    const ticket = { id: 't', stream: 'a', kind: 'act', dueAt: 5, data: { n: 1 } }
    const row = { model: 'runs', key: 'a', facet: 'new', rank: 1, data: { n: 1 } }
    await journal.append(appendOf({ stream: 'a', events: [happened('one')], tickets: [ticket], rows: [row] }))
    const digest = await journal.keep(new Uint8Array([1, 2, 3]))
    const before = await journal.readAll(0, 10)
    const again = await opened.reopen()
    expect(await again.readAll(0, 10)).toEqual(before)
    expect(await again.ticketsOf('a')).toEqual([ticket])
    expect(await again.nextDueAt()).toBe(5)
    expect(await again.row('runs', 'a')).toEqual(row)
    expect([...(await again.fetch(digest))!]).toEqual([1, 2, 3])
    expect(
      await again.append(appendOf({ stream: 'a', expected: 1, events: [happened('two')] })),
    ).toMatchObject({
      done: true,
      version: 2,
    })
    expect(await again.verify()).toEqual([])
  })
}

const rowBy = (racer: number) => ({ model: 'race', key: 'a', facet: '', rank: 0, data: racer })
