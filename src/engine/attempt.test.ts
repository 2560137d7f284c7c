import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { whyNotTaken } from './attempt.ts'
import { decide } from './decide.ts'
import { given } from './given.fixture.ts'

const LOOP = `
  steps:
    build: { agent: dev, asks: state, options: { ready: review, broken: abandoned }, nudges: 1 }
    review: { agent: check, asks: verdict, options: { good: done, poor: { to: build, max: 2, then: abandoned } } }
`
const ready = { state: 'ready' }

describe('a wrong answer', () => {
  it('[A4] is told to the agent, whose next attempt it begins', () => {
    const run = given(LOOP).started().begin('build').answer('build', { state: 'redy' })
    expect(run.event('answer.refused')).toMatchObject({
      member: 0,
      validity: 'invalid-value',
      given: { kind: 'value', value: { state: 'redy' } },
    })
    const { message } = run.event('answer.refused')
    expect(run.member()).toMatchObject({
      status: 'working',
      attempt: 2,
      turn: 1,
      nudges: 1,
      message,
      session: 'session-1',
    })
    expect(run.answer('build', ready).place).toBe('review#1')
  })

  it('[A4] is the fault `invalid` when the nudges of the visit are used up', () => {
    const run = given(LOOP).started().answer('build', {}).answer('build', { state: 1 })
    expect(run.happened).toEqual(['member.faulted', 'question.opened'])
    expect(run.event('member.faulted').detail).toContain('`state` is the number 1, not a text.')
    expect(run.question).toMatchObject({ cause: 'fault', fault: 'invalid' })
  })

  it('[A4] is the fault at once where there are no nudges', () => {
    const run = given(LOOP.replace('nudges: 1', 'nudges: 0, on: { invalid: abandoned }')).started()
    expect(run.answerNothing('build').event('visit.left')).toMatchObject({
      outcome: 'invalid',
      to: 'abandoned',
    })
  })

  it('[A4] is counted for each visit by itself', () => {
    const run = given(LOOP)
      .started()
      .answer('build', {})
      .answer('build', ready)
      .answer('review', { verdict: 'poor' })
    expect(run.member()).toMatchObject({ nudges: 0, attempt: 1 })
    expect(run.answer('build', {}).happened).toEqual(['answer.refused'])
  })

  it('[A4] of every kind is counted together', () => {
    const run = given(LOOP.replace('nudges: 1', 'nudges: 3')).started()
    run.answerNothing('build').answerMalformed('build', '{"state": ').answer('build', {})
    expect(run.journal.flatMap((event) => (event.type === 'answer.refused' ? [event.validity] : []))).toEqual(
      ['missing-file', 'invalid-value', 'missing-variable'],
    )
    expect(run.answerNothing('build').event('member.faulted').fault).toBe('invalid')
  })
})

describe('an address of the past', () => {
  it('[A5] of another step is stale, for every command that has one', () => {
    const run = given(LOOP).started().answer('build', ready)
    const { refuses } = run
    const refusals = [
      refuses.begin('build'),
      refuses.answer('build', ready),
      refuses.answerNothing('build'),
      refuses.fault('build', 'failed'),
      refuses.park('build', '1h'),
      refuses.ask('build'),
      refuses.gate('build', 0),
      refuses.check('build', 0),
      refuses.context('build'),
    ]
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 'stale'))
    expect(refusals[1]!.message).toBe(
      'This speaks of attempt 1 in visit 1 of "build", and the run has moved on since.',
    )
  })

  it('[A12] of another step does not make usage stale: what was used is used', () => {
    const run = given(LOOP).started().answer('build', ready).use('build', { tokens: 7 })
    expect(run.state.usage.tokens).toBe(7)
  })

  it('[A5] of an earlier visit of this step is stale', () => {
    const run = given(LOOP).started().answer('build', ready).answer('review', { verdict: 'poor' })
    expect(run.place).toBe('build#2')
    expect(run.refuses.answer('build', ready, { visit: 1 }).code).toBe('stale')
    expect(run.refuses.fault('build', 'failed', '', { visit: 1 }).code).toBe('stale')
  })

  it('[A5] of an earlier attempt of this visit is stale', () => {
    const run = given(LOOP).started().answer('build', {})
    expect(run.refuses.answer('build', ready, { attempt: 1 }).code).toBe('stale')
    expect(run.refuses.begin('build', { attempt: 1 }).code).toBe('stale')
  })

  it('[A5] of the future, or of nobody, is stale as well', () => {
    const run = given(LOOP).started()
    for (const over of [{ visit: 2 }, { attempt: 2 }, { member: 1 }, { member: -1 }])
      expect(run.refuses.answer('build', ready, over).code).toBe('stale')
    expect(run.refuses.answer('nowhere', ready).code).toBe('stale')
  })

  it('[A5] a second answer of a member who has finished is refused', () => {
    const run = given(
      'steps: { review: { panel: [anna, ben], options: { good: done, poor: abandoned } } }',
    ).started()
    run.answer('review@anna', { decision: 'good' })
    const refusal = run.refuses.answer('review@anna', { decision: 'poor' })
    expect(refusal).toMatchObject({ code: 'not-waiting', message: '"anna" is not at work: it is answered.' })
    run.fault('review@ben', 'failed')
    expect(run.refuses.fault('review@ben', 'stalled').code).toBe('not-waiting')
  })
})

