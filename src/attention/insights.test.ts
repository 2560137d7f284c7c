import { describe, expect, it } from 'vitest'
import { answered, aRow, OPENED_AT, option } from '../engine/decision-row.fixture.ts'
import type { DecisionRow } from '../model/decision-record.ts'
import { type InsightRun, insightsOf } from './insights.ts'

const MINUTE_MS = 60_000

const insights = (decisions: readonly DecisionRow[], runs: readonly InsightRun[] = []) =>
  insightsOf({ decisions, runs, boundOf: (program) => (program === 'known' ? 7 : null) })

const run = (id: string, more: Partial<InsightRun> = {}): InsightRun => ({
  run: id,
  name: 'build',
  program: 'known',
  status: 'ended',
  extended: false,
  totals: { flowQuestions: 1, agentQuestions: 2 },
  ...more,
})

const stating = (confidence: number | null) => [option('sqlite', { confidence }), option('redis')]

describe('calibration', () => {
  it('tells how often the recommendation was taken, by stated confidence', () => {
    const rows = [0.2, 0.5, 0.69, 0.7, 0.9, 1, null].flatMap((confidence) => [
      answered('sqlite', { options: stating(confidence) }),
      answered('redis', { options: stating(confidence) }),
    ])
    expect(insights(rows).calibration.all).toEqual({
      taken: 7,
      of: 14,
      byConfidence: {
        '0–0.5': { taken: 1, of: 2 },
        '0.5–0.7': { taken: 2, of: 4 },
        '0.7–0.9': { taken: 1, of: 2 },
        '0.9–1': { taken: 2, of: 4 },
        unsaid: { taken: 1, of: 2 },
      },
    })
  })

  it('[Y7] takes words as no for an answer, and leaves out what recommends nothing or was answered by policy', () => {
    const { all } = insights([
      answered('', { note: 'Neither.' }),
      answered('sqlite', { recommended: null }),
      answered('sqlite', { by: { kind: 'policy', name: 'p' } }),
      aRow(),
    ]).calibration
    expect(all).toMatchObject({ taken: 0, of: 1 })
  })

  it('is told for each agent, program, model and kind that has a name', () => {
    const by = (agent: string, model: string) => ({ asker: { agent, program: 'acme', version: '1', model } })
    const { agents, programs, models, kinds } = insights([
      answered('sqlite', by('dev', '')),
      answered('redis', by('dev', 'large')),
      answered('sqlite', by('critic', 'large')),
      answered('sqlite', { asker: null, kind: '' }),
    ]).calibration
    const told = (groups: typeof agents) => groups.map(({ name, taken, of }) => `${name} ${taken}/${of}`)
    expect(told(agents)).toEqual(['dev 1/2', 'critic 1/1'])
    expect(told(programs)).toEqual(['acme 2/3'])
    expect(told(models)).toEqual(['large 1/2'])
    expect(told(kinds)).toEqual(['tradeoff 2/3'])
  })
})

describe('of all decisions', () => {
  it('it is told who answered, and what became of the rest', () => {
    const ended = (status: DecisionRow['status']) => aRow({ status })
    expect(
      insights([
        answered('sqlite'),
        answered('sqlite', { by: { kind: 'policy', name: 'p' } }),
        ...(['open', 'open', 'expired', 'withdrawn', 'superseded', 'undeliverable'] as const).map(ended),
      ]),
    ).toMatchObject({
      decisions: 8,
      byPerson: 1,
      byPolicy: 1,
      ended: { open: 2, expired: 1, withdrawn: 1, superseded: 1, undeliverable: 1 },
    })
  })

  it('those need not have been asked that were sure, reversible and taken', () => {
    expect(
      insights([
        answered('sqlite', { options: stating(0.9) }),
        answered('sqlite', { options: stating(0.89) }),
        answered('redis', { options: stating(1) }),
        answered('sqlite', { options: [option('sqlite', { confidence: 1, reversible: false })] }),
      ]).overAsked,
    ).toBe(1)
  })

  it('the time to answer is that of people, at half and at nine tenths of them', () => {
    const after = (minutes: number) => answered('sqlite', { answeredAt: OPENED_AT + minutes * MINUTE_MS })
    const rows = [5, 1, 9, 3, 2, 4, 8, 7, 6, 60].map(after)
    expect(insights(rows).timeToAnswer).toEqual({ medianMs: 5 * MINUTE_MS, p90Ms: 9 * MINUTE_MS })
    expect(insights([]).timeToAnswer).toEqual({ medianMs: null, p90Ms: null })
  })
})

describe("[Y7] a person's time for a finished run", () => {
  const spent = (rows: readonly DecisionRow[], ...runs: InsightRun[]) => insights(rows, runs).runs.attention
  const between = (from: number, to: number, more: Partial<DecisionRow> = {}) =>
    answered('sqlite', {
      openedAt: OPENED_AT + from * MINUTE_MS,
      answeredAt: OPENED_AT + to * MINUTE_MS,
      ...more,
    })

  it('is counted from the question to its answer, and not beyond five minutes', () => {
    expect(spent([between(0, 2), between(10, 90)], run('r1')).meanMs).toBe(7 * MINUTE_MS)
  })

  it('is counted once where questions lay side by side or were answered with one stroke', () => {
    expect(spent([between(0, 2), between(0, 3), between(1, 3)], run('r1')).meanMs).toBe(3 * MINUTE_MS)
  })

  it('is counted for each person', () => {
    const you = { by: { kind: 'person', name: 'you' } } as const
    expect(spent([between(0, 2), between(0, 2, you)], run('r1')).meanMs).toBe(4 * MINUTE_MS)
  })

  it('is nothing where nothing was asked, and of no matter while a run goes on', () => {
    const runs = [run('r1'), run('r2'), run('r3', { status: 'waiting' })]
    expect(spent([between(0, 4), between(9, 10, { run: 'r3' })], ...runs)).toEqual({
      meanMs: 2 * MINUTE_MS,
      medianMs: 0,
      p90Ms: 4 * MINUTE_MS,
    })
    expect(spent([between(0, 4)])).toEqual({ meanMs: null, medianMs: null, p90Ms: null })
  })
})

describe('the questions of a run', () => {
  it('are held against what was proved of its program, unless people extended it', () => {
    const many = { totals: { flowQuestions: 9, agentQuestions: 0 } }
    const runs = [
      run('a'),
      run('b', { totals: { flowQuestions: 1, agentQuestions: 0 } }),
      run('c', { ...many, extended: true }),
      run('d', { ...many, program: 'lost', name: 'other' }),
      run('e', { status: 'working' }),
    ]
    expect(insights([], runs).runs).toMatchObject({
      finished: 4,
      questions: [
        { name: 'build', program: 'known', runs: 3, mean: 2, most: 3, bound: 7, extended: 1 },
        { name: 'other', program: 'lost', runs: 1, mean: 9, most: 9, bound: null, extended: 0 },
      ],
    })
  })
})
