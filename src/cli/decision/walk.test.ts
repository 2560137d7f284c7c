/** The inbox without a terminal: keys in, states and acts out. */
import { describe, expect, it } from 'vitest'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { keysIn } from './keys.ts'
import { aRecord, SHOWN } from './record.fixture.ts'
import { beginWalk, currentOf, press, type Walk, type WalkAction } from './walk.ts'
import { goneFrom, listed, saying, withoutItems, withRecord } from './walk-news.ts'

const ITEMS = [
  { id: 'd1aaaaaa', group: 1 },
  { id: 'd2bbbbbb', group: 3 },
  { id: 'd3cccccc', group: 1 },
]

const SEEN = { layout: '', to: 0, all: true }
/** All of what is there was on the screen. */
const seen = (walk: Walk): Walk => ({ ...walk, sight: SEEN })
const begun = (record: Partial<DecisionRecord> = {}): Walk =>
  seen(withRecord(beginWalk(ITEMS), aRecord(record)))

function type(walk: Walk, input: string): { readonly walk: Walk; readonly actions: readonly WalkAction[] } {
  const actions: WalkAction[] = []
  let at = walk
  for (const key of keysIn(input)) {
    const step = press(at, key)
    at = step.walk
    if (step.action !== null) actions.push(step.action)
  }
  return { walk: at, actions }
}

const answer = (given: object) => ({
  kind: 'answer',
  id: 'd1aaaaaa',
  answer: { pick: '', note: '', fields: {}, edited: null, digest: 'digest-1', together: false, ...given },
})

describe('a walk through the inbox', () => {
  it('answers with the option of a number, bound to what was shown', () => {
    expect(type(begun(), '2').actions).toEqual([answer({ pick: 'redis' })])
    expect(type(begun(), '9')).toMatchObject({ actions: [], walk: { said: 'There is no option 9.' } })
  })

  it('[Q27] answers nothing of which not all was on the screen', () => {
    const unseen = withRecord(beginWalk(ITEMS), aRecord())
    for (const keys of ['1', 'nno\r\r', 'e1']) {
      const { actions, walk } = type(unseen, keys)
      expect(actions).toEqual([])
      expect(walk.said).toContain('o unfolds it, space scrolls to its end')
    }
    // The next one is another card.
    expect(type(begun(), 'j').walk.sight.all).toBe(false)
    expect(withRecord(begun(), aRecord({ digest: 'other' })).sight.all).toBe(false)
  })

  it('asks once more where it cannot be undone', () => {
    expect(type(begun(), '3')).toMatchObject({ actions: [], walk: { mode: { kind: 'sure' } } })
    expect(type(begun(), '3n')).toMatchObject({ actions: [], walk: { mode: { kind: 'look' } } })
    expect(type(begun(), '3\r').actions).toEqual([])
    expect(type(begun(), '3y').actions).toEqual([answer({ pick: 'wipe' })])
  })

  it('takes a note first, then the option, or the words alone', () => {
    expect(type(begun(), 'nwith care\r1').actions).toEqual([answer({ pick: 'sqlite', note: 'with care' })])
    expect(type(begun(), 'nneither 1 nor 2\r\r').actions).toEqual([answer({ note: 'neither 1 nor 2' })])
    expect(type(begun(), '\r').actions).toEqual([])
    expect(type(begun(), 'nno\u001B1').actions).toEqual([answer({ pick: 'sqlite' })])
  })

  it('changes what an option means, then picks it', () => {
    const editing = type(begun(), 'e1')
    expect(editing.walk.mode).toMatchObject({ kind: 'write', text: 'Do sqlite.' })
    expect(type(editing.walk, '\u0015Only in tests.\r').actions).toEqual([
      answer({ pick: 'sqlite', edited: 'Only in tests.' }),
    ])
    expect(type(begun(), 'e1\u0015\r')).toMatchObject({ actions: [], walk: { mode: { kind: 'look' } } })
    expect(type(begun(), 'ex').actions).toEqual([])
    // A change of one option does not go with another.
    expect(type(type(begun(), 'e3\u0015Half of it.\rn').walk, '1').actions).toEqual([
      answer({ pick: 'sqlite' }),
    ])
  })

  it('asks for the fields that the option needs', () => {
    const why = { name: 'why', type: 'text', say: '', requiredFor: ['redis'], choices: [] } as const
    const hours = { ...why, name: 'hours', type: 'number' } as const
    const shown = { ...SHOWN, fields: [why, hours] }
    expect(type(begun({ shown }), '2faster\r12\r').actions).toEqual([
      answer({ pick: 'redis', fields: { why: 'faster', hours: 12 } }),
    ])
    expect(type(begun({ shown }), '2\r')).toMatchObject({ actions: [], walk: { said: 'redis needs why.' } })
    expect(type(begun({ shown: { ...shown, proposed: { why: 'a', hours: 1 } } }), '2').actions).toEqual([
      answer({ pick: 'redis' }),
    ])
  })

  it('answers all alike together only where there are others, and only when told to', () => {
    expect(type(begun(), 't1')).toMatchObject({ actions: [{ answer: { together: false } }] })
    const second = seen(withRecord(type(begun(), 'j').walk, aRecord({ id: 'd2bbbbbb' })))
    expect(type(second, 't1')).toMatchObject({ actions: [{ id: 'd2bbbbbb', answer: { together: true } }] })
    expect(type(second, 'tt1')).toMatchObject({ actions: [{ answer: { together: false } }] })
  })

  it('puts off, assigns and takes back', () => {
    expect(type(begun(), 's2h\r').actions).toEqual([
      { kind: 'snooze', id: 'd1aaaaaa', durationMs: 7_200_000 },
    ])
    expect(type(begun(), 's\r').actions).toMatchObject([{ durationMs: 3_600_000 }])
    expect(type(begun(), 'ssoon\r')).toMatchObject({ actions: [], walk: { mode: { kind: 'look' } } })
    expect(type(begun(), 'aanna\r').actions).toEqual([{ kind: 'assign', id: 'd1aaaaaa', to: 'anna' }])
    expect(type(begun({ assignee: 'anna' }), 'a\u0015\r').actions).toMatchObject([{ to: null }])
    expect(type(begun(), 'u').actions).toEqual([])
    expect(type({ ...begun(), last: { id: 'd9', until: 1 } }, 'u').actions).toEqual([
      { kind: 'undo', id: 'd9' },
    ])
  })

  it('delivers an answer again that reached nobody, and takes no second one', () => {
    const stuck = begun({ status: 'undeliverable', by: { kind: 'person', name: 'anna' }, pick: 'redis' })
    expect(type(stuck, 'r').actions).toEqual([{ kind: 'retry', id: 'd1aaaaaa' }])
    expect(type(stuck, '1')).toMatchObject({
      actions: [],
      walk: { said: expect.stringContaining('r delivers') },
    })
    expect(type(begun(), 'r').actions).toEqual([])
  })

  it('goes on and back, looks closer, helps, and leaves', () => {
    const there = type(begun(), 'jj')
    expect(currentOf(there.walk)?.id).toBe('d3cccccc')
    expect(type(there.walk, 'j').walk).toMatchObject({ at: 2, said: 'This is the last one.' })
    expect(type(there.walk, 'kkk').walk).toMatchObject({ at: 0, said: 'This is the first one.' })
    expect(type(begun(), 'o').walk.whole).toBe(true)
    expect(type(begun(), '?').walk.mode.kind).toBe('help')
    expect(type(begun(), '?1')).toMatchObject({ actions: [], walk: { mode: { kind: 'look' } } })
    expect(type(begun(), 'q').actions).toEqual([{ kind: 'quit' }])
    expect(type(begun(), 'nx\u0003').actions).toEqual([{ kind: 'interrupt' }])
  })

  it('takes no key for the next one while the host is asked, or before it is on the screen', () => {
    const sent = type(begun(), '11122')
    expect(sent.actions).toHaveLength(1)
    expect(type(type(begun(), 'j').walk, '1').actions).toEqual([])
  })

  it('is not moved by what is pasted', () => {
    expect(type(begun(), '\u001B[200~1\n2\nq\u001B[201~')).toMatchObject({ actions: [], walk: { at: 0 } })
    expect(type(begun(), 'n\u001B[200~two\nlines\u001B[201~\r1').actions).toEqual([
      answer({ pick: 'sqlite', note: 'two lines' }),
    ])
  })
})