describe('a fault', () => {
  it('[E1] that the step cannot have is refused, not thrown', () => {
    const run = given('steps: { build: { agent: dev, next: done } }').started()
    expect(run.refuses.fault('build', 'out_of_bounds')).toEqual({
      code: 'impossible-fault',
      message: '"build" cannot end as out_of_bounds; it can as failed, stalled.',
    })
    const bounded = given(
      'agents: { dev: { writes: [] } }\nsteps: { build: { agent: dev, next: done } }',
    ).started()
    expect(bounded.fault('build', 'out_of_bounds').question.fault).toBe('out_of_bounds')
  })
})

describe('a write outside its boundary', () => {
  const BOUNDED = (rest: string) =>
    given(
      `agents: { dev: { writes: ["src/**"] } }\nsteps: { build: { agent: dev, nudges: 1, ${rest} } }`,
    ).started()

  it('[A15] is told to the agent while nudges last, then it is the fault out_of_bounds', () => {
    for (const asked of ['next: done', 'options: { ready: done, stuck: abandoned }']) {
      const run = BOUNDED(asked).trespass('build', ['README.md'])
      expect(run.event('answer.refused')).toMatchObject({ validity: 'out-of-bounds' })
      expect(run.state.current!.members[0]).toMatchObject({ status: 'working', attempt: 2, nudges: 1 })
      expect(run.state.current!.members[0]!.message).toContain('- README.md')
      expect(run.state.current!.members[0]!.message).toContain('You may change only: src/**')
      expect(run.trespass('build', ['README.md']).question.fault).toBe('out_of_bounds')
    }
  })

  it('[A15] is refused where there is no boundary, and as stale where the run has moved on', () => {
    const free = given('steps: { build: { agent: dev, next: done } }').started()
    expect(free.refuses.trespass('build', ['a']).code).toBe('impossible-fault')
    expect(BOUNDED('next: done').refuses.trespass('build', ['a'], { attempt: 9 }).code).toBe('stale')
  })
})

describe('a fact', () => {
  it('[E7] changes nothing but the version, and is taken after the end too', () => {
    const run = given('steps: { build: { agent: dev, next: done } }').started()
    const noted = { type: 'host.noted', at: 5, text: 'the host started again' } as const
    const before = run.state
    run.record(noted)
    expect(run.state).toEqual({ ...before, version: before.version + 1 })
    run.answer('build', {})
    expect(run.state.status).toBe('ended')
    run.record(noted)
    expect(run.event('host.noted')).toEqual(noted)
  })
})

describe('on_signal: fail', () => {
  const NEVER =
    'steps: { spar: { agent: dev, on_signal: fail, options: { hit: done, miss: done }, on: { failed: abandoned } } }'

  it('[A7] makes every valid answer the fault `failed`', () => {
    for (const decision of ['hit', 'miss']) {
      const run = given(NEVER).started().answer('spar', { decision })
      expect(run.happened).toEqual(['member.faulted', 'visit.left', 'run.ended'])
      expect(run.event('visit.left')).toMatchObject({ outcome: 'failed', answer: null })
    }
  })

  it('[A7] makes the end of work that asks nothing `failed` too', () => {
    const run = given(
      'steps: { spar: { agent: dev, on_signal: fail, next: done, on: { failed: abandoned } } }',
    ).started()
    expect(run.answerNothing('spar').place).toBe('ended: abandoned')
  })

  it('[A7] still tells a wrong answer to the agent', () => {
    expect(given(NEVER).started().answer('spar', { decision: 'win' }).happened).toEqual(['answer.refused'])
  })
})

