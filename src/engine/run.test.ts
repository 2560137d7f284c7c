import { describe, expect, it } from 'vitest'
import { digestOf } from '../model/digest.ts'
import { AGENT, BOB, compile, given, unstarted } from './given.fixture.ts'

const FLOW = `
  vars: { issue: { required: true }, branch: main, label: { say: optional } }
  budgets: { rework: 1, interventions: 2 }
  limits: { cost: 5 }
  steps:
    develop: { agent: dev, next: review }
    review: { panel: [anna, ben], options: { good: sign_off, poor: { to: develop, spend: rework, then: abandoned } } }
    sign_off: { decide: Ship it?, options: { ship: done, drop: abandoned } }
`
const started = () => given(FLOW).started({ issue: '7' })

describe('the start of a run', () => {
  it('tells what it was given, what it may spend and which program it is, and enters the first step', () => {
    const run = started()
    expect(run.events).toEqual([
      {
        type: 'run.started',
        at: 0,
        run: 'r1',
        program: digestOf(run.program),
        vars: { issue: '7', branch: 'main' },
        budgets: { rework: 1, interventions: 2 },
        limits: { costUsd: 5, tokens: null },
      },
      { type: 'visit.entered', at: 0, step: 'develop', visit: 1, kind: 'agent', members: 1, gathers: false },
    ])
  })

  it('[E1] is refused without a required variable, and with one that nobody declared', () => {
    const run = unstarted(given(FLOW).program)
    expect(run.refuses.start({})).toMatchObject({ code: 'missing-variable' })
    expect(run.refuses.start({ issue: '7', isue: '8' })).toMatchObject({ code: 'unknown-variable' })
    expect(run.refuses.start({ isue: '8' }).message).toContain('did you mean "issue"?')
    expect(run.refuses.start({ issue: '7', toString: 'x' }).code).toBe('unknown-variable')
    expect(run.state).toMatchObject({ status: 'new', version: 0 })
  })

  it('[E1] comes once, and before everything else', () => {
    const run = unstarted(given(FLOW).program)
    for (const refusal of [run.refuses.answer('develop', {}), run.refuses.cancel(), run.refuses.pass('1h')])
      expect(refusal.code).toBe('not-started')
    expect(run.start({ issue: '7' }).refuses.start({ issue: '7' }).code).toBe('already-started')
  })

  it('[E1] nothing comes after the end', () => {
    const run = started().cancel()
    for (const refusal of [
      run.refuses.answer('develop', {}),
      run.refuses.move('review'),
      run.refuses.retry(),
      run.refuses.cancel(),
      run.refuses.extend('rework', 1),
      run.refuses.pass('1h'),
    ])
      expect(refusal).toEqual({ code: 'ended', message: 'Run r1 has ended as cancelled.' })
    expect(run.duties).toEqual([])
  })
})

