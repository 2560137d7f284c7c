import { describe, expect, it } from 'vitest'
import type { RunRow } from '../../model/api/runs.ts'
import { folderName, parseRunsFilter, placeText, runChoices, shownRuns, underRuns } from './runs.view.ts'

const ROW: RunRow = {
  run: 'a1',
  status: 'working',
  step: 'develop',
  visit: 1,
  end: null,
  totals: { visits: 1, dispatches: 1, flowQuestions: 0, agentQuestions: 0 },
  budgets: {},
  usage: { costUsd: 0, tokens: 0, unpriced: 0 },
  extended: false,
  name: 'build',
  runbook: '/work/shop/build.yaml',
  program: 'p',
  repo: '/work/shop',
  branch: 'signalbox/a1',
  issue: { id: 'S1-login', title: 'Repair the login' },
  startedAt: 1,
  changedAt: 2,
  enteredAt: 2,
  counters: {},
  success: null,
  waiting: 0,
  waitsForDay: false,
  discarded: false,
}

const ROWS: readonly RunRow[] = [
  ROW,
  { ...ROW, run: 'b2', status: 'waiting', waiting: 1, name: 'ask', issue: null },
  { ...ROW, run: 'c3', status: 'ended', success: true, step: null, end: 'done', repo: '/work/other' },
  { ...ROW, run: 'd4', status: 'ended', success: false, step: null, end: 'abandoned' },
]

const shown = (filter: Parameters<typeof shownRuns>[1]): string =>
  shownRuns(ROWS, filter)
    .map(({ run }) => run)
    .join(' ')

describe('the runs that are shown', () => {
  it('[U15] are those that fit all of the address', () => {
    expect(shown({})).toBe('a1 b2 c3 d4')
    expect(shown({ status: 'waiting' })).toBe('b2')
    expect(shown({ flow: 'build', repo: '/work/shop' })).toBe('a1 d4')
    expect(shown({ text: 'LOGIN develop' })).toBe('a1')
    expect(shown({ text: 'abandoned', status: 'done' })).toBe('')
  })

  it('[U15] are told of in an address that means nothing else, and an odd one means nothing', () => {
    expect(parseRunsFilter({ status: 'waiting', flow: 'build', text: 42, repo: '' })).toEqual({
      status: 'waiting',
      flow: 'build',
      text: '42',
    })
    expect(parseRunsFilter({ status: 'odd', flow: ['x'], text: null })).toEqual({})
  })

  it('can be chosen by what there is, with how many each would leave', () => {
    expect(runChoices(ROWS, { flow: 'build', status: 'waiting' })).toEqual({
      statuses: [
        { sign: 'waiting', count: 0 },
        { sign: 'working', count: 1 },
        { sign: 'fault', count: 1 },
        { sign: 'done', count: 1 },
      ],
      flows: ['ask', 'build'],
      repos: ['/work/other', '/work/shop'],
    })
  })

  it('are told of in short', () => {
    expect(underRuns(ROWS)).toBe('2 go on, 1 waits for you.')
    expect(underRuns([])).toBe('None goes on.')
    expect(placeText({ ...ROW, visit: 2 })).toBe('develop, visit 2')
    expect(placeText(ROWS[3]!)).toBe('abandoned')
    expect(folderName('/work/shop/')).toBe('shop')
  })
})
