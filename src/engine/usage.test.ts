/** The run's limit in money and tokens. */
import { describe, expect, it } from 'vitest'
import { given } from './given.fixture.ts'

const flow = (steps: string, limits = 'tokens: 100') => `
  limits: { ${limits} }
  on: { over_budget: abandoned }
  steps: ${steps}
`
const BUILD = '{ build: { agent: dev, next: review }, review: { agent: check, next: done } }'
const PANEL = '{ review: { panel: [anna, ben], next: done } }'

describe('usage', () => {
  it('[A12] adds up over the run', () => {
    const run = given(flow(BUILD)).started().use('build', { costUsd: 0.5, tokens: 40 }).answer('build', {})
    run.use('review', { costUsd: 0.25, tokens: 60 })
    expect(run.events).toEqual([{ type: 'usage.recorded', at: 0, member: 0, costUsd: 0.25, tokens: 60 }])
    expect(run.state.usage).toEqual({ costUsd: 0.75, tokens: 100, unpriced: 0 })
    expect(run.place).toBe('review#1')
  })

  it('[A12] without a price is no cost, and is not forgotten', () => {
    const run = given(flow(BUILD, 'tokens: 100')).started().use('build', { costUsd: null, tokens: 60 })
    expect(run.state.usage).toEqual({ costUsd: 0, tokens: 60, unpriced: 60 })
    expect(run.begin('build').use('build', { costUsd: null, tokens: 41 }).place).toBe('ended: abandoned')
  })

  it('[A12] beyond the limit ends the agent as `over_budget`, and says how far', () => {
    const tokens = given(flow(BUILD)).started().begin('build').use('build', { tokens: 101 })
    expect(tokens.happened).toEqual(['usage.recorded', 'member.faulted', 'visit.left', 'run.ended'])
    expect(tokens.event('visit.left')).toMatchObject({ outcome: 'over_budget', detail: '101 of 100 tokens' })
    const money = given(flow(BUILD, 'cost: 2.5')).started().begin('build').use('build', { costUsd: 2.51 })
    expect(money.event('member.faulted')).toMatchObject({ fault: 'over_budget', detail: '$2.51 of $2.50' })
  })

  it('[A12] is not limited where nobody says so', () => {
    const run = given(`steps: ${BUILD}`).started().use('build', { costUsd: 1e6, tokens: 1e9 })
    expect(run.happened).toEqual(['usage.recorded'])
  })

  it('[A12] ends an agent also while it is parked, at its gate, or waiting for a person', () => {
    const gated = flow('{ build: { agent: dev, gate: npm test, next: done } }')
    expect(given(gated).started().answer('build', {}).use('build', { tokens: 101 }).place).toBe(
      'ended: abandoned',
    )
    expect(given(gated).started().park('build', '1h').use('build', { tokens: 101 }).place).toBe(
      'ended: abandoned',
    )
    const asking = given(gated).started().ask('build').use('build', { tokens: 101 })
    expect(asking.happened).toEqual([
      'usage.recorded',
      'question.closed',
      'member.faulted',
      'visit.left',
      'run.ended',
    ])
  })

  it('[A12] of a member who has finished is recorded and ends nobody who is at work', () => {
    const run = given(flow(PANEL))
      .started()
      .begin('review@anna')
      .begin('review@ben')
      .answer('review@anna', {})
    run.use('review@anna', { tokens: 101 })
    expect(run.happened).toEqual(['usage.recorded'])
    expect(run.member(0)).toMatchObject({ status: 'answered', fault: null })
    expect(run.use('review@ben', { tokens: 1 }).event('member.faulted')).toMatchObject({
      member: 1,
      fault: 'over_budget',
    })
  })
})

