import { describe, expect, it } from 'vitest'
import type { DecideStep } from '../model/program.ts'
import { timersOf } from './clock.ts'
import { BOB, given, ms, unstarted } from './given.fixture.ts'
import { questionsOf } from './views/question.ts'

const SIGN_OFF = `
  steps:
    sign_off:
      decide: Ship it?
      options: { ship: done, drop: abandoned }
      deadline: { remind: [2h, 1h], expire: 3h }
      on: { expired: abandoned }
`

describe('the deadline of a question', () => {
  it('[Q2] reminds in order, each time once, then expires', () => {
    const run = given(SIGN_OFF).started()
    expect(run.pass('59m').events).toEqual([])
    expect(run.pass('1m').events).toEqual([
      { type: 'question.reminded', at: ms('1h'), question: 'sign_off#1?1' },
    ])
    expect(run.pass('30m').events).toEqual([])
    expect(run.pass('30m').happened).toEqual(['question.reminded'])
    expect(run.question.reminders).toBe(2)
    expect(run.pass('1h').happened).toEqual(['question.closed', 'visit.left', 'run.ended'])
  })

  it('[Q2] fires everything that was due in its order and at its time, however late the clock is told', () => {
    const run = given(SIGN_OFF).started().pass('7d')
    expect(run.events.map(({ type, at }) => [type, at])).toEqual([
      ['question.reminded', ms('1h')],
      ['question.reminded', ms('2h')],
      ['question.closed', ms('3h')],
      ['visit.left', ms('3h')],
      ['run.ended', ms('3h')],
    ])
  })

  it('[Q2] loses no reminder that falls together with the expiry', () => {
    const run = given(SIGN_OFF.replace('[2h, 1h]', '3h')).started().pass('3h')
    expect(run.happened).toEqual(['question.reminded', 'question.closed', 'visit.left', 'run.ended'])
  })

  it('[Q2] begins anew with each visit', () => {
    const run = given(
      SIGN_OFF.replace('expired: abandoned', 'expired: { to: retry, max: 1, then: abandoned }'),
    ).started()
    run.pass('4h')
    expect(run.place).toBe('sign_off#2')
    expect(run.question).toMatchObject({ id: 'sign_off#2?1', openedAt: ms('3h'), reminders: 1 })
    expect(run.pass('2h').place).toBe('ended: abandoned')
  })

  it('[Q2] takes no notice of a clock that is told an earlier time', () => {
    const run = given(SIGN_OFF).started().pass('90m')
    expect(run.send({ type: 'time.pass', at: 0 }).events).toEqual([])
    expect(run.pass('0s').events).toEqual([])
  })

  it('[R8] is the fault `expired`, never an answer, not even the recommended one', () => {
    const run = given(SIGN_OFF.replace('ship: done', 'ship: { to: done, recommended: true }'))
      .started()
      .pass('3h')
    expect(run.event('question.closed')).toMatchObject({ question: 'sign_off#1?1', reason: 'expired' })
    expect(run.event('visit.left')).toMatchObject({
      outcome: 'expired',
      answer: null,
      by: { kind: 'signalbox' },
    })
    expect(run.happened).not.toContain('question.answered')
  })

  it('[R8] where nobody routed it, a person is asked again, and now it cannot expire', () => {
    const run = given(SIGN_OFF.replace('on: { expired: abandoned }', '')).started().pass('3h')
    expect(run.happened).toEqual([
      'question.reminded',
      'question.reminded',
      'question.closed',
      'question.opened',
    ])
    expect(run.question).toMatchObject({ id: 'sign_off#1?2', cause: 'fault', fault: 'expired' })
    expect(run.refuses.person({ decision: 'ship' }, { question: 'sign_off#1?1' }).code).toBe(
      'unknown-question',
    )
    expect(run.duties.map(({ kind }) => kind)).toEqual(['wait-until'])
    expect(run.pass('30d').happened).toEqual(['question.reminded', 'question.reminded'])
    expect(run.duties).toEqual([])
    expect(run.person('@retry').place).toBe('sign_off#2')
    expect(run.duties).toMatchObject([{ timer: { kind: 'remind' } }, { timer: { kind: 'expire' } }])
  })

  it('is over when the question is answered', () => {
    const run = given(
      SIGN_OFF.replace('drop: abandoned', 'drop: { to: retry, max: 1, then: abandoned }'),
    ).started()
    run.pass('90m').person({ decision: 'drop' })
    expect(run.pass('45m').events).toEqual([])
  })
})

