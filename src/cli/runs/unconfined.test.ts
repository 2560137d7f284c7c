import { describe, expect, it } from 'vitest'
import { EMPTY_BOOK, evolveBook, storyEntry } from '../../engine/index.ts'
import type { RunEvent } from '../../model/event.ts'
import type { Holder } from '../../model/fact.ts'
import { cardLines } from '../decision/card.ts'
import { aRecord, LOOK } from '../decision/record.fixture.ts'
import { heldIn } from './unconfined.ts'

const opened = (confined?: Holder): RunEvent => ({
  type: 'session.opened',
  at: 1,
  step: 'develop',
  visit: 1,
  member: 0,
  agent: 'dev',
  program: 'claude',
  version: '1',
  session: null,
  resumed: false,
  ...(confined === undefined ? {} : { confined }),
})

describe('[X9] what held the agents of a run', () => {
  it.each<[(Holder | undefined)[], Holder | undefined]>([
    [[], undefined],
    [[undefined], undefined],
    [['bubblewrap', 'bubblewrap'], 'bubblewrap'],
    [['bubblewrap', 'none', 'bubblewrap'], 'none'],
    [['seatbelt', undefined], 'seatbelt'],
  ])('of %j is %s', (held, expected) => {
    expect(heldIn(held.map(opened))).toBe(expected)
    const book = held.map(opened).reduce((so, event) => evolveBook(so, event, () => null), EMPTY_BOOK)
    expect(book.confined).toBe(expected)
  })

  it('is said on the card where it was nothing, and only there', () => {
    const said = (record: Parameters<typeof aRecord>[0]) => cardLines(aRecord(record), LOOK).join(' ')
    expect(said({ confined: 'none' })).toContain('No sandbox held the agents of this run')
    for (const held of [{}, { confined: 'bubblewrap' as const }]) expect(said(held)).not.toContain('sandbox')
  })

  it('is said in the story', () => {
    expect(storyEntry(opened('none'), String)?.text).toContain('no sandbox holds it')
    expect(storyEntry(opened('bubblewrap'), String)?.text).not.toContain('sandbox')
  })
})