describe('a question of an agent', () => {
  const PICK = { pick: 'sqlite' }
  const ASKING = 'steps: { build: { agent: dev, questions: 2, options: { ready: done, broken: abandoned } } }'

  it('[A9] goes to a person as it was asked, and what is answered is told to the agent in a new turn', () => {
    const run = given(ASKING).started().begin('build').ask('build')
    expect(run.event('question.opened')).toMatchObject({
      question: 'build#1.0?1',
      cause: 'agent',
      member: 0,
      decision: { headline: EXAMPLE_DECISION.headline, recommended: 'sqlite', urgency: 'normal' },
    })
    expect(run.duties).toEqual([])
    run.person({ pick: 'redis' }, { note: 'For now' })
    expect(run.event('question.answered')).toMatchObject({ pick: 'redis', note: 'For now' })
    expect(run.member()).toMatchObject({ turn: 2, attempt: 1, question: null })
    for (const part of ['build#1.0?1', EXAMPLE_DECISION.headline, 'Picked: redis (Redis)', 'Note: For now'])
      expect(run.member().message).toContain(part)
    expect(run.duties).toMatchObject([{ kind: 'prompt-agent', id: 'r1/build#1/0.1.2' }])
  })

  it('[Q7] is answered by an option or in words, and by nothing else', () => {
    const run = given(ASKING).started().ask('build')
    expect(run.refuses.person({ pick: 'postgres' }).code).toBe('not-offered')
    expect(run.refuses.person({ pick: 1 }).code).toBe('invalid-answer')
    expect(run.refuses.person(null, { note: '  ' }).code).toBe('invalid-answer')
    expect(run.refuses.person('@retry').code).toBe('not-offered')
    run.person(null, { note: 'sqlite, never' })
    expect(run.event('question.answered')).toMatchObject({ pick: '', note: 'sqlite, never' })
    expect(run.member().message).toContain('They picked none of your options')
  })

  it('[Q9] that nobody answers in time is told as that, with the turn going on', () => {
    const run = given(ASKING)
      .started()
      .ask('build', { ...EXAMPLE_DECISION, deadline: '2h' })
    expect(run.pass('119m').events).toEqual([])
    expect(run.pass('1m').event('question.closed')).toMatchObject({ reason: 'expired' })
    expect(run.member()).toMatchObject({ turn: 2, question: null, status: 'working' })
    expect(run.member().message).toContain('That is not an answer')
    expect(run.place).toBe('build#1')
  })

  it('[Q10] of a kind needs the evidence of its template, and may take its options', () => {
    const run = given(ASKING).started()
    const stuck = { kind: 'stuck', headline: 'No access', question: 'Who can let me in?' }
    const refusal = run.refuses.ask('build', { ...stuck, evidence: { blocker: 'no key' } })
    expect(refusal.code).toBe('invalid-decision')
    expect(refusal.message).toContain('`evidence.tried` is missing')
    run.ask('build', { ...stuck, evidence: { blocker: 'no key', tried: 'asking' } })
    expect(run.member().question?.decision?.options.map(({ key }) => key)).toEqual([
      'unblock',
      'reassign',
      'drop',
    ])
    expect(
      given(ASKING)
        .started()
        .refuses.ask('build', { ...stuck, kind: 'stuk' }).message,
    ).toContain('did you mean "stuck"')
  })

  it('[A9] comes one at a time', () => {
    const run = given(ASKING).started().ask('build')
    expect(run.refuses.ask('build')).toMatchObject({
      code: 'not-waiting',
      message: expect.stringContaining('already waits for an answer to build#1.0?1.'),
    })
  })

  it('[A9] beyond the allowance of the visit is refused with what to do instead', () => {
    const run = given(ASKING).started().ask('build').person(PICK).ask('build').person(PICK)
    const refusal = run.refuses.ask('build')
    expect(refusal.code).toBe('too-many-questions')
    expect(refusal.message).toContain('Take your own recommendation, or finish with what you have.')
    run.answer('build', { decision: 'redy' })
    expect(run.refuses.ask('build').code).toBe('too-many-questions')
    expect(run.retry().ask('build').open).toEqual(['build#2.0?1'])
  })

  it('[A9] is never allowed where the allowance is nothing', () => {
    const run = given(ASKING.replace('questions: 2', 'questions: 0')).started()
    expect(run.refuses.ask('build').code).toBe('too-many-questions')
  })

  it('[A9] is each panel member’s own', () => {
    const run = given('steps: { review: { panel: [anna, ben], questions: 1, next: done } }').started()
    run.ask('review@anna').ask('review@ben')
    expect(run.open).toEqual(['review#1.0?1', 'review#1.1?1'])
    run.person(PICK, { question: 'review#1.1?1' })
    expect(run.member(0)).toMatchObject({ turn: 1, message: '' })
    expect(run.member(1)).toMatchObject({ turn: 2, message: expect.stringContaining('sqlite') })
  })

  it('[A13] leaves a turn that ends without an answer unheard', () => {
    const run = given(ASKING).started().ask('build')
    expect(run.refuses.answerNothing('build').code).toBe('not-waiting')
    expect(run.member()).toMatchObject({ attempt: 1, nudges: 0 })
    expect(run.person(PICK).answerNothing('build').happened).toEqual(['answer.refused'])
  })

  it('[A13] leaves a turn unheard also where nothing is asked of the step', () => {
    const run = given('steps: { build: { agent: dev, next: done } }').started().ask('build')
    expect(run.refuses.answerNothing('build').code).toBe('not-waiting')
  })

  it('[A13] is withdrawn by a full answer', () => {
    const run = given(ASKING).started().ask('build').answer('build', { decision: 'ready' })
    expect(run.happened).toEqual(['question.closed', 'answer.given', 'visit.left', 'run.ended'])
    expect(run.event('question.closed')).toMatchObject({ question: 'build#1.0?1', reason: 'withdrawn' })
  })

  it('[Q4] is withdrawn when the agent dies', () => {
    const run = given(ASKING).started().ask('build').fault('build', 'failed')
    expect(run.happened).toEqual(['question.closed', 'member.faulted', 'question.opened'])
    expect(run.open).toEqual(['build#1?1'])
  })
})