describe('the ladder of a question', () => {
  const ladder = (deadline: string, more = '') =>
    given(`
      ${more}
      steps:
        sign_off:
          decide: Ship it?
          options: { ship: done, drop: { to: retry, max: 1, then: abandoned } }
          deadline: ${deadline}
          on: { expired: abandoned }
    `).started()

  it('[Q19] reminds, then asks somebody else, each in its turn, and expires in the end', () => {
    const run = ladder(
      '{ remind: [2h, 8h], reroute: [{ after: 4h, to: anna }, { after: 1d, to: "@leads" }], expire: 2d }',
    )
    const rungs = []
    for (let timer = run.duties[0]; timer?.kind === 'wait-until'; timer = run.duties[0])
      rungs.push(...run.send({ type: 'time.pass', at: timer.timer.at }).events)
    expect(rungs.map((event) => [event.type, event.at, 'to' in event ? event.to : ''])).toEqual([
      ['question.reminded', ms('2h'), ''],
      ['question.reminded', ms('4h'), 'anna'],
      ['question.reminded', ms('8h'), ''],
      ['question.reminded', ms('1d'), '@leads'],
      ['question.closed', ms('2d'), ''],
      ['visit.left', ms('2d'), 'abandoned'],
      ['run.ended', ms('2d'), ''],
    ])
  })

  it('[Q19] reminds whoever has it before it goes to somebody else at the same time', () => {
    const run = ladder('{ remind: 1h, reroute: { after: 1h, to: anna } }').pass('1h')
    expect(run.events).toEqual([
      { type: 'question.reminded', at: ms('1h'), question: 'sign_off#1?1' },
      { type: 'question.reminded', at: ms('1h'), question: 'sign_off#1?1', to: 'anna' },
    ])
  })

  it('[Q19] leaves the question open and answerable by anybody, and begins anew with the next visit', () => {
    const run = ladder('{ reroute: { after: 1h, to: anna }, expire: 1d }').pass('2h')
    expect(run.open).toEqual(['sign_off#1?1'])
    expect(run.person({ decision: 'drop' }, { by: BOB }).place).toBe('sign_off#2')
    expect(run.pass('1h').event('question.reminded')).toMatchObject({ question: 'sign_off#2?1', to: 'anna' })
  })

  // A run begins at the first moment of 1970, a Thursday.
  const HOURS = 'hours: { zone: Europe/Vienna, from: "09:00", to: "17:00" }'

  it('[Q20] counts working time only, in the zone it names', () => {
    const run = ladder(`{ remind: 2h, reroute: { after: 8h, to: anna }, expire: 16h, ${HOURS} }`)
    expect(run.pass('1d').events).toMatchObject([
      { type: 'question.reminded', at: ms('10h') },
      { type: 'question.reminded', at: ms('16h'), to: 'anna' },
    ])
    expect(run.pass('30d').events).toMatchObject([
      { type: 'question.closed', at: ms('1d16h') },
      { type: 'visit.left' },
      { type: 'run.ended' },
    ])
  })

  it('[Q20] lets nothing be due at the weekend', () => {
    const run = ladder(`{ expire: 17h, ${HOURS} }`)
    expect(run.duties).toMatchObject([{ timer: { kind: 'expire', at: ms('4d9h') } }])
    expect(questionsOf(run.program, run.state, () => undefined)[0]).toMatchObject({ expiresAt: ms('4d9h') })
  })

  it('[Q21] is the flow’s where a step says none, and the flow’s hours count for every ladder without its own', () => {
    const flow = (deadline: string) => ladder(deadline, `deadline: { remind: 1h, expire: 4h, ${HOURS} }`)
    const due = (run: ReturnType<typeof flow>) =>
      run.duties.map((duty) => (duty.kind === 'wait-until' ? [duty.timer.kind, duty.timer.at] : duty.kind))
    const silent = given(
      `deadline: { remind: 1h, expire: 4h, ${HOURS} }\nsteps: { a: { decide: Go?, options: { y: done, n: abandoned } } }`,
    ).started()
    expect(due(silent)).toEqual([
      ['remind', ms('9h')],
      ['expire', ms('12h')],
    ])
    expect(due(flow('{ expire: 2h }'))).toEqual([['expire', ms('10h')]])
    expect(due(flow('{ expire: 2h, hours: { zone: UTC, from: "00:00", to: "24:00" } }'))).toEqual([
      ['expire', ms('2h')],
    ])
  })

  it('[Q21] is nobody’s at a step that says an empty one', () => {
    const run = given(
      'deadline: { expire: 4h }\nsteps: { a: { decide: Go?, deadline: {}, options: { y: done, n: abandoned } } }',
    ).started()
    expect(run.duties).toEqual([])
  })

  it('[Q20] is told for the question and its deadline together, however often and of whichever it is asked', () => {
    const { program } = given(
      `steps: { a: { decide: Go?, deadline: { expire: 4h, ${HOURS} }, options: { y: done, n: abandoned } } }`,
    )
    const { state } = unstarted(program).start()
    const [first] = timersOf(program, state)
    const step = program.steps['a'] as DecideStep
    // Another deadline for the same question is another matter.
    const other = {
      ...program,
      steps: { a: { ...step, deadline: { ...step.deadline, expireMs: ms('5h') } } },
    }
    expect(timersOf(other, state)).toMatchObject([{ at: ms('13h') }])
    expect(timersOf(program, state)).toEqual([first])
  })
})

