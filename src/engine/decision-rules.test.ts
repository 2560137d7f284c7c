import { describe, expect, it } from 'vitest'
import { given } from './given.fixture.ts'
import { changedRefusal, whyNotAnswered, whyNotSuperseded } from './index.ts'
import { recordsOf } from './records.fixture.ts'

const SIGN = `
steps:
  sign:
    decide: Ship?
    options: { ship: done, drop: abandoned }
    fields: { version: { type: text } }
`
const answer = { pick: 'ship', fields: {}, digest: null }

describe('an answer', () => {
  const [record] = Object.values(recordsOf(given(SIGN).started()))

  it('fits what was seen and what is offered there', () => {
    expect(whyNotAnswered(record!, answer)).toBeNull()
    expect(whyNotAnswered(record!, { ...answer, digest: record!.digest })).toBeNull()
    expect(whyNotAnswered(record!, { ...answer, fields: { version: '2.0' } })).toBeNull()
    expect(whyNotAnswered(record!, { ...answer, pick: '' })).toBeNull()
  })

  it('[Q13] to something else than what is shown now is refused', () => {
    expect(whyNotAnswered(record!, { ...answer, digest: 'of another' })).toEqual(changedRefusal(record!.id))
    expect(changedRefusal('d1', ['diff', 'tests'])).toEqual({
      code: 'superseded',
      message:
        'What you were shown has changed since (diff, tests). Look at it again, then answer: signalbox decision show d1',
    })
  })

  it('names the fields there are to whoever gives another', () => {
    expect(whyNotAnswered(record!, { ...answer, fields: { colour: 'red' } })).toEqual({
      code: 'invalid-answer',
      message: 'There is no field colour. It takes version.',
    })
    const bare = { ...record!, shown: { ...record!.shown, fields: [] } }
    expect(whyNotAnswered(bare, { ...answer, fields: { version: '2.0' } })).toMatchObject({
      message: 'There is no field version. It takes none.',
    })
  })

  it('names the options there are to whoever picks another', () => {
    expect(whyNotAnswered(record!, { ...answer, pick: 'later' })).toEqual({
      code: 'not-offered',
      message: '"later" is not one of the options: ship, drop. Words go into the note.',
    })
  })
})

describe('a decision in the place of another', () => {
  const asker = { agent: 'cli', program: '', version: '', model: '' }
  const open = { id: 'd1', run: null, status: 'open', asker } as const

  it('[Q12] is possible while the other is open', () => {
    expect(whyNotSuperseded(open, 'cli')).toBeNull()
    expect(whyNotSuperseded({ ...open, status: 'answered' }, 'cli')).toMatchObject({
      code: 'not-waiting',
      message: expect.stringContaining('d1 is answered already'),
    })
  })

  it('[Q12] is for its own agent where it was asked in a run', () => {
    expect(whyNotSuperseded({ ...open, run: 'r1' }, 'cli')).toMatchObject({ code: 'invalid-decision' })
  })

  it('[Q12] is for who asked: nobody takes away what another wants to know', () => {
    for (const other of [
      { ...open, asker: { ...asker, agent: 'signalbox' } },
      { ...open, asker: null },
    ])
      expect(whyNotSuperseded(other, 'cli')).toMatchObject({
        code: 'invalid-decision',
        message: expect.stringContaining('only who asked'),
      })
    const ours = { ...open, id: 'day-2026-03-01-abcd-1', asker: { ...asker, agent: 'signalbox' } }
    expect(whyNotSuperseded(ours, 'signalbox')).toMatchObject({ code: 'invalid-decision' })
  })

  it('[Q12] is for who asked by any name, Signalbox’s own too', () => {
    expect(whyNotSuperseded({ ...open, asker: { ...asker, agent: 'signalbox' } }, 'signalbox')).toBeNull()
  })
})
