import { describe, expect, it } from 'vitest'
import type { Incoming } from './conversation.ts'
import { AT_WORK, at, duty, ended, given, opened, prompted, Q, tool, update } from './meet.fixture.ts'

type Clock = Extract<Incoming, { kind: 'clock' }>

describe('the clock', () => {
  const clock = (when: number, stallMs: number | null = 60_000): Clock => ({
    kind: 'clock',
    at: when,
    stallMs,
    remembers: true,
    worktree: null,
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

  const untouched = clockWith({ mark: 'as it was', isAsTaken: true })
  const worktree = (mark: string): Clock => clockWith({ mark, isAsTaken: false })
  function clockWith(seen: Clock['worktree']): Clock {
    return { ...clock(at), worktree: seen }
  }
  const calls = Array.from({ length: 24 }, (_, nth) =>
    update({ ...tool('1'), title: nth % 2 ? 'Test' : 'Read' }),
  )
  const seen = 'the same 2 tool calls in turn, 12 times: Read {"path":"a.txt"}, then Test {"path":"a.txt"}'
  const again = { act: 'look-again', at: at + 5000 } as const
  const interrupted = {
    act: 'interrupt',
    text: expect.stringContaining(`You have made ${seen}.`) as string,
    seen,
  } as const

  it('[D20] tells an agent once that it goes round in circles and changes nothing; then it is stalled', () => {
    given(...AT_WORK, ...calls)
      .when(clock(at))
      .then({ act: 'look-at-worktree' })
    given(...AT_WORK, ...calls)
      .when(untouched)
      .then(interrupted)
    given(...AT_WORK, ...calls, untouched, ...calls.slice(1), untouched)
      .when(clock(at))
      .then(again)
    given(...AT_WORK, ...calls, untouched, ...calls)
      .when(untouched)
      .then({ act: 'break-off', fault: 'stalled', detail: `It made ${seen} (it was told so before).` })
  })

  it('[D20] holds the worktree against what it was when the circle began, and asks for it only then', () => {
    const begun = [...AT_WORK, ...calls.slice(0, 4)]
    given(...AT_WORK, ...calls.slice(0, 3))
      .when(clock(at))
      .then(again)
    given(...begun)
      .when(clock(at))
      .then({ act: 'look-at-worktree' })
    expect(
      given(...begun)
        .when(worktree('edited before'))
        .then(again).circleBegan,
    ).not.toBeNull()
    given(...begun, worktree('edited before'), ...calls.slice(4, 23))
      .when(clock(at))
      .then(again)
    given(...begun, worktree('edited before'), ...calls.slice(4))
      .when(clock(at))
      .then({ act: 'look-at-worktree' })
    given(...begun, worktree('edited before'), ...calls.slice(4))
      .when(worktree('edited before'))
      .then(interrupted)
  })

  it('[D20] takes a changed worktree for progress, and counts anew, as often as that is so', () => {
    const working = Array.from({ length: 5 }, (_, nth) => [
      ...calls.slice(0, 4),
      worktree(`edit ${2 * nth}`),
      ...calls.slice(4),
      worktree(`edit ${2 * nth + 1}`),
    ]).flat()
    const after = given(...AT_WORK, ...working)
    expect(after.when(clock(at)).then(again)).toMatchObject({ warned: false, circleBegan: null })
    given(...AT_WORK, ...working, ...calls.slice(0, 22))
      .when(clock(at))
      .then({ act: 'look-at-worktree' })
    given(...AT_WORK, ...working, ...calls.slice(0, 4), worktree('last'), ...calls.slice(4))
      .when(worktree('last'))
      .then(interrupted)
  })

  it('[D20] waits for a whole round where it was quicker than the first look', () => {
    given(...AT_WORK, ...calls)
      .when(worktree('edited'))
      .then(again)
    given(...AT_WORK, ...calls, worktree('edited'), ...calls.slice(0, 2))
      .when(clock(at))
      .then(again)
    given(...AT_WORK, ...calls, worktree('edited'), ...calls.slice(0, 4))
      .when(worktree('edited'))
      .then({ act: 'interrupt', text: expect.any(String) as string, seen: seen.replace('12', '14') })
    given(...AT_WORK, ...calls, worktree('edited'), ...calls.slice(0, 4))
      .when(worktree('edited on'))
      .then(again)
  })

  it('[D20] tells nothing to one that would have forgotten all else, and looks for no circles where nobody wants it', () => {
    const same = Array.from({ length: 12 }, (_, nth) => update(tool(`${nth}`)))
    given(...AT_WORK, ...same)
      .when({ ...untouched, remembers: false })
      .then({
        ...{ act: 'break-off', fault: 'stalled' },
        detail: 'It made the same tool call 12 times in a row: Read a.txt {"path":"a.txt"}.',
      })
    given(duty({ stuck: null }), opened, prompted(), ...same)
      .when(clock(at))
      .then(again)
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
    { kind: 'concluded', wanted: true, answered: true, left, remarks: [], unclear: null },
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