const BUILD = `
  steps:
    build: { agent: dev, time: 10m, next: done, gate: npm test, on: { timed_out: abandoned } }
`

describe('the time limit of an agent', () => {
  it('[A10] counts from when it began', () => {
    const run = given(BUILD).started()
    expect(run.pass('1h').events).toEqual([])
    run.begin('build')
    expect(run.duties).toMatchObject([
      { kind: 'prompt-agent' },
      { timer: { kind: 'time-limit', at: ms('1h10m') } },
    ])
    expect(run.pass('9m').events).toEqual([])
    expect(run.pass('1m').event('member.faulted')).toMatchObject({ fault: 'timed_out', at: ms('1h10m') })
    expect(run.place).toBe('ended: abandoned')
  })

  it('[A10] does not count the time a person takes', () => {
    const run = given(BUILD).started().begin('build').later('6m').ask('build')
    expect(run.pass('5h').events).toEqual([])
    run.person({ pick: 'sqlite' })
    expect(run.pass('3m').events).toEqual([])
    expect(run.member()).toMatchObject({ workedMs: ms('6m'), runningSince: ms('5h6m') })
    expect(run.pass('1m').event('member.faulted').fault).toBe('timed_out')
  })

  it('[A10] does not count the time a gate takes, and counts the attempts of a visit together', () => {
    const run = given(BUILD).started().begin('build').later('6m').answer('build', {})
    expect(run.pass('1h').events).toEqual([])
    run.gate('build', 1)
    expect(run.pass('1h').events).toEqual([])
    run.begin('build').pass('3m')
    expect(run.events).toEqual([])
    expect(run.pass('1m').event('member.faulted').fault).toBe('timed_out')
  })

  it('[A10] does not count the time a usage limit takes', () => {
    const run = given(BUILD).started().begin('build').later('6m').park('build', '5h')
    run.pass('6h').begin('build')
    expect(run.pass('3m').events).toEqual([])
    expect(run.pass('1m').event('member.faulted').fault).toBe('timed_out')
  })

  it('[A10] does not count a usage limit during which a question was answered', () => {
    const run = given(BUILD).started().begin('build').later('1m').ask('build').park('build', '5h')
    run.later('1m').person({ pick: 'sqlite' })
    expect(run.pass('5h').happened).toEqual(['attempt.woken'])
  })

  it('[A10] does not count a wait for a person of which the session was told late', () => {
    const run = given(BUILD).started().ask('build').begin('build', {}, 'session-7')
    expect(run.member().session).toBe('session-7')
    expect(run.pass('5h').events).toEqual([])
  })

  it('[A10] begins anew with each visit', () => {
    const run = given(BUILD).started().begin('build').later('9m').retry().begin('build')
    expect(run.pass('9m').events).toEqual([])
    expect(run.pass('1m').happened).toContain('member.faulted')
  })

  it('[Q2] and the reset of a usage limit fire in the order they were due, whoever’s they are', () => {
    const run = given('steps: { review: { panel: [anna, ben], time: 20m, next: done } }').started()
    run.begin('review@anna').park('review@ben', '10m').pass('1h')
    expect(run.events).toMatchObject([
      { type: 'attempt.woken', at: ms('10m'), member: 1 },
      { type: 'member.faulted', at: ms('20m'), member: 0 },
    ])
  })

  it('[A10] is each panel member’s own', () => {
    const run = given('steps: { review: { panel: [anna, ben], time: 10m, next: done } }').started()
    run.begin('review@anna').later('5m').begin('review@ben').pass('5m')
    expect(run.happened).toEqual(['member.faulted'])
    expect(run.member(0).fault).toBe('timed_out')
    expect(run.member(1)).toMatchObject({ status: 'working', runningSince: ms('5m') })
  })
})

