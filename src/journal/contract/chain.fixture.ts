/** The chain of hashes, and what `verify` finds when somebody was at the store. */
import { expect, it } from 'vitest'
import { CHAIN_START, chainHash } from '../chain.ts'
import type { Row } from '../journal.ts'
import { appendOf, happened, type Subject } from './subject.fixture.ts'

export function chainContract(subject: Subject): void {
  it('[J5] chains each event to the one before it in its stream', async () => {
    const { journal } = subject
    await journal.append(
      appendOf({ stream: 'a', events: [happened('one', { n: 1 }), happened('two', { n: 2 })] }),
    )
    await journal.append(appendOf({ stream: 'b', events: [happened('one', { n: 1 })] }))
    let previous = CHAIN_START
    for (const event of await journal.read('a', 0)) {
      expect(event.hash).toBe(chainHash(previous, { ...event, text: JSON.stringify(event.data) }))
      previous = event.hash
    }
    expect(await journal.verify()).toEqual([])
  })

  it('[J5] tells of an edited event', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await writeTwoStreams(subject)
    await opened.tamper.edit('a', 2)
    expect(await journal.verify()).toEqual([{ stream: 'a', version: 2, problem: expect.any(String) }])
  })

  it('[J9] gives out a stream that is whole, and never one that was edited or cut', async (context) => {
    const { journal, opened } = subject
    await writeTwoStreams(subject)
    expect(await journal.readIntact('a')).toEqual(await journal.read('a', 0))
    expect(await journal.readIntact('nobody')).toEqual([])
    if (opened.tamper === null) return context.skip()
    await opened.tamper.edit('a', 2)
    await expect(journal.readIntact('a')).rejects.toThrow(
      /The record of a was changed .* Event 2: The event is not/,
    )
    await opened.tamper.remove('b', 4)
    await expect(journal.readIntact('b')).rejects.toThrow(/Event 4 is missing/)
  })

  it('[J5] tells of an event taken out of the middle', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await writeTwoStreams(subject)
    await opened.tamper.remove('a', 2)
    await opened.tamper.edit('b', 1)
    expect(await journal.verify()).toEqual([
      { stream: 'a', version: 2, problem: 'Event 2 is missing.' },
      { stream: 'b', version: 1, problem: expect.any(String) },
    ])
  })

  it('[J5] tells of a way back that is broken; what is derived from the events mends it', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await writeTwoStreams(subject)
    const before = [await journal.read('a', 0), await journal.read('b', 0)]
    await opened.tamper.misdirect('a', 3)
    await opened.tamper.misdirect('b', 0)
    const broken = [
      { stream: 'a', version: 2, problem: expect.stringMatching(/way back/), cure: 'rebuild' },
      { stream: 'b', version: 4, problem: expect.stringMatching(/way back/), cure: 'rebuild' },
    ]
    expect(await journal.verify()).toEqual(broken)
    for (const read of [() => journal.read('a', 0), () => journal.readIntact('b')])
      await expect(read()).rejects.toMatchObject({
        code: 'altered',
        message: expect.stringContaining('doctor --rebuild'),
      })
    expect(await journal.rebuild(async () => [])).toEqual({ streams: 2, unmade: [] })
    expect(await journal.verify()).toEqual([])
    expect([await journal.readIntact('a'), await journal.readIntact('b')]).toEqual(before)
    await journal.append(appendOf({ stream: 'b', expected: 4, events: [happened('more')] }))
    expect(await journal.readIntact('b')).toHaveLength(5)
  })

  it('[J5] tells of an event that is there twice', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await writeTwoStreams(subject)
    await opened.tamper.double('a', 2)
    expect(await journal.verify()).toEqual([
      { stream: 'a', version: 2, problem: 'The event was not written by the journal.' },
    ])
  })

  it('[J6] one stream that cannot be read keeps no other from being made anew, or looked at', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await writeTwoStreams(subject)
    const project = async (stream: string): Promise<Row[]> => [
      { model: 'm', key: stream, facet: '', rank: 1, data: {} },
    ]
    await journal.rebuild(project)
    await opened.tamper.remove('a', 2)
    const row: Row = { model: 'm', key: 'forged', facet: '', rank: 1, data: {} }
    await journal.append(appendOf({ stream: 'x', rows: [row, { ...row, key: 'b', data: null }] }))
    const unmade = [{ stream: 'a', why: expect.stringMatching(/^The record of a was changed/) }]
    expect(await journal.rowsUnlike(project)).toEqual({
      differences: [
        { model: 'm', key: 'a', how: 'unaccounted' },
        { model: 'm', key: 'forged', how: 'unaccounted' },
        { model: 'm', key: 'b', how: 'missing' },
      ],
      unmade,
    })
    expect(await journal.rebuild(project)).toEqual({ streams: 1, unmade })
    expect(await journal.row('m', 'a')).not.toBeNull()
    expect(await journal.row('m', 'b')).not.toBeNull()
  })

  it('[J5] tells of a tail that was cut off', async (context) => {
    const { journal, opened } = subject
    if (opened.tamper === null) return context.skip()
    await writeTwoStreams(subject)
    await opened.tamper.remove('a', 3)
    await opened.tamper.remove('a', 4)
    expect(await journal.verify()).toEqual([
      { stream: 'a', version: 3, problem: 'Events 3 to 4 are missing.' },
    ])
  })
}

async function writeTwoStreams({ journal }: Subject): Promise<void> {
  const events = [1, 2, 3, 4].map((n) => happened('step', { n }))
  await journal.append(appendOf({ stream: 'a', events }))
  await journal.append(appendOf({ stream: 'b', events }))
}