describe('a person', () => {
  it('[E6] moves a run to any step; who and why are in the event, and the certificate no longer speaks of it', () => {
    const run = started()
    expect(run.state.extended).toBe(false)
    run.move('sign_off', BOB)
    expect(run.happened).toEqual(['run.moved', 'visit.entered', 'question.opened'])
    expect(run.event('run.moved')).toEqual({
      type: 'run.moved',
      at: 0,
      from: 'develop',
      tells: null,
      to: 'sign_off',
      by: BOB,
      reason: 'a better way',
    })
    expect(run.state).toMatchObject({ extended: true, cameFrom: null })
  })

  it('[E6] is told the nearest step where there is none of that name', () => {
    expect(started().refuses.move('revew')).toEqual({
      code: 'unknown-step',
      message: 'There is no step "revew"; did you mean "review"?',
    })
    expect(started().refuses.move('done').code).toBe('unknown-step')
    expect(started().refuses.move('constructor').code).toBe('unknown-step')
  })

  it('[E6] retries the step a run is at, from its beginning and at no cost', () => {
    const run = started().answer('develop', {}).answer('review@anna', { decision: 'good' }).retry(BOB)
    expect(run.event('run.moved')).toMatchObject({
      from: 'review',
      to: 'review',
      by: BOB,
      reason: 'once more',
    })
    expect(run.place).toBe('review#2')
    expect(run.state.current?.members.map(({ status }) => status)).toEqual(['working', 'working'])
    expect(run.state.budgets).toEqual({ rework: 1, interventions: 2 })
  })

  it('[E6] cancels a run', () => {
    const run = started().cancel(BOB)
    expect(run.events).toEqual([
      { type: 'run.ended', at: 0, end: 'cancelled', success: false, by: BOB, reason: 'not needed' },
    ])
  })

  it('[E6] extends a budget, which pays for as many more', () => {
    const run = started().extend('rework', 2, BOB)
    expect(run.events).toEqual([
      { type: 'budget.extended', at: 0, budget: 'rework', amount: 2, by: BOB, reason: 'a good cause' },
    ])
    expect(run.state).toMatchObject({ budgets: { rework: 3 }, extended: true })
    const poor = () =>
      run
        .answer('develop', {})
        .answer('review@anna', { decision: 'poor' })
        .answer('review@ben', { decision: 'good' })
    for (const place of ['develop#2', 'develop#3', 'develop#4', 'ended: abandoned'])
      expect(poor().place).toBe(place)
  })

  it('[E6] extends the limits in money and tokens', () => {
    expect(started().extend('cost', 2.5).state.limits).toEqual({ costUsd: 7.5, tokens: null })
    const tokens = given('limits: { tokens: 10 }\nsteps: { build: { agent: dev, next: done } }').started()
    expect(tokens.extend('tokens', 5).state.limits.tokens).toBe(15)
  })

  it('[E6] never makes a run poorer by extending a limit that it does not have', () => {
    expect(started().refuses.extend('tokens', 5)).toEqual({
      code: 'unknown-budget',
      message: 'This run has no limit in tokens to extend.',
    })
  })

  it.each([['tokens'], ['cost']])(
    '[E6] never has to guess which %s is meant: no budget is called so',
    (budget) => {
      const { program } = compile(`
      budgets: { ${budget}: 1 }
      steps: { build: { agent: dev, options: { good: done, poor: { to: retry, spend: ${budget}, then: done } } } }
    `)
      expect(program).toBeNull()
    },
  )

  it('[E6] extends by a whole number above zero, and only what there is', () => {
    for (const amount of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(started().refuses.extend('rework', amount).code).toBe('bad-amount')
    expect(started().refuses.extend('cost', -0.5).code).toBe('bad-amount')
    expect(started().refuses.extend('patience', 1)).toEqual({
      code: 'unknown-budget',
      message: 'There is no budget "patience". There are interventions, rework, cost, tokens.',
    })
  })

  it('[E6] is no agent, and not Signalbox either', () => {
    const run = started()
    for (const by of [AGENT, { kind: 'signalbox' } as const])
      for (const refusal of [
        run.refuses.move('review', by),
        run.refuses.retry(by),
        run.refuses.cancel(by),
        run.refuses.extend('rework', 1, by),
      ])
        expect(refusal.code).toBe('people-only')
    expect(run.place).toBe('develop#1')
  })
})

describe('what is open', () => {
  const asking = () => started().answer('develop', {}).ask('review@anna').ask('review@ben')

  it('[Q4] is withdrawn by moving', () => {
    const run = asking().move('develop')
    expect(run.happened).toEqual(['question.closed', 'question.closed', 'run.moved', 'visit.entered'])
    expect(run.events).toMatchObject([
      { question: 'review#1.0?1', reason: 'withdrawn' },
      { question: 'review#1.1?1', reason: 'withdrawn' },
      {},
      {},
    ])
    expect(run.open).toEqual([])
  })

  it('[Q4] is withdrawn by retrying and by cancelling', () => {
    expect(asking().retry().happened).toEqual([
      'question.closed',
      'question.closed',
      'run.moved',
      'visit.entered',
    ])
    expect(asking().cancel().happened).toEqual(['question.closed', 'question.closed', 'run.ended'])
  })

  it('[Q4] is withdrawn also when it is the flow’s own', () => {
    const decide = started().move('sign_off')
    expect(decide.retry().happened).toEqual([
      'question.closed',
      'run.moved',
      'visit.entered',
      'question.opened',
    ])
    expect(decide.open).toEqual(['sign_off#2?1'])
    const fault = started().fault('develop', 'failed').move('review')
    expect(fault.events[0]).toMatchObject({
      type: 'question.closed',
      question: 'develop#1?1',
      reason: 'withdrawn',
    })
  })

  it('[A5] leaves what was at work behind: its answers are stale', () => {
    const run = asking().move('develop').move('review')
    expect(run.place).toBe('review#2')
    expect(run.refuses.answer('review@anna', { decision: 'good' }, { visit: 1 }).code).toBe('stale')
  })
})