describe('a usage limit', () => {
  it('[A11] parks the attempt until it resets, and is no failure', () => {
    const run = given('steps: { build: { agent: dev, next: done } }')
      .started()
      .begin('build')
      .park('build', '3h')
    expect(run.events).toEqual([{ type: 'attempt.parked', at: 0, member: 0, until: ms('3h') }])
    expect(run.duties).toMatchObject([
      { kind: 'wait-until', timer: { kind: 'wake', at: ms('3h'), member: 0 } },
    ])
    expect(run.refuses.answer('build', {}).code).toBe('not-waiting')
    expect(run.refuses.ask('build').code).toBe('not-waiting')
    expect(run.refuses.park('build', '4h').code).toBe('not-waiting')

    expect(run.pass('179m').events).toEqual([])
    expect(run.pass('1m').events).toEqual([{ type: 'attempt.woken', at: ms('3h'), member: 0 }])
    expect(run.member()).toMatchObject({
      status: 'working',
      attempt: 1,
      turn: 2,
      nudges: 0,
      fault: null,
      session: 'session-1',
    })
    expect(run.answer('build', {}).place).toBe('ended: done')
  })

  it('[A11] may be met again and again', () => {
    const run = given('steps: { build: { agent: dev, nudges: 0, next: done } }').started()
    for (let hour = 1; hour <= 5; hour++) run.park('build', `${hour}h`).pass('1h')
    expect(run.member()).toMatchObject({ status: 'working', attempt: 1, turn: 6 })
    expect(run.state.totals.dispatches).toBe(1)
  })

  it('[A11] leaves the agent free to die while it waits', () => {
    const run = given('steps: { build: { agent: dev, next: done, on: { failed: abandoned } } }').started()
    expect(run.park('build', '1h').fault('build', 'failed').place).toBe('ended: abandoned')
  })
})
