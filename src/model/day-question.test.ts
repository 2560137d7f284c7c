import { describe, expect, it } from 'vitest'
import { dayQuestionId, dayStanding, dueAnswer, waitedForEnd } from './day-question.ts'
import type { DecisionRecord } from './decision-record.ts'
import type { RunEvent } from './event.ts'

const DAY = { name: '2026-07-04', startAt: 1000, endAt: 2000 }
const PERSON = { kind: 'person', name: 'alice' } as const

const record = (
  status: DecisionRecord['status'],
  pick = '',
  over: Partial<DecisionRecord> = {},
): Parameters<typeof dueAnswer>[0] => ({
  status,
  by: pick === '' ? null : PERSON,
  pick,
  edited: null,
  stages: [{ status: 'open', at: 1100 }],
  ...over,
})

describe('[A21] the question about a day', () => {
  it('is one for a day and its limits, and another for other limits', () => {
    const id = (costUsd: number, nth: number) => dayQuestionId(DAY, { costUsd, tokens: null }, nth)
    expect(id(5, 0)).toBe(id(5, 0))
    expect(new Set([id(5, 0), id(5, 1), id(50, 0)]).size).toBe(3)
  })

  it('is followed as soon as its answer counts, and until it was', () => {
    expect(dueAnswer(record('answered', 'stop', { undoableUntil: 1500 }))).toBeNull()
    expect(dueAnswer(record('answered', 'stop'))).toBe('stop')
    expect(dueAnswer(record('delivered', 'raise'))).toBe('raise')
    expect(dueAnswer(record('acted', 'raise'))).toBeNull()
    expect(dueAnswer(record('open'))).toBeNull()
  })

  it('is asked again only when more was allowed, or when it was taken back', () => {
    const stages = [{ status: 'delivered', at: 1400 }] as const
    expect(dayStanding(record('acted', 'raise', { stages }))).toEqual({ kind: 'raised', at: 1400 })
    expect(dayStanding(record('answered', 'raise'))).toEqual({ kind: 'asked' })
    expect(dayStanding(record('acted', 'wait', { stages }))).toEqual({ kind: 'asked' })
    expect(dayStanding(record('withdrawn'))).toEqual({ kind: 'gone' })
  })
})

it('[A21] [Q7] words, or an option in other words, are never taken for one of its own: it is asked again', () => {
  const words = { ...record('answered'), by: PERSON }
  const edited = record('answered', 'raise', { edited: 'Go on until $7' })
  const stages = [{ status: 'delivered', at: 1400 }] as const
  for (const told of [words, edited]) {
    expect(dueAnswer(told)).toBe('again')
    expect(dayStanding({ ...told, status: 'acted', stages })).toEqual({ kind: 'gone' })
  }
})

describe('[A21] who waited for a day to end', () => {
  const parked = (at: number, reason?: 'day-limit'): RunEvent => ({
    type: 'attempt.parked',
    at,
    member: 0,
    until: 2000,
    ...(reason === undefined ? {} : { reason }),
  })
  const woken = (at: number): RunEvent => ({ type: 'attempt.woken', at, member: 0 })

  it.each<[string, RunEvent[], boolean]>([
    ['waits still', [parked(1500, 'day-limit')], true],
    ['went on when it was over', [parked(1500, 'day-limit'), woken(2000)], true],
    ['went on before', [parked(1500, 'day-limit'), woken(1600)], false],
    ['waited twice', [parked(1500, 'day-limit'), woken(1600), parked(1700, 'day-limit')], true],
    ['waited for its model, which resets at the same time', [parked(1500)], false],
    ['waited for another day', [parked(2500, 'day-limit')], false],
  ])('%s', (_, events, waited) => {
    expect(waitedForEnd(events, DAY)).toBe(waited)
  })
})
