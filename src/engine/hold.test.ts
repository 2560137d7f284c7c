/** An answer that can be taken back for a while: until then nothing has come of it, afterwards it is as any other. */
import { describe, expect, it } from 'vitest'
import { BOB, given } from './given.fixture.ts'
import { replay } from './index.ts'

const FLOW = `
budgets: { rework: 1 }
steps:
  build: { agent: dev, questions: 3, time: 10m, options: { ready: sign, broken: abandoned } }
  sign:
    decide: Ship?
    deadline: { remind: 5s, expire: 6s }
    options:
      ship: done
      fix: { to: build, max: 1, then: abandoned }
      rework: { to: build, spend: rework, then: abandoned }
      test: verify
      again: look
      drop: abandoned
  look: { decide: And now?, options: { on: done, back: abandoned } }
  verify: { check: "true", next: done }
`

const HOLD = { holdMs: 5000 }
const working = () => given(FLOW).started().begin('build')
const asked = () => working().answer('build', { decision: 'ready' })
const asking = () => working().ask('build')
const picks = ['ship', 'fix', 'rework', 'test', 'again', 'drop']

describe('[Q28] an answer that is held', () => {
  it.each(picks)('has led nowhere yet, and can be taken back as if it had never been: %s', (decision) => {
    const run = asked()
    const { version: _, ...before } = run.state
    run.person({ decision }, HOLD)
    expect(run.happened).toEqual(['answer.held'])
    expect(run.duties).toMatchObject([{ kind: 'wait-until', timer: { kind: 'release', at: run.now + 5000 } }])
    run.undo('sign#1?1', BOB)
    expect(run.happened).toEqual(['question.undone'])
    const { version: __, ...after } = run.state
    expect(after).toEqual(before)
    expect(replay(run.journal)).toEqual(run.state)
  })

  it.each(picks)('is when its time is over what it would have been if given then: %s', (decision) => {
    const run = asked().person({ decision }, HOLD).pass('5s')
    const plain = asked().later('5s').person({ decision })
    expect(run.events).toEqual(plain.events)
    // What undoing would go back to still has the held answer on it, and takes it off.
    const { version: _, undo: __, ...held } = run.state
    const { version: ___, undo: ____, ...told } = plain.state
    expect(held).toEqual(told)
    expect(replay(run.journal)).toEqual(run.state)
    if (decision !== 'test') expect(run.undo('sign#1?1').question.held).toBeNull()
  })

  it.each(['@retry', '@stop'] as const)('counts late, too, where something went wrong: %s', (extra) => {
    const faulted = () => working().fault('build', 'failed')
    const run = faulted().person(extra, HOLD)
    expect(run.place).toBe('build#1')
    run.pass('1h')
    expect(run.events).toEqual(faulted().later('1h').person(extra).events)
  })

  it('[Q3] is an answer to everybody else', () => {
    const run = asked().person({ decision: 'fix' }, HOLD)
    expect(run.refuses.person({ decision: 'ship' }, { by: BOB, question: 'sign#1?1' })).toMatchObject({
      code: 'already-answered',
      message: 'alice already answered this with fix.',
    })
  })

  it('is judged when it is given', () => {
    expect(asked().refuses.person({ decision: 'none' }, HOLD)).toMatchObject({ code: 'invalid-answer' })
  })

  it('[Q2] is not late: while it is held, nothing is reminded of and nothing expires', () => {
    const run = asked().later('4s').person({ decision: 'ship' }, { holdMs: 60_000 }).pass('30s')
    expect(run.events).toEqual([])
    expect(run.pass('30s').place).toBe('ended: done')
  })

  it('[Q4] goes with its question', () => {
    const run = asked().person({ decision: 'fix' }, HOLD).move('verify')
    expect(run.happened).toContain('question.closed')
    expect(run.place).toBe('verify#1')
  })

  it('[A13] [Q6] is told to its agent only then, and whatever the agent answers meanwhile waits', () => {
    const run = asking()
    const [question] = run.open
    run.person({ pick: 'sqlite' }, HOLD)
    expect(run.duties.map(({ kind }) => kind)).toEqual(['wait-until'])
    expect(run.refuses.deliver(question!)).toMatchObject({ code: 'not-waiting' })
    expect(run.refuses.answer('build', { decision: 'ready' })).toMatchObject({ code: 'not-waiting' })
    run.pass('5s')
    expect(run.duties.map(({ kind }) => kind)).toContain('prompt-agent')
    expect(run.member().runningSince).toBe(run.now)
    expect(run.member().message).toContain('Picked: sqlite')
    // As any other: until it is delivered.
    expect(run.undo(question!).open).toEqual([question])
  })

  it('[A10] is no working time', () => {
    const run = asking()
    const { workedMs } = run.member()
    run.later('1h').person({ pick: 'sqlite' }, HOLD).pass('1h')
    expect(run.member()).toMatchObject({ workedMs, runningSince: run.now })
  })
})
