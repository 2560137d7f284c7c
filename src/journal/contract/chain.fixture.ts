/** The chain of hashes, and what `verify` finds when somebody was at the store. */
import { expect, it } from 'vitest'
import { CHAIN_START, chainHash } from '../chain.ts'
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
