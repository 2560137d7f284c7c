import { describe, expect, it } from 'vitest'
import { compile, given } from './given.fixture.ts'

const LOOP = `
  budgets: { rework: 1 }
  agents: { dev: {}, check: {} }
  steps:
    develop: { agent: dev, next: review }
    review:
      agent: check
      asks: verdict
      options:
        approve: done
        reject: { to: develop, max: 2, then: { to: plan, spend: rework, then: abandoned } }
      fields: { feedback: text }
    plan: { agent: dev, next: develop }
`
const reject = { verdict: 'reject', feedback: 'No tests' }

describe('an arm of a route', () => {
  it('[R1] is taken when it is the first that can be paid, and the event says which and what it cost', () => {
    const run = given(LOOP).started().answer('develop', {}).answer('review', reject)
    expect(run.event('visit.left')).toMatchObject({
      step: 'review',
      outcome: 'reject',
      arm: 0,
      to: 'develop',
      paid: { counted: 'review.reject.0', spent: null, pass: null },
    })
    expect(run.place).toBe('develop#2')
  })

  it('[R1] is free when it is the only one', () => {
    const run = given(LOOP).started().answer('develop', {}).answer('review', { verdict: 'approve' })
    expect(run.event('visit.left').paid).toEqual({ counted: null, spent: null, pass: null })
    expect(run.event('run.ended')).toMatchObject({ end: 'done', success: true })
    expect(run.place).toBe('ended: done')
  })

  it('[R1] is free when it is the last, however often it is reached', () => {
    const run = given(`
      steps:
        knock:
          check: "true"
          options: { pass: done, fail: { to: retry, max: 1, then: { to: retry, max: 1, then: abandoned } } }
    `).started()
    expect(run.check('knock', 1).event('visit.left').arm).toBe(0)
    expect(run.check('knock', 1).event('visit.left').arm).toBe(1)
    expect(run.check('knock', 1).event('visit.left')).toMatchObject({ arm: 2, to: 'abandoned' })
    expect(run.event('run.ended').success).toBe(false)
  })

  it('[R2] is taken `max` times in a pass, then the next one', () => {
    const run = given(LOOP).started()
    for (const place of ['develop#2', 'develop#3', 'plan#1'])
      expect(run.answer('develop', {}).answer('review', reject).place).toBe(place)
  })

  it('[R2] counts for itself: two routes of one step do not share their `max`', () => {
    const run = given(`
      steps:
        judge:
          agent: dev
          options:
            good: done
            poor: { to: retry, max: 1, then: abandoned }
            bad: { to: retry, max: 1, then: abandoned }
    `).started()
    expect(run.answer('judge', { decision: 'poor' }).place).toBe('judge#2')
    expect(run.answer('judge', { decision: 'bad' }).place).toBe('judge#3')
    expect(run.answer('judge', { decision: 'poor' }).place).toBe('ended: abandoned')
  })

  it('[R3] takes one from its budget, and when that is gone the next arm is taken', () => {
    const run = given(LOOP).started()
    const round = () => run.answer('develop', {}).answer('review', reject)
    round()
    round()
    round()
    expect(run.state.budgets['rework']).toBe(0)
    expect(run.event('visit.left')).toMatchObject({ arm: 1, paid: { spent: 'rework', pass: '' } })
    run.answer('plan', {})
    round()
    round()
    expect(round().place).toBe('ended: abandoned')
    expect(run.state.budgets['rework']).toBe(0)
  })

  it('[R3] spending begins a new pass: every `max` starts again, no budget does', () => {
    const run = given(LOOP).started()
    for (let round = 1; round <= 3; round++) run.answer('develop', {}).answer('review', reject)
    expect(run.state.counters).toEqual({})
    run.answer('plan', {}).answer('develop', {}).answer('review', reject)
    expect(run.state.counters).toEqual({ 'review.reject.0': 1 })
  })

  it('[R3] is passed over when its budget was nothing from the beginning', () => {
    const run = given(`
      budgets: { rework: 0 }
      steps:
        build: { agent: dev, options: { good: done, bad: { to: retry, spend: rework, then: abandoned } } }
    `).started()
    expect(run.answer('build', { decision: 'bad' }).event('visit.left').arm).toBe(1)
    expect(run.place).toBe('ended: abandoned')
  })
})

