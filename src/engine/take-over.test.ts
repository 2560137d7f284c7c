import { describe, expect, it } from 'vitest'
import { replay } from './evolve.ts'
import { AGENT, ALICE, BOB, given } from './given.fixture.ts'
import { runView } from './views/run.ts'

const FLOW = `
  steps:
    build:
      agent: dev
      gate: { run: test, expect: none }
      time: 10m
      options: { ready: { to: review, say: It is done }, stuck: abandoned }
      fields: { how: { type: text, required_for: [ready] } }
    review: { check: lint, options: { pass: sign, fail: { to: build, max: 1, then: abandoned } } }
    sign: { decide: Ship?, deadline: { expire: 1h }, options: { yes: done, no: abandoned }, on: { expired: abandoned } }
`
const PASSED = { member: 0, exitCode: 0, output: '', commit: 'c', diffstat: '' }
const READY = { decision: 'ready', how: 'By hand.' }
const taken = () => given(FLOW).started().begin('build').later('4m').take()

describe('[M6] a run that a person took over', () => {
  it('has no duty and no clock, and its agent’s word does not count', () => {
    const run = taken()
    expect(run.duties).toEqual([])
    expect(runView(run.state)).toMatchObject({ status: 'taken', takenBy: 'alice', step: 'build' })
    expect(run.member()).toMatchObject({ session: 'session-1', runningSince: null, workedMs: 240_000 })
    for (const late of [
      run.refuses.answer('build', READY),
      run.refuses.fault('build', 'failed'),
      run.refuses.move('review'),
      run.refuses.retry(),
      run.refuses.take(BOB),
    ])
      expect(late).toMatchObject({ code: 'taken', message: expect.stringContaining('alice has taken') })
    run.pass('2d').use('build', { tokens: 5 })
    expect(run.place).toBe('build#1')
    expect(run.state.usage.tokens).toBe(5)
    expect(replay(run.journal)).toEqual(run.state)
  })

  it('is taken and given back by people alone', () => {
    const run = given(FLOW).started().begin('build')
    expect(run.refuses.take(AGENT).code).toBe('people-only')
    expect(run.refuses.giveBack().code).toBe('not-taken')
    run.take()
    expect(run.refuses.giveBack({ by: AGENT }).code).toBe('people-only')
    run.cancel()
    expect([run.place, run.state.taken]).toEqual(['ended: cancelled', null])
  })

  it('goes back to its agent in a new duty, which is told what was changed', () => {
    const run = taken().later('3h').giveBack({ changes: ' a.txt | 1 +\n', note: 'Mind the tabs.' })
    expect(run.happened).toEqual(['run.resumed', 'word.said'])
    expect(run.duties).toEqual([
      expect.objectContaining({ kind: 'prompt-agent', id: 'r1/build#1~1/0.1.2', attempt: 1 }),
    ])
    expect(run.member()).toMatchObject({ session: 'session-1', status: 'working', workedMs: 240_000 })
    expect(run.member().words[0]?.text).toMatch(/hand it back[\s\S]*a\.txt \| 1 \+\n\nMind the tabs\./)
    run.begin('build').tell('build', ['w1']).answer('build', READY)
    expect(run.duties.map(({ id }) => id)).toEqual(['r1/build#1~1/0.1/gate'])
    expect(replay(run.journal)).toEqual(run.state)
  })

  it('is done by hand only with what the step asks, and with its gate', () => {
    const run = taken()
    expect(run.refuses.doneByHand(null)).toMatchObject({ code: 'invalid-answer' })
    expect(run.refuses.doneByHand({ decision: 'ready' }).message).toContain('how')
    expect(run.refuses.doneByHand(READY)).toMatchObject({ code: 'gate-failed' })
    expect(run.refuses.doneByHand(READY, [{ ...PASSED, exitCode: 1 }])).toMatchObject({ code: 'gate-failed' })
    expect(runView(run.state).status).toBe('taken')
    run.doneByHand(READY, [PASSED])
    expect(run.happened).toEqual(['run.resumed', 'gate.passed', 'visit.left', 'visit.entered'])
    expect(run.place).toBe('review#1')
    expect(run.state.records['build']).toMatchObject({
      outcome: 'ready',
      by: ALICE,
      answer: { fields: { how: 'By hand.' } },
    })
    expect(run.state.extended).toBe(true)
    const stuck = taken().doneByHand({ decision: 'stuck' }, [PASSED])
    expect(stuck.place).toBe('ended: abandoned')
  })

  it('has its open questions withdrawn, or waiting as long as before', () => {
    const asking = given(FLOW).started().begin('build').ask('build').take()
    expect(asking.refuses.person({ pick: 'redis' }).code).toBe('taken')
    asking.doneByHand({ decision: 'stuck' }, [PASSED])
    expect(asking.happened).toContain('question.closed')

    const sign = given(FLOW)
      .started()
      .begin('build')
      .answer('build', READY)
      .gate('build', 0)
      .check('review', 0)
    expect(sign.duties).toMatchObject([{ kind: 'wait-until', timer: { kind: 'expire' } }])
    const { openedAt } = sign.question
    sign.later('30m').take().later('5h')
    expect(sign.refuses.doneByHand({ decision: 'yes' }).code).toBe('not-offered')
    sign.doneByHand(null)
    expect(sign.question.openedAt - openedAt).toBe(5 * 3_600_000)
    sign.pass('29m')
    expect(sign.place).toBe('sign#1')
    sign.pass('2m')
    expect(sign.place).toBe('ended: abandoned')
  })

  it('has a check run anew', () => {
    const run = given(FLOW).started().begin('build').answer('build', READY).gate('build', 0)
    run.take()
    expect(run.refuses.check('review', 0).code).toBe('taken')
    run.giveBack()
    expect(run.duties).toEqual([{ kind: 'run-check', id: 'r1/review#1~1/check', step: 'review', visit: 1 }])
  })
})
