import { describe, expect, it } from 'vitest'
import { fencedBlock } from '../model/fence.ts'
import { replay } from './evolve.ts'
import { AGENT, ALICE, given } from './given.fixture.ts'
import { untoldTo } from './untold.ts'
import { briefOf } from './views/brief.ts'

const FLOW = `
  steps:
    build: { agent: dev, nudges: 0, gate: { run: test, expect: none }, options: { ready: review, stuck: abandoned } }
    review: { panel: [{ agent: anna }, { agent: ben }], asks: verdict, options: { approve: sign, reject: abandoned } }
    sign: { decide: Ship?, options: { yes: done, more: { to: build, max: 1, then: abandoned } } }
`
const READY = { decision: 'ready' }
const working = () => given(FLOW).started().begin('build')

describe('[M4] what a person says to an agent at work', () => {
  it('is told before its answer counts, in a new turn of the same attempt', () => {
    const run = working().say('Use tabs.')
    expect(run.event('word.said')).toMatchObject({ word: 'w1', by: ALICE, members: [0] })
    expect(run.state.extended).toBe(true)
    expect(run.duties.map(({ id }) => id)).toEqual(['r1/build#1/0.1.1'])
    run.later('1m').answer('build', READY)
    expect(run.happened).toEqual(['answer.deferred'])
    expect(run.member()).toMatchObject({
      status: 'working',
      attempt: 1,
      turn: 2,
      runningSince: null,
      nudges: 0,
    })
    expect(run.duties.map(({ id }) => id)).toEqual(['r1/build#1/0.1.2'])
    const { words, message } = briefOf(run.program, run.state, 0, () => undefined)
    expect(words.map(({ said, isNew }) => [fencedBlock(said), isNew])).toEqual([
      ['```word by person "alice"\nUse tabs.\n```', true],
    ])
    expect(message).toContain('answer again')

    run.begin('build').tell('build', untoldTo(run.state, 0))
    expect(briefOf(run.program, run.state, 0, () => undefined).words).toMatchObject([{ isNew: true }])
    expect(untoldTo(run.state, 0)).toEqual([])
    run.answer('build', READY)
    expect(run.happened).toEqual(['answer.given'])
    expect(run.state.totals.dispatches).toBe(1)
    expect(replay(run.journal)).toEqual(run.state)
  })

  it('goes with whatever prompts it anyway: a failed gate, an answer to its question', () => {
    const gated = working().answer('build', READY).say('Use tabs.').gate('build', 1, 'tabs!')
    expect(gated.happened).toEqual(['gate.failed'])
    expect(untoldTo(gated.state, 0)).toEqual(['w1'])

    const asking = working().ask('build').say('Use tabs.').person({ pick: 'redis' })
    expect(untoldTo(asking.state, 0)).toEqual(['w1'])
    // Taking the answer back takes nothing of it.
    asking.undo(asking.state.answered!.question)
    expect(untoldTo(asking.state, 0)).toEqual(['w1'])
  })

  it('comes before a gate that passed leads on, and before a fault', () => {
    const run = working().answer('build', READY).say('Wait.').gate('build', 0)
    expect(run.happened).toEqual(['gate.passed', 'answer.deferred'])
    expect(run.place).toBe('build#1')
    const wrong = working().say('Say ready.').answer('build', { decision: 'perhaps' })
    expect(wrong.happened).toEqual(['answer.deferred'])
    expect(wrong.member().message).toContain('perhaps')
    wrong.begin('build').tell('build', ['w1']).answer('build', { decision: 'perhaps' })
    expect(wrong.happened).toContain('member.faulted')
  })

  it('is told to every member of a panel that is still at it', () => {
    const run = working().answer('build', READY).gate('build', 0)
    run.answer('review@anna', { verdict: 'approve' }).say('Look at the tests.')
    expect(run.event('word.said').members).toEqual([1])
    run.answer('review@ben', { verdict: 'approve' })
    expect(run.happened).toEqual(['answer.deferred'])
  })

  it('is kept for the next agent where none is at work, or where it was not told', () => {
    const run = working().answer('build', READY).gate('build', 0)
    run.answer('review@anna', { verdict: 'approve' }).answer('review@ben', { verdict: 'approve' })
    run.say('Be brief.')
    expect(run.event('word.said').members).toEqual([])
    run.person({ decision: 'more' })
    expect(run.place).toBe('build#2')
    expect(untoldTo(run.state, 0)).toEqual(['w1'])
    run.begin('build').tell('build', ['w1']).say('And quick.').fault('build', 'failed')
    // It faulted before it heard the second one; the first it was told.
    run.person('@retry')
    expect(run.member().words.map(({ id }) => id)).toEqual(['w2'])
    expect(replay(run.journal)).toEqual(run.state)
  })

  it('is a person’s alone, says something, and comes before the end', () => {
    const run = working()
    expect(run.refuses.say('x', AGENT).code).toBe('people-only')
    expect(run.refuses.say('  ').code).toBe('invalid-word')
    run.cancel()
    expect(run.refuses.say('x').code).toBe('ended')
  })

  it('outlives that the flow’s own answer is taken back', () => {
    const run = working().answer('build', READY).gate('build', 0)
    run.answer('review@anna', { verdict: 'approve' }).answer('review@ben', { verdict: 'approve' })
    run.person({ decision: 'more' }).say('Be brief.')
    run.undo('sign#1?1')
    expect(run.place).toBe('sign#1')
    expect(run.state.words.map(({ text }) => text)).toEqual(['Be brief.'])
    run.person({ decision: 'more' })
    expect(untoldTo(run.state, 0)).toEqual(['w1'])
  })
})