describe('news during a walk', () => {
  it('[V7] a note typed for one decision is never sent with another', () => {
    const noted = type(begun(), 'nfor the first\r').walk
    const next = aRecord({ id: 'd2bbbbbb' })
    for (const moved of [
      type(noted, 'j').walk,
      withoutItems(noted, ['d1aaaaaa'], ''),
      type(goneFrom(noted, 'd1aaaaaa', 'Answered.'), ' ').walk,
      listed(noted, ITEMS.slice(1)),
    ])
      expect(type(seen(withRecord(moved, next)), '1').actions).toMatchObject([
        { id: 'd2bbbbbb', answer: { note: '' } },
      ])
  })

  it('[V7] a key that was meant for what has gone does not answer what comes next', () => {
    const gone = goneFrom(begun(), 'd1aaaaaa', 'anna answered it.')
    const next = withRecord(gone, aRecord({ id: 'd2bbbbbb' }))
    expect(next.mode).toEqual({ kind: 'gone', why: 'anna answered it.' })
    expect(type(next, '1')).toMatchObject({ actions: [], walk: { mode: { kind: 'look' } } })
    expect(listed(gone, []).mode.kind).toBe('gone')
  })

  it('what has changed must be looked at again', () => {
    const changed = withRecord(type(begun(), 'nso\r').walk, aRecord({ digest: 'digest-2' }))
    expect(changed).toMatchObject({ mode: { kind: 'gone' }, draft: { note: '' } })
    expect(type(seen(changed), ' 1').actions).toMatchObject([{ answer: { digest: 'digest-2' } }])
  })

  it('a new list leaves whoever reads where they are, with what they typed', () => {
    const typing = type(begun(), 'nhalf a').walk
    const after = listed(typing, [{ id: 'd0', group: 1 }, ...ITEMS])
    expect(after).toMatchObject({ at: 1, mode: { kind: 'write', text: 'half a' } })
    expect(listed(saying(begun(), 'x'), [])).toMatchObject({ at: 0, items: [], record: null })
  })
})