describe('[A25] what no turn can use', () => {
  const FREE = 'steps: { build: { agent: dev, next: done } }'

  it.each([[Number.NaN], [-5], [Number.POSITIVE_INFINITY]])(
    '[A12][E2] is recorded as what it is, and counts for nothing: %d would undo the limit, or not survive the journal',
    (amount) => {
      const run = given(flow(BUILD)).started().begin('build').use('build', { tokens: amount })
      expect(run.events).toMatchObject([{ tokens: 0, doubted: { said: `${amount} tokens` } }])
      expect(run.use('build', { costUsd: amount }).happened).toEqual([])
      expect(run.state.usage).toEqual({ costUsd: 0, tokens: 0, unpriced: 0 })
    },
  )

  it('counts for its run as far as a turn could use it, and the rest is put aside', () => {
    const run = given(FREE).started().begin('build').use('build', { costUsd: 1e9 })
    expect(run.events).toMatchObject([
      { costUsd: 1000, doubted: { costUsd: 1e9 - 1000, said: '$1000000000' } },
    ])
    run.use('build', { costUsd: 1e9 })
    expect(run.events).toMatchObject([{ costUsd: 0, doubted: { costUsd: 1e9 } }])
    expect(run.state.usage.costUsd).toBe(1000)
    const limited = given(flow(BUILD, 'cost: 2.5')).started().begin('build').use('build', { costUsd: 1e9 })
    expect(limited.event('member.faulted')).toMatchObject({ fault: 'over_budget' })
  })

  it('is judged by each turn, and by nobody else', () => {
    const run = given(FREE).started().begin('build').use('build', { costUsd: 1e9 })
    run.park('build', '1h').pass('2h').use('build', { costUsd: 3 })
    expect(run.event('usage.recorded')).toMatchObject({ costUsd: 3 })
    expect(run.event('usage.recorded')).not.toHaveProperty('doubted')
  })
})

describe('a run beyond its limit', () => {
  it('[A12] starts no agent: what it enters ends as `over_budget` before it began', () => {
    const run = given(
      flow(
        '{ build: { agent: dev, next: done, on: { over_budget: save } }, save: { check: git stash, next: review }, review: { agent: check, next: done } }',
      ),
    ).started()
    run.begin('build').use('build', { tokens: 101 }).check('save', 0)
    expect(run.happened).toEqual([
      'check.reported',
      'visit.left',
      'visit.entered',
      'member.faulted',
      'visit.left',
      'run.ended',
    ])
    expect(run.journal.filter(({ type }) => type === 'attempt.began')).toHaveLength(1)
    expect(run.state.totals).toMatchObject({ visits: 3, dispatches: 1 })
  })

  it('[A12] starts none of a panel that was not yet begun', () => {
    const run = given(flow(PANEL)).started().begin('review@anna').use('review@anna', { tokens: 101 })
    expect(run.events).toMatchObject([
      { type: 'usage.recorded' },
      { type: 'member.faulted', member: 0, fault: 'over_budget' },
      { type: 'member.faulted', member: 1, fault: 'over_budget' },
      { type: 'visit.left', outcome: 'over_budget' },
      { type: 'run.ended' },
    ])
  })

  it('[A12] does not start an agent that waited for a usage limit', () => {
    const run = given(flow(PANEL))
      .started()
      .park('review@anna', '1h')
      .begin('review@ben')
      .use('review@ben', { tokens: 101 })
    expect(run.pass('1h').event('member.faulted')).toMatchObject({ member: 0, fault: 'over_budget' })
    expect(run.place).toBe('ended: abandoned')
  })

  it('[A12] ends a retry at once, until the limit is extended', () => {
    const run = given(`
      limits: { cost: 1 }
      steps: { build: { agent: dev, next: done } }
    `).started()
    run.begin('build').use('build', { costUsd: 1.5 }).person('@retry')
    expect(run.happened).toEqual([
      'question.answered',
      'visit.left',
      'visit.entered',
      'member.faulted',
      'question.opened',
    ])
    expect(run.question).toMatchObject({ id: 'build#2?1', fault: 'over_budget' })

    run.extend('cost', 1).person('@retry')
    expect(run.place).toBe('build#3')
    expect(run.duties).toMatchObject([{ kind: 'prompt-agent' }])
    expect(run.use('build', { costUsd: 0.6 }).event('member.faulted').fault).toBe('over_budget')
  })

  it('[A12] still asks people and runs commands', () => {
    const run = given(
      flow(
        '{ build: { agent: dev, next: done, on: { over_budget: test } }, test: { check: npm test, options: { pass: done, fail: abandoned } } }',
      ),
    ).started()
    expect(run.begin('build').use('build', { tokens: 101 }).place).toBe('test#1')
    expect(run.duties).toMatchObject([{ kind: 'run-check' }])
  })

  it('[A12] goes round a bounded route no more often than it says', () => {
    const run = given(
      flow(
        '{ build: { agent: dev, next: done, on: { over_budget: save } }, save: { check: git stash, options: { pass: { to: build, max: 3, then: abandoned }, fail: abandoned } } }',
      ),
    ).started()
    run.begin('build').use('build', { tokens: 101 })
    for (let round = 0; round < 4; round++) run.check('save', 0)
    expect(run.state.visits['build']).toBe(4)
    expect(run.state.totals.dispatches).toBe(1)
    expect(run.place).toBe('ended: abandoned')
  })
})
