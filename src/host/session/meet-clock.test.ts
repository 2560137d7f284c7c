import { describe, expect, it } from 'vitest'
import type { Incoming } from './conversation.ts'
import { AT_WORK, at, duty, ended, given, opened, prompted, Q, tool, update } from './meet.fixture.ts'

describe('the clock', () => {
  const clock = (when: number, stallMs: number | null = 60_000): Incoming => ({
    kind: 'clock',
    at: when,
    stallMs,
    remembers: true,
  })

  it('is looked at again in time', () => {
    given(...AT_WORK)
      .when(clock(at + 1000))
      .then({ act: 'look-again', at: at + 6000 })
    given(...AT_WORK)
      .when(clock(at + 58_000))
      .then({ act: 'look-again', at: at + 60_000 })
    given(...AT_WORK)
      .when(clock(at + 999_000, null))
      .then({ act: 'look-again', at: at + 1_004_000 })
  })

  it('tells silence that is too long', () => {
    given(...AT_WORK)
      .when(clock(at + 60_000))
      .then({ act: 'break-off', fault: 'stalled', detail: 'No output and no tool call for 60 seconds.' })
    given(...AT_WORK, update({ kind: 'other', about: 'plan' }, at + 30_000))
      .when(clock(at + 60_000))
      .then({ act: 'look-again', at: at + 65_000 })
  })

  it('[A22] takes no jump of itself for silence, forward or back', () => {
    given(...AT_WORK, { kind: 'jumped', byMs: 3_600_000 })
      .when(clock(at + 3_600_000 + 59_000))
      .then({ act: 'look-again', at: at + 3_660_000 })
    given(...AT_WORK, { kind: 'jumped', byMs: 3_600_000 })
      .when(clock(at + 3_660_000))
      .then({ act: 'break-off', fault: 'stalled', detail: 'No output and no tool call for 60 seconds.' })
    given(...AT_WORK, { kind: 'jumped', byMs: -3_600_000 })
      .when(clock(at - 3_600_000 + 60_000))
      .then({ act: 'break-off', fault: 'stalled', detail: 'No output and no tool call for 60 seconds.' })
  })

  it('expects silence while a person decides about a request', () => {
    given(...AT_WORK, { kind: 'requested', question: Q })
      .when(clock(at + 900_000))
      .then({ act: 'look-again', at: at + 905_000 })
  })

  it('tells of words that nobody could deal with: the fault of who said them', () => {
    given(...AT_WORK, { kind: 'unreadable', detail: 'What it sent could not be read.' })
      .when(clock(at))
      .then({ act: 'break-off', fault: 'failed', detail: 'What it sent could not be read.' })
  })

  it('[D20] tells an agent once that it goes round in circles; then it is stalled', () => {
    const calls = Array.from({ length: 24 }, (_, nth) =>
      update({ ...tool('1'), title: nth % 2 ? 'Test' : 'Read' }),
    )
    const seen = 'the same 2 tool calls in turn, 12 times: Read {"path":"a.txt"}, then Test {"path":"a.txt"}'
    given(...AT_WORK, ...calls)
      .when(clock(at))
      .then({ act: 'interrupt', text: expect.stringContaining(`You have made ${seen}.`) as string, seen })
    given(...AT_WORK, ...calls, clock(at), ...calls.slice(1))
      .when(clock(at))
      .then({ act: 'look-again', at: at + 5000 })
    given(...AT_WORK, ...calls, clock(at), ...calls)
      .when(clock(at))
      .then({ act: 'break-off', fault: 'stalled', detail: `It made ${seen} (it was told so before).` })
  })

  it('[D20] tells nothing to one that would have forgotten all else, and looks for no circles where nobody wants it', () => {
    const calls = Array.from({ length: 12 }, (_, nth) => update(tool(`${nth}`)))
    given(...AT_WORK, ...calls)
      .when({ kind: 'clock', at, stallMs: null, remembers: false })
      .then({
        ...{ act: 'break-off', fault: 'stalled' },
        detail: 'It made the same tool call 12 times in a row: Read a.txt {"path":"a.txt"}.',
      })
    given(duty({ stuck: null }), opened, prompted(), ...calls)
      .when(clock(at))
      .then({ act: 'look-again', at: at + 5000 })
  })

  it('tells no circles of an earlier turn', () => {
    const calls = Array.from({ length: 12 }, (_, index) => update(tool(`${index}`)))
    given(...AT_WORK, ...calls, prompted())
      .when(clock(at))
      .then({ act: 'look-again', at: at + 5000 })
  })
})

describe('turns that bring nothing new', () => {
  const turn = (left: string, ...updates: readonly Incoming[]): Incoming[] => [
    duty({ running: true }),
    prompted(),
    ...updates,
    { kind: 'turn-ended', end: ended, by: 'prompter' },
    { kind: 'concluded', wanted: true, answered: true, left, remarks: [], again: false },
  ]
  const began = [...AT_WORK, ...turn('a', update(tool('1')))]

  it('[D20] are told once, then it is stalled before it is asked again', () => {
    const told = given(...began, ...turn('a'), ...turn('a', update(tool('2')))).when(duty({ running: true }))
    expect(told.conversation.remarks).toEqual([expect.stringContaining('You have ended 2 turns in a row')])
    told.then({ act: 'clear-answers' }, { act: 'prompt', memory: 'live' })
    given(...began, ...turn('a'), ...turn('a'), ...turn('a'), ...turn('a'))
      .when(duty({ running: true }))
      .then({
        act: 'break-off',
        fault: 'stalled',
        detail: expect.stringMatching(/^It ended 4 turns in a row .*, also after it was told\.$/) as string,
      })
  })

  it('[D20] count anew with other files, another answer, another call, or a person’s word', () => {
    const again: Incoming[][] = [
      turn('b'),
      turn('a', update({ ...tool('3'), title: 'Test' })),
      [duty({ running: true, unheard: true }), prompted(Q), ...turn('a').slice(2)],
    ]
    for (const news of again) {
      const { idleTurns } = given(...began, ...turn('a'), ...turn('a'), ...turn('a')).when(
        news[0]!,
      ).conversation
      expect(idleTurns).toBe(3)
      const after = given(...began, ...turn('a'), ...turn('a'), ...turn('a'), ...news)
      expect(after.when(duty({ running: true })).conversation.idleTurns).toBeLessThan(2)
    }
  })
})

describe('the tools', () => {
  it('are greeted, then listed, and never unseen again', () => {
    const listed = given({ kind: 'tools', seen: 'listed' })
    expect(listed.when({ kind: 'tools', seen: 'greeted' }).then().tools).toBe('listed')
    expect(given().when({ kind: 'tools', seen: 'greeted' }).then().tools).toBe('greeted')
  })
})
