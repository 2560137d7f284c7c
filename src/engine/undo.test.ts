import { describe, expect, it } from 'vitest'
import { ALICE, BOB, given } from './given.fixture.ts'
import { replay } from './index.ts'

const FLOW = `
budgets: { rework: 1 }
steps:
  build: { agent: dev, questions: 3, options: { ready: sign, broken: abandoned } }
  sign:
    decide: Ship?
    options:
      ship: done
      fix: { to: build, max: 1, then: abandoned }
      rework: { to: build, spend: rework, then: abandoned }
      test: verify
      drop: abandoned
  verify: { check: "true", next: done }
`

const asked = () => given(FLOW).started().begin('build').answer('build', { decision: 'ready' })

describe('an answer to the flow', () => {
  it('[Q11] is taken back while nothing has begun: the run stands as it stood, and nothing is paid', () => {
    const run = asked()
    const before = run.state
    run.person({ decision: 'rework' })
    expect(run.place).toBe('build#2')
    expect(run.state.budgets['rework']).toBe(0)
    run.undo('sign#1?1')
    expect(run.place).toBe('sign#1')
    expect(run.open).toEqual(['sign#1?1'])
    const { version: _, numbers, ...now } = run.state
    const { version: __, numbers: ___, ...then } = before
    expect(now).toEqual(then)
    expect(numbers).toEqual({ build: 2 })
    expect(replay(run.journal)).toEqual(run.state)
  })

  it('[Q11] is taken back from an end, too', () => {
    const run = asked().person({ decision: 'drop' })
    expect(run.place).toBe('ended: abandoned')
    run.undo('sign#1?1', BOB).person({ decision: 'ship' })
    expect(run.place).toBe('ended: done')
  })

  it('[Q11] names no visit twice: the duty that was withdrawn is not the one that comes next', () => {
    const run = asked().person({ decision: 'fix' })
    const [first] = run.duties
    run.undo('sign#1?1').person({ decision: 'fix' })
    expect(run.place).toBe('build#3')
    expect(run.duties[0]?.id).not.toBe(first?.id)
  })

  it('[E4] does not count as a visit: no step shows more of them than are certified', () => {
    const run = asked()
    for (let round = 0; round < 5; round++) run.person({ decision: 'fix' }).undo('sign#1?1')
    run.person({ decision: 'fix' })
    expect(run.place).toBe('build#7')
    expect(run.state.visits['build']).toBe(2)
    expect(run.state.totals.visits).toBe(3)
  })

  it('[Q11] stays once an agent has begun, or a command may have', () => {
    const run = asked().person({ decision: 'fix' }).begin('build')
    expect(run.refuses.undo('sign#1?1')).toMatchObject({ code: 'too-late' })
    expect(asked().person({ decision: 'test' }).refuses.undo('sign#1?1')).toMatchObject({ code: 'too-late' })
  })

  it('[Q11] is taken back by people only, and only where there is one', () => {
    const run = asked()
    expect(run.refuses.undo('sign#1?1')).toMatchObject({ code: 'unknown-question' })
    run.person({ decision: 'fix' })
    const agent = { kind: 'agent', name: 'dev' } as const
    expect(run.refuses.undo('sign#1?1', agent)).toMatchObject({ code: 'agents-do-not-answer' })
  })

  it('[Q11] keeps what was used meanwhile', () => {
    const run = asked().person({ decision: 'fix' })
    run.use('build', { tokens: 7 }, { visit: 1 }).undo('sign#1?1')
    expect(run.state.usage.tokens).toBe(7)
  })
})

describe('an answer to an agent', () => {
  const waiting = () => given(FLOW).started().begin('build').ask('build')
  const question = 'build#1.0?1'

  it('[Q11] is taken back until it is delivered', () => {
    const run = waiting().person({ pick: 'redis' }, { by: BOB })
    run.undo(question, ALICE)
    expect(run.open).toEqual([question])
    expect(run.duties).toEqual([])
    run.person({ pick: 'sqlite' })
    expect(run.member().message).toContain('Picked: sqlite')
    expect(run.refuses.person({ pick: 'redis' }, { question })).toMatchObject({
      message: 'alice already answered this with sqlite.',
    })
  })

  it('[Q11] has another duty after it was given anew', () => {
    const run = waiting().person({ pick: 'redis' })
    const [first] = run.duties
    run.undo(question).person({ pick: 'redis' })
    expect(run.duties[0]?.id).not.toBe(first?.id)
  })

  it('[Q11] stays when it was delivered or its turn has begun', () => {
    expect(waiting().person({ pick: 'redis' }).deliver(question).refuses.undo(question)).toMatchObject({
      code: 'too-late',
    })
    expect(waiting().person({ pick: 'redis' }).begin('build').refuses.undo(question)).toMatchObject({
      code: 'too-late',
    })
  })

  it('[Q11] is not delivered once it was taken back', () => {
    const run = waiting().person({ pick: 'redis' }).undo(question)
    expect(run.refuses.deliver(question)).toMatchObject({ code: 'not-waiting' })
  })
})
