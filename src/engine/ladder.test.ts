/** The ladder of a flow: it holds for whatever people are asked in it. */
import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { given, ms } from './given.fixture.ts'
import { questionsOf } from './views/question.ts'

const OWN = `
  steps:
    sign_off:
      decide: Ship it?
      options: { ship: done, drop: abandoned }
      deadline: { remind: 1h, expire: 3h }
      on: { expired: abandoned }
`

describe('the ladder', () => {
  const LADDER = `
    deadline: { remind: 1h, reroute: { after: 2h, to: "@leads" }, expire: 3h }
    steps: { work: { agent: dev, prompt: Build., questions: 2, next: done } }
  `

  it('[Q21] of the flow is that of what its agents ask: it goes on without an answer', () => {
    const run = given(LADDER).started().ask('work')
    expect(questionsOf(run.program, run.state, () => undefined)[0]!.expiresAt).toBe(ms('3h'))
    expect(run.pass('2h').events).toEqual([
      { type: 'question.reminded', at: ms('1h'), question: 'work#1.0?1' },
      { type: 'question.reminded', at: ms('2h'), question: 'work#1.0?1', to: '@leads' },
    ])
    expect(run.pass('1h').happened).toEqual(['question.closed'])
    expect(run.place).toBe('work#1')
    run.ask('work', { ...EXAMPLE_DECISION, deadline: '30m' })
    expect(run.pass('30m').happened).toEqual(['question.closed'])
  })

  it('[Q21] of the flow reminds of what went wrong, which never expires', () => {
    const run = given(LADDER).started().fault('work', 'failed')
    expect(run.pass('30d').events).toMatchObject([
      { type: 'question.reminded', at: ms('1h') },
      { type: 'question.reminded', at: ms('2h'), to: '@leads' },
    ])
    expect(run.question.cause).toBe('fault')
    expect(questionsOf(run.program, run.state, () => undefined)[0]!.expiresAt).toBeNull()
    expect(run.person('@retry').place).toBe('work#2')
  })

  it('[Q21] of the flow holds at a check, and for each of a panel', () => {
    const ladder = 'deadline: { remind: 1h, expire: 3h }'
    const check = given(
      `${ladder}\nsteps: { a: { check: "true", options: { pass: done, fail: abandoned } } }`,
    )
      .started()
      .check('a', null)
    expect(check.pass('9h').happened).toEqual(['question.reminded'])
    const panel = given(`${ladder}\nsteps: { a: { panel: [x, y], prompt: Look., next: done } }`).started()
    panel.ask('a', EXAMPLE_DECISION, { member: 1 }).later('30m').ask('a', EXAMPLE_DECISION, { member: 0 })
    expect(panel.pass('1h').events.map((event) => 'question' in event && [event.question, event.at])).toEqual(
      [
        ['a#1.1?1', ms('1h')],
        ['a#1.0?1', ms('90m')],
      ],
    )
  })

  it('[Q11] [Q21] counts anew after an answer was taken back', () => {
    const run = given(LADDER).started().ask('work').later('30m').person({ pick: 'redis' }).later('4h')
    run.undo('work#1.0?1')
    expect(questionsOf(run.program, run.state, () => undefined)[0]!.expiresAt).toBe(ms('7h30m'))
    expect(run.pass('59m').events).toEqual([])
    expect(run.pass('1m').happened).toEqual(['question.reminded'])
    const own = given(OWN)
      .started()
      .later('30m')
      .person({ decision: 'ship' })
      .later('4h')
      .undo('sign_off#1?1')
    expect(own.pass('59m').events).toEqual([])
  })

  it('[A10] that is noticed late costs an agent no working time', () => {
    const run = given(LADDER.replace('questions: 2', 'questions: 2, time: 30m'))
      .started()
      .begin('work')
      .ask('work')
    expect(run.pass('10h').happened.at(-1)).toBe('question.closed')
    expect(run.pass('29m').events).toEqual([])
    expect(run.pass('1m').happened).toContain('member.faulted')
  })

  it('[A22] a clock that was set back gives and takes no working time', () => {
    const program = LADDER.replace('questions: 2', 'questions: 2, time: 30m')
    // It worked until 20 minutes after the start, when the clock was set to the start again.
    const run = given(program).started().begin('work').resume('work', '20m')
    expect(run.pass('9m').events).toEqual([])
    expect(run.pass('1m').happened).toContain('member.faulted')
  })

  it('[A10] stands still for an agent while nobody is there', () => {
    const run = given(LADDER.replace('questions: 2', 'questions: 2, time: 30m')).started().begin('work')
    run.later('10h').resume('work', '20m')
    expect(run.pass('9m').events).toEqual([])
    expect(run.pass('1m').happened).toContain('member.faulted')
  })
})
