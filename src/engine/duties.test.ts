import { describe, expect, it } from 'vitest'
import { given, ms, type Scene } from './given.fixture.ts'

const ids = (run: Scene) => run.duties.map(({ id }) => id)

describe('duties', () => {
  it('[E5] have ids of run, step, visit, attempt and turn', () => {
    const run = given(`
      steps:
        build: { agent: dev, gate: npm test, asks: state, options: { ready: done, again: { to: retry, max: 1, then: done } } }
    `).started()
    expect(ids(run)).toEqual(['r1/build#1/0.1.1'])
    expect(ids(run.ask('build').person({ pick: 'sqlite' }))).toEqual(['r1/build#1/0.1.2'])
    expect(ids(run.answer('build', {}))).toEqual(['r1/build#1/0.2.1'])
    expect(ids(run.answer('build', { state: 'ready' }))).toEqual(['r1/build#1/0.2/gate'])
    expect(ids(run.gate('build', 1))).toEqual(['r1/build#1/0.3.1'])
    run.answer('build', { state: 'again' }).gate('build', 0)
    expect(ids(run)).toEqual(['r1/build#2/0.1.1'])
  })

  it('[E5] are the same however often they are asked for, and whatever else has happened', () => {
    const run = given('steps: { review: { panel: [anna, ben], next: done } }').started()
    expect(ids(run)).toEqual(['r1/review#1/0.1.1', 'r1/review#1/1.1.1'])
    run.begin('review@anna').use('review@anna', { tokens: 5 }).extend('interventions', 1).pass('1h')
    expect(ids(run)).toEqual(['r1/review#1/0.1.1', 'r1/review#1/1.1.1'])
    expect(ids(run.answer('review@anna', {}))).toEqual(['r1/review#1/1.1.1'])
  })

  it('[E5] of the clock name what is due and when', () => {
    const run = given(`
      steps:
        sign_off: { decide: Ship?, options: { a: done, b: abandoned }, deadline: { remind: 1h, expire: 2h } }
    `).started()
    expect(run.duties).toEqual([
      {
        kind: 'wait-until',
        id: `r1/sign_off#1/remind..${ms('1h')}`,
        timer: { kind: 'remind', at: ms('1h'), member: null },
      },
      {
        kind: 'wait-until',
        id: `r1/sign_off#1/expire..${ms('2h')}`,
        timer: { kind: 'expire', at: ms('2h'), member: null },
      },
    ])
  })

  it('[E5] of checks and context are one a visit', () => {
    const run = given(`
      steps:
        test: { check: npm test, options: { pass: sign_off, fail: { to: retry, max: 1, then: done } } }
        sign_off: { decide: Ship?, context: git diff, options: { a: done, b: abandoned } }
    `).started()
    expect(ids(run)).toEqual(['r1/test#1/check'])
    expect(ids(run.check('test', 1))).toEqual(['r1/test#2/check'])
    expect(ids(run.check('test', 0))).toEqual(['r1/sign_off#1/context'])
    expect(ids(run.context('sign_off'))).toEqual([])
  })

  it('[E5] of an agent that waits for a person or a usage limit are none but to wait', () => {
    const run = given('steps: { build: { agent: dev, next: done } }').started().ask('build')
    expect(run.duties).toEqual([])
    run.person({ pick: 'sqlite' }).park('build', '1h')
    expect(run.duties).toMatchObject([{ kind: 'wait-until', timer: { kind: 'wake' } }])
    expect(ids(run.pass('1h'))).toEqual(['r1/build#1/0.1.3'])
  })

  it('[E5] are none while a step lies with a person, and none after the end', () => {
    const run = given('steps: { build: { agent: dev, next: done } }').started().fault('build', 'failed')
    expect(run.duties).toEqual([])
    expect(run.person('@stop').duties).toEqual([])
  })
})