describe('a fault', () => {
  it('[R6] follows the route of its step like an answer, bounds included', () => {
    const run = given(`
      on: { failed: abandoned }
      steps:
        build: { agent: dev, next: done, on: { failed: { to: retry, max: 1, then: mend } } }
        mend: { agent: dev, next: done }
    `).started()
    run.fault('build', 'failed', 'no compiler')
    expect(run.event('visit.left')).toMatchObject({
      outcome: 'failed',
      answer: null,
      detail: 'no compiler',
      arm: 0,
    })
    expect(run.place).toBe('build#2')
    expect(run.fault('build', 'failed').place).toBe('mend#1')
  })

  it('[R6] follows the route of the flow where the step has none', () => {
    const run = given(`
      on: { failed: abandoned }
      steps:
        build: { agent: dev, next: done, on: { stalled: done } }
    `).started()
    expect(run.fault('build', 'failed').place).toBe('ended: abandoned')
  })

  it('[R6] that nobody routed puts the step to a person, who may retry or stop', () => {
    const run = given('steps: { build: { agent: dev, next: done } }').started()
    run.fault('build', 'stalled', 'silent for 10m')
    expect(run.event('question.opened')).toMatchObject({
      question: 'build#1?1',
      cause: 'fault',
      fault: 'stalled',
      detail: 'silent for 10m',
      member: null,
    })
    expect(run.happened).not.toContain('visit.left')
    expect(run.person('@retry').place).toBe('build#2')
    expect(run.state.budgets['interventions']).toBe(2)
  })
})

describe('what a step gave', () => {
  it('[R9] is still in the record when the next step is at work', () => {
    const run = given(LOOP)
      .started()
      .answer('develop', { notes: 'first try' })
      .answer('review', { ...reject, notes: 'see a.ts' })
    expect(run.place).toBe('develop#2')
    expect(run.state.cameFrom).toBe('review')
    expect(run.state.records['review']).toMatchObject({
      visit: 1,
      outcome: 'reject',
      answer: { fields: { feedback: 'No tests' }, notes: 'see a.ts' },
    })
    expect(run.state.records['develop']?.answer?.notes).toBe('first try')
  })

  it('[R9] stays while the next agent is nudged, asks, parks, fails and is moved back to work', () => {
    const run = given(
      LOOP.replace('next: review }', 'next: review, fields: { diff: { type: text, required: true } } }'),
    ).started()
    run.answer('develop', { diff: '+1' }).answer('review', reject)
    run
      .answer('develop', {})
      .ask('develop')
      .person({ pick: 'sqlite' })
      .park('develop', '1h')
      .pass('2h')
      .retry()
    expect(run.fault('develop', 'failed').person('@retry').place).toBe('develop#4')
    expect(run.state.records['review']?.answer?.fields['feedback']).toBe('No tests')
  })

  it('[R9] is forgotten when that step is left again', () => {
    const run = given(LOOP).started()
    run
      .answer('develop', {})
      .answer('review', reject)
      .answer('develop', {})
      .answer('review', { verdict: 'reject' })
    expect(run.state.records['review']).toMatchObject({ visit: 2, answer: { fields: {} } })
  })

  it('[L4] a step is never named like something every object has', () => {
    const { diagnostics } = compile('steps: { constructor: { agent: dev, next: done } }')
    expect(diagnostics).toMatchObject([{ code: 'bad-name', severity: 'error' }, { severity: 'warning' }])
  })
})

describe('a step that a person is asked in place of', () => {
  it('[R6] pays for the arm that asks', () => {
    const run = given(`
      steps:
        build:
          agent: dev
          next: done
          on: { failed: { to: ask, max: 1, then: abandoned } }
    `).started()
    run.fault('build', 'failed')
    expect(run.event('question.opened')).toMatchObject({
      route: { outcome: 'failed', arm: 0 },
      paid: { counted: 'build.failed.0' },
    })
    run.person('@retry')
    expect(run.fault('build', 'failed').place).toBe('ended: abandoned')
  })
})