describe('an answer that is looked at before it counts', () => {
  const answers = [ready, { state: 'broken' }, { state: 'redy' }, { state: 1 }, {}, 'ready', null, []]

  it.each(answers)('[D3] %j: is judged as it will be when it counts', (value) => {
    for (const nudges of [0, 1]) {
      const { program, state } = given(LOOP.replace('nudges: 1', `nudges: ${nudges}`))
        .started()
        .begin('build')
      const address = { step: 'build', visit: 1, member: 0, attempt: 1 }
      const raw = { kind: 'value', value } as const
      const decided = decide(program, state, { type: 'attempt.answer', at: 5, ...address, given: raw })
      const counts = 'events' in decided && decided.events.some(({ type }) => type === 'answer.given')
      expect(whyNotTaken(program, state, address, raw) === null).toBe(counts)
    }
  })

  it('is nobody’s once the run has moved on', () => {
    const { program, state } = given(LOOP).started().begin('build').answer('build', ready)
    const raw = { kind: 'value', value: ready } as const
    const late = { step: 'build', visit: 1, member: 0, attempt: 1 }
    expect(whyNotTaken(program, state, late, raw)).toMatchObject({ code: 'stale' })
  })
})

describe('[A21] [A11] a parked agent', () => {
  it('says what it is parked for, and what holds it no longer', () => {
    const run = given('steps: { work: { agent: dev, next: done } }').started().begin('work')
    const address = { step: 'work', visit: 1, member: 0, attempt: 1 }
    const at = run.now
    const { program, state } = run
    const parked = decide(program, state, {
      type: 'attempt.park',
      at,
      ...address,
      until: at + 1000,
      reason: 'day-limit',
    })
    if ('refusal' in parked) throw new Error(parked.refusal.message)
    expect(parked.state.current!.members[0]).toMatchObject({ status: 'parked', parkedFor: 'day-limit' })
    const woken = decide(program, parked.state, { type: 'time.pass', at: at + 1000 })
    if ('refusal' in woken) throw new Error(woken.refusal.message)
    expect(woken.events).toMatchObject([{ type: 'attempt.woken', reason: 'day-limit' }])
    expect(woken.state.current!.members[0]).toMatchObject({ status: 'working', parkedFor: null })
  })

  it('is woken early where what it waits for has come, and nobody else is', () => {
    const run = given('steps: { work: { agent: dev, next: done } }')
      .started()
      .begin('work')
      .park('work', '1h')
    expect(run.member().status).toBe('parked')
    const address = { step: 'work', visit: 1, member: 0, attempt: 1 }
    const woken = decide(run.program, run.state, { type: 'attempt.wake', at: run.now, ...address })
    if ('refusal' in woken) throw new Error(woken.refusal.message)
    expect(woken.state.current!.members[0]).toMatchObject({ status: 'working', turn: 2, parkedUntil: null })
    const again = decide(run.program, woken.state, { type: 'attempt.wake', at: run.now, ...address })
    expect(again).toMatchObject({ refusal: { code: 'not-waiting' } })
  })
})
