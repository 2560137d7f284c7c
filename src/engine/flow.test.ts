/** Flow steps: another runbook, inlined as `name/…`. */
import { describe, expect, it } from 'vitest'
import { compile, given } from './given.fixture.ts'

const CHILD = `
  budgets: { again: 1 }
  ends: { unclear: The task makes no sense }
  steps:
    write: { agent: author, next: judge }
    judge:
      agent: author
      asks: verdict
      options:
        good: done
        poor: { to: write, max: 1, then: { to: write, spend: again, then: unclear } }
`
const PARENT = `
  budgets: { rework: 1 }
  steps:
    draft:
      flow: child.yaml
      options: { done: sign_off, unclear: abandoned }
    sign_off:
      decide: Ship it?
      options:
        ship: done
        again: { to: draft, max: 3, then: abandoned }
        restart: { to: draft, spend: rework, then: abandoned }
`
const started = (parent = PARENT, child = CHILD) => given(parent, { 'child.yaml': child }).started()
const good = { verdict: 'good' }
const poor = { verdict: 'poor' }

describe('entering a flow step', () => {
  it('enters its first step at once, as a visit of its own', () => {
    const run = started()
    expect(run.happened).toEqual(['run.started', 'visit.entered', 'visit.entered'])
    expect(run.place).toBe('draft/write#1')
    expect(run.state.visits).toEqual({ draft: 1, 'draft/write': 1 })
  })

  it('starts its own counters again, and its own budgets never', () => {
    const run = started()
    run.answer('draft/write', {}).answer('draft/judge', poor)
    run.answer('draft/write', {}).answer('draft/judge', poor)
    expect(run.event('visit.left').paid).toEqual({ counted: null, spent: 'draft/again', pass: 'draft/' })
    run.answer('draft/write', {}).answer('draft/judge', poor)
    expect(run.state.counters).toEqual({ 'draft/judge.poor.0': 1 })
    run.answer('draft/write', {}).answer('draft/judge', good).person({ decision: 'again' })

    expect(run.place).toBe('draft/write#5')
    expect(run.state.counters).toEqual({ 'sign_off.again.0': 1 })
    expect(run.state.budgets['draft/again']).toBe(0)
    run.answer('draft/write', {}).answer('draft/judge', poor)
    expect(run.answer('draft/write', {}).answer('draft/judge', poor).place).toBe('ended: abandoned')
  })
})

describe('spending a budget', () => {
  it('[R3] of the flow starts the counters of the flow again, and not those around it', () => {
    const run = started()
    run.answer('draft/write', {}).answer('draft/judge', good).person({ decision: 'again' })
    run
      .answer('draft/write', {})
      .answer('draft/judge', poor)
      .answer('draft/write', {})
      .answer('draft/judge', poor)
    expect(run.state.budgets).toMatchObject({ 'draft/again': 0, rework: 1 })
    expect(run.state.counters).toEqual({ 'sign_off.again.0': 1 })
  })

  it('[R3] of the run starts the counters of its flows again too', () => {
    const run = started()
    run.answer('draft/write', {}).answer('draft/judge', good).person({ decision: 'again' })
    run
      .answer('draft/write', {})
      .answer('draft/judge', poor)
      .answer('draft/write', {})
      .answer('draft/judge', good)
    expect(run.state.counters).toEqual({ 'sign_off.again.0': 1, 'draft/judge.poor.0': 1 })
    expect(run.person({ decision: 'restart' }).state.counters).toEqual({})
  })
})

describe('leaving a flow', () => {
  it('by one of its ends is that outcome of the flow step', () => {
    const run = started().answer('draft/write', {}).answer('draft/judge', good)
    expect(run.events.map((event) => [event.type, 'step' in event ? event.step : null])).toEqual([
      ['answer.given', null],
      ['visit.left', 'draft/judge'],
      ['visit.left', 'draft'],
      ['visit.entered', 'sign_off'],
      ['question.opened', null],
    ])
    expect(run.event('visit.left')).toMatchObject({
      step: 'draft',
      visit: 1,
      outcome: 'done',
      to: 'sign_off',
    })
    expect(run.state.cameFrom).toBe('draft/judge')
    expect(run.state.records['draft/judge']).toMatchObject({ outcome: 'good', answer: { choices: good } })
  })

  it('goes out through as many flows as it stands in', () => {
    const run = given(
      'steps: { outer: { flow: parent.yaml, options: { done: done, abandoned: abandoned } } }',
      {
        'parent.yaml': PARENT,
        'child.yaml': CHILD,
      },
    ).started()
    expect(run.place).toBe('outer/draft/write#1')
    run.answer('outer/draft/write', {}).answer('outer/draft/judge', good)
    expect(run.place).toBe('outer/sign_off#1')
    expect(run.person({ decision: 'ship' }).happened).toEqual([
      'question.answered',
      'visit.left',
      'visit.left',
      'run.ended',
    ])
  })

  it('[L9] cannot lead to `ask`: a flow has no question of its own', () => {
    const parent = 'steps: { draft: { flow: child.yaml, options: { done: done, unclear: ask } } }'
    const { program, diagnostics } = compile(parent, { 'child.yaml': CHILD })
    expect(program).toBeNull()
    expect(diagnostics).toMatchObject([{ code: 'wrong-kind', path: 'steps.draft.options.unclear' }])
  })
})

describe('a fault inside a flow', () => {
  it('[R6] follows the routes of the runbook it stands in, and its ends lead out', () => {
    const run = started(PARENT, `on: { failed: unclear }\n${CHILD}`.replaceAll(/^ {2}/gm, ''))
    run.fault('draft/write', 'failed')
    expect(run.place).toBe('ended: abandoned')
    expect(run.happened).toEqual(['member.faulted', 'visit.left', 'visit.left', 'run.ended'])
  })

  it('[R6] spends the interventions of the whole run for a retry', () => {
    const run = started().fault('draft/write', 'failed').person('@retry')
    expect(run.place).toBe('draft/write#2')
    expect(run.state.budgets).toEqual({ interventions: 2, rework: 1, 'draft/again': 1 })
  })

  it('[R10] stop ends the whole run, past the routes of every flow around it', () => {
    const run = given(
      'steps: { outer: { flow: parent.yaml, options: { done: done, abandoned: rescue } }, rescue: { agent: dev, next: done } }',
      {
        'parent.yaml': PARENT,
        'child.yaml': CHILD,
      },
    ).started()
    run.fault('outer/draft/write', 'failed').person('@stop')
    expect(run.happened).toEqual(['question.answered', 'visit.left', 'run.ended'])
    expect(run.event('run.ended')).toMatchObject({ end: 'abandoned', success: false })
  })
})

describe('moving into a flow', () => {
  it('[E6] goes straight to a step of it, and leaving it still leads out of the flow', () => {
    const run = given(PARENT.replace('draft:', 'first: { agent: dev, next: draft }\n    draft:'), {
      'child.yaml': CHILD,
    }).started()
    run.move('draft/judge').answer('draft/judge', good)
    expect(run.place).toBe('sign_off#1')
    expect(run.event('visit.left')).toMatchObject({ step: 'draft', outcome: 'done' })
  })
})
