/** What is erased is gone, and stays part of the record; what is gone otherwise is told of. */
import { expect, it } from 'vitest'
import type { Edit, KnownHashes } from '../erasure.ts'
import type { ErasureOrder, Journal, Row, StoredEvent } from '../journal.ts'
import { appendOf, happened, type Subject } from './subject.fixture.ts'

export function erasureContract(subject: Subject): void {
  it('[J12] changes texts, bytes, rows and tickets, leaves a tombstone, and the chain holds', async () => {
    const { journal } = subject
    const bytes = new TextEncoder().encode('the key is hunter2, they said')
    const digest = await journal.keep(bytes)
    const ticket = { id: 't', stream: 'a', kind: 'act', dueAt: 0, data: { say: 'hunter2' } }
    await journal.append(
      appendOf({
        stream: 'a',
        events: [happened('said', { text: 'one' }), happened('said', { text: 'hunter2!' }), happened('done')],
        tickets: [ticket],
      }),
    )
    await journal.append(appendOf({ stream: 'b', events: [happened('said', { text: 'nothing' })] }))
    await journal.rebuild(lastText)
    const before = await journal.read('a', 0)
    let told = 0
    journal.onErase(() => told++)

    const foreseen = await journal.wouldErase(WITHOUT_SECRET)
    expect(told).toBe(0)
    expect(await journal.read('a', 0)).toEqual(before)
    expect(await journal.erase(WITHOUT_SECRET)).toEqual(foreseen)
    expect(foreseen).toMatchObject({
      events: [{ stream: 'a', version: 2, hash: before[1]!.hash }],
      streams: [],
      bytes: [{ digest }],
      note: { by: 'alice' },
    })
    expect(told).toBe(1)
    expect((await journal.read('a', 0)).map(({ data }) => data)).toEqual([
      { text: 'one' },
      { text: '[erased]!' },
      {},
    ])
    expect((await journal.read('a', 0)).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash))
    expect(new TextDecoder().decode((await journal.fetch(digest))!)).toBe('the key is [erased], they said')
    expect(await journal.readIntact('a')).toEqual(await journal.read('a', 0))
    expect((await journal.row('last', 'a'))?.data).toEqual(['one', '[erased]!', null])
    expect((await journal.ticketsOf('a'))[0]?.data).toEqual({ say: '[erased]' })
    expect(await journal.verify(knownOf(before))).toEqual([])
    expect(await journal.alteredBytes()).toEqual([])
    expect(await journal.rowsUnlike(lastText)).toEqual({ differences: [], unmade: [] })
    expect(
      await journal.append(appendOf({ stream: 'a', expected: 3, events: [happened('more')] })),
    ).toMatchObject({
      version: 4,
    })
    const again = await subject.opened.reopen()
    expect(await again.verify(knownOf(before))).toEqual([])
    expect(await again.keep(bytes)).toBe(digest)
    expect([...(await again.fetch(digest))!]).toEqual([...bytes])
    expect(await again.compact()).toBe(true)
    expect(await again.read('a', 0)).toHaveLength(4)
  })

  it('[J12] changes nothing beyond the scope that an order has', async () => {
    const { journal } = subject
    const [own, others] = await Promise.all(
      ['own hunter2', 'others hunter2'].map((text) => journal.keep(new TextEncoder().encode(text))),
    )
    const said = happened('said', { text: 'hunter2' })
    for (const stream of ['a', 'b']) {
      const ticket = { id: `t${stream}`, stream, kind: 'act', dueAt: 0, data: { say: 'hunter2' } }
      await journal.append(appendOf({ stream, events: [said, said], tickets: [ticket] }))
    }
    await journal.rebuild(lastText)
    const within = { stream: 'a', versions: new Set([2]), bytes: new Set([own!]), rows: [] }
    expect(await journal.erase({ ...WITHOUT_SECRET, within })).toMatchObject({
      events: [{ stream: 'a', version: 2 }],
      bytes: [{ digest: own }],
    })
    expect((await journal.row('last', 'a'))?.data).toEqual(['hunter2', '[erased]'])
    expect((await journal.row('last', 'b'))?.data).toEqual(['hunter2', 'hunter2'])
    expect((await journal.ticketsOf('b'))[0]?.data).toEqual({ say: 'hunter2' })
    expect(new TextDecoder().decode((await journal.fetch(others!))!)).toBe('others hunter2')
    expect(await journal.verify()).toEqual([])
    expect(await journal.rowsUnlike(lastText)).toEqual({ differences: [], unmade: [] })
  })

  it('[J12] takes streams away with what they alone name, and says where they had ended', async () => {
    const { journal } = subject
    const [own, shared] = await Promise.all(
      ['own', 'shared'].map((text) => journal.keep(new TextEncoder().encode(text))),
    )
    const naming = (...digests: unknown[]) => [happened('kept', { digests })]
    await journal.append(
      appendOf({
        stream: 'a',
        events: naming(own, shared),
        tickets: [{ id: 't', stream: 'a', kind: 'act', dueAt: 0, data: null }],
      }),
    )
    await journal.append(appendOf({ stream: 'b', events: naming(shared) }))
    await journal.append(appendOf({ stream: 'a', expected: 1, events: [happened('last')] }))
    await journal.rebuild(lastText)
    const heads = await journal.heads(0)
    const { position } = (await journal.readAll(0, 99)).at(-1)!
    const erased = await journal.erase({ ...WITHOUT_SECRET, edit: null, streams: ['a'] })
    const { position: _, ...ended } = heads.find(({ stream }) => stream === 'a')!
    expect(erased.streams).toEqual([ended])
    expect(erased.bytes).toEqual([{ digest: own, now: null }])
    expect(await journal.read('a', 0)).toEqual([])
    expect(await journal.nextDueAt()).toBeNull()
    expect(await journal.fetch(own!)).toBeNull()
    expect(await journal.fetch(shared!)).not.toBeNull()
    expect(await journal.row('last', 'a')).toBeNull()
    expect(await journal.row('last', 'b')).not.toBeNull()
    expect(
      await journal.verify(
        new Map(heads.map(({ stream, version, hash }) => [stream, new Map([[version, hash]])])),
      ),
    ).toEqual([])
    const later = await journal.append(appendOf({ stream: 'c', events: [happened('one')] }))
    expect(later.done && later.position).toBeGreaterThan(position)
  })

  it('[J5] is held against what was known elsewhere', async () => {
    const { journal } = subject
    await journal.append(appendOf({ stream: 'a', events: [happened('one'), happened('two')] }))
    const [first] = await journal.read('a', 0)
    const known = (stream: string, version: number, hash: string): KnownHashes =>
      new Map([[stream, new Map([[version, hash]])]])
    expect(await journal.verify(known('a', 1, first!.hash))).toEqual([])
    expect(await journal.verify(known('a', 1, 'another'))).toMatchObject([{ stream: 'a', version: 1 }])
    expect(await journal.verify(known('a', 5, 'x'))).toEqual([
      { stream: 'a', version: 3, problem: expect.stringMatching(/^Events 3 to 5 are missing\. .*cut/) },
    ])
    expect(await journal.verify(known('gone', 4, 'x'))).toEqual([
      { stream: 'gone', version: 1, problem: 'The whole stream is missing; it had at least 4 events.' },
    ])
  })

  it('[J5] what was tampered with does not pass for erased', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await journal.append(
      appendOf({ stream: 'a', events: [happened('one', { text: 'hunter2' }), happened('two')] }),
    )
    await opened.tamper.edit('a', 1)
    await journal.erase({
      ...WITHOUT_SECRET,
      edit: { ...EDIT, text: (text) => (text.includes('99') ? '{}' : null) },
    })
    expect(await journal.verify()).toMatchObject([{ stream: 'a', version: 1 }])
    const digest = await journal.keep(new TextEncoder().encode('kept'))
    await opened.tamper.alter(digest)
    const edit: Edit = { ...EDIT, bytes: (bytes) => (bytes.length === 1 ? new Uint8Array([7, 7]) : null) }
    await journal.erase({ ...WITHOUT_SECRET, edit })
    expect(await journal.alteredBytes()).toEqual([digest])
  })

  it('[J6] tells of rows that the events did not make', async () => {
    const { journal } = subject
    await journal.append(appendOf({ stream: 'a', events: [happened('said', { text: 'one' })] }))
    await journal.append(appendOf({ stream: 'b', events: [happened('said', { text: 'one' })] }))
    await journal.rebuild(lastText)
    const row = (key: string, data: unknown): Row => ({ model: 'last', key, facet: '', rank: 1, data })
    await journal.append(
      appendOf({ stream: 'x', rows: [row('a', ['two']), row('b', null), row('c', ['one'])] }),
    )
    expect(await journal.rowsUnlike(lastText)).toEqual({
      differences: [
        { model: 'last', key: 'a', how: 'changed' },
        { model: 'last', key: 'c', how: 'made up' },
        { model: 'last', key: 'b', how: 'missing' },
      ],
      unmade: [],
    })
  })

  it('[J9] tells of bytes that events name and that are gone, unless they were erased', async (context) => {
    const { journal, opened } = subject
    const namedIn = ({ data }: StoredEvent): string[] => (data as { digests?: string[] }).digests ?? []
    const [one, two] = await Promise.all(
      ['one', 'two'].map((text) => journal.keep(new TextEncoder().encode(text))),
    )
    await journal.append(appendOf({ stream: 'a', events: [happened('kept', { digests: [one, two] })] }))
    const naming = { ...WITHOUT_SECRET, edit: null, streams: ['b'] }
    const three = await journal.keep(new TextEncoder().encode('three'))
    await journal.append(appendOf({ stream: 'b', events: [happened('kept', { digests: [three] })] }))
    await journal.erase(naming)
    await journal.append(appendOf({ stream: 'c', events: [happened('kept', { digests: [three] })] }))
    expect(await journal.missingBytes(namedIn)).toEqual([])
    if (opened.tamper === null) return context.skip()
    await opened.tamper.drop(two!)
    expect(await journal.missingBytes(namedIn)).toEqual([{ stream: 'a', version: 1, digest: two }])
  })

  it('[J12] what is left of an event is held: its type and time as well as its text', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await journal.append(
      appendOf({ stream: 'a', events: [happened('one', { text: 'hunter2' }), happened('two')] }),
    )
    await journal.erase(WITHOUT_SECRET)
    expect(await journal.verify()).toEqual([])
    await opened.tamper.disguise('a', 1)
    expect(await journal.verify()).toMatchObject([{ stream: 'a', version: 1 }])
    await expect(journal.readIntact('a')).rejects.toMatchObject({ code: 'altered' })
  })

  it('[J5] a broken stream of tombstones is told of, and excuses nothing it does not say', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await journal.append(appendOf({ stream: 'a', events: [happened('one', { text: 'hunter2' })] }))
    await journal.erase(WITHOUT_SECRET)
    await opened.tamper.edit('erasures', 1)
    expect(await journal.verify()).toMatchObject([{ stream: 'a' }, { stream: 'erasures' }])
    await opened.tamper.remove('erasures', 1)
    expect(await journal.verify()).toMatchObject([{ stream: 'a' }, { stream: 'erasures' }])
  })

  it('tells where streams end, and remembers how far that was written down', async () => {
    const { journal } = subject
    expect(await journal.anchorNote()).toBeNull()
    const first = await journal.append(appendOf({ stream: 'a', events: [happened('one')] }))
    await journal.append(appendOf({ stream: 'b', events: [happened('one'), happened('two')] }))
    const { hash } = (await journal.read('b', 1))[0]!
    expect(await journal.heads(0)).toHaveLength(2)
    expect(await journal.heads(first.done ? first.position : 0)).toEqual([
      { stream: 'b', version: 2, hash, position: 3 },
    ])
    await journal.noteAnchor({ lines: 1, chain: 'x', position: 3, bytes: 1 })
    await journal.noteAnchor({ lines: 2, chain: 'y', position: 4, bytes: 2 })
    expect(await (await subject.opened.reopen()).anchorNote()).toEqual({
      lines: 2,
      chain: 'y',
      position: 4,
      bytes: 2,
    })
  })
}

const EDIT: Edit = {
  text: (text) => (text.includes('hunter2') ? text.replaceAll('hunter2', '[erased]') : null),
  bytes: (bytes) => {
    const text = EDIT.text(new TextDecoder().decode(bytes))
    return text === null ? null : new TextEncoder().encode(text)
  },
}

const lastText = async (stream: string, events: readonly StoredEvent[]): Promise<Row[]> =>
  stream === 'a' || stream === 'b'
    ? [
        {
          model: 'last',
          key: stream,
          facet: '',
          rank: 1,
          data: events.map(({ data }) => (data as { text?: string }).text ?? null),
        },
      ]
    : []

const WITHOUT_SECRET: ErasureOrder = {
  at: 5,
  streams: [],
  edit: EDIT,
  project: lastText,
  note: { by: 'alice' },
}

const knownOf = (events: Awaited<ReturnType<Journal['read']>>): KnownHashes =>
  new Map([['a', new Map(events.map(({ version, hash }) => [version, hash]))]])
