import { describe, expect, it } from 'vitest'
import { AGENT, BOB, given, ms } from './given.fixture.ts'
import { offeredExtras, offeredOutcomes } from './question.ts'

const SIGN_OFF = `
  steps:
    sign_off:
      decide: Ship this change?
      options: { ship: done, drop: abandoned, unsure: ask }
      fields: { reason: { type: text, required_for: [drop] } }
`
const REVIEW = `
  budgets: { interventions: 1 }
  steps:
    review:
      agent: check
      asks: verdict
      options: { approve: done, reject: abandoned, puzzled: ask }
      fields: { feedback: { type: text, required_for: [reject] } }
`

describe('the question of a decide step', () => {
  it('[Q1] opens at once where there is nothing to gather', () => {
    const run = given(SIGN_OFF).started()
    expect(run.happened).toEqual(['run.started', 'visit.entered', 'question.opened'])
    expect(run.event('question.opened')).toMatchObject({
      question: 'sign_off#1?1',
      cause: 'step',
      proposal: null,
    })
    expect(run.state.current).toMatchObject({ phase: 'asking' })
  })

  it('[Q1] opens when its context is gathered, with what was found, and its deadline counts from then', () => {
    const run = given(`
      steps:
        sign_off:
          decide: Ship it?
          context: { why: "a fix", diff: { run: git diff } }
          options: { ship: done, drop: abandoned }
          deadline: { expire: 1h }
          on: { expired: abandoned }
    `).started()
    expect(run.state.current).toMatchObject({ phase: 'gathering', question: null })
    expect(run.duties).toMatchObject([{ kind: 'gather-context', step: 'sign_off', visit: 1 }])
    expect(run.pass('3h').events).toEqual([])

    run.context('sign_off', { diff: '+1 -0' })
    expect(run.happened).toEqual(['context.gathered', 'question.opened'])
    expect(run.state.current?.context).toEqual({ diff: '+1 -0' })
    expect(run.question.openedAt).toBe(ms('3h'))
    expect(run.pass('59m').events).toEqual([])
    expect(run.pass('1m').place).toBe('ended: abandoned')
  })

  it('[Q1] [Q13] refuses context of another visit and of another step; while it is open it may be looked at again', () => {
    const run = given(`
      steps:
        sign_off: { decide: Ship?, context: git diff, options: { ship: done, look: { to: retry, max: 1, then: done } } }
    `).started()
    expect(run.refuses.context('sign_off', {}, { visit: 2 }).code).toBe('stale')
    expect(run.refuses.context('elsewhere').code).toBe('stale')
    run.context('sign_off').context('sign_off', { diff: 'more' })
    expect(run.happened).toEqual(['context.gathered'])
    expect(run.open).toEqual(['sign_off#1?1'])
    run.person({ decision: 'look' })
    expect(run.refuses.context('sign_off', {}, { visit: 1 }).code).toBe('stale')
  })

  it('[R7] offers every option and neither retry nor stop', () => {
    const run = given(SIGN_OFF).started()
    const step = run.program.steps['sign_off']!
    expect(offeredOutcomes(step, run.question)).toEqual(['ship', 'drop', 'unsure'])
    expect(offeredExtras(run.state, step, run.question)).toEqual([])
    expect(run.refuses.person('@stop').code).toBe('not-offered')
  })

  it('[R7] holds the person to the contract, and says what would be right', () => {
    const run = given(SIGN_OFF).started()
    const { code, message } = run.refuses.person({ decision: 'drop' })
    expect(code).toBe('invalid-answer')
    expect(message).toContain('`reason` is missing.')
    expect(message).toContain('{"decision":"drop","reason":"what reason says"}')
    expect(run.person({ decision: 'drop', reason: 'Too late' }).place).toBe('ended: abandoned')
  })

  it('carries the note of the person into the record', () => {
    const run = given(SIGN_OFF).started()
    run.person({ decision: 'ship', notes: 'Nice.' }, { note: 'On Monday.' })
    expect(run.event('question.answered')).toMatchObject({
      pick: 'ship',
      note: 'On Monday.',
      by: { name: 'alice' },
    })
    expect(run.state.records['sign_off']?.answer?.notes).toBe('Nice.\n\nOn Monday.')
  })

  it('[R7] asks anew where the option says `ask`, without offering that option again', () => {
    const run = given(SIGN_OFF).started().person({ decision: 'unsure' }, { note: 'Hm.' })
    expect(run.event('question.opened')).toMatchObject({
      question: 'sign_off#1?2',
      cause: 'unrouted',
      fault: null,
    })
    expect(run.place).toBe('sign_off#1')
    expect(run.refuses.person({ decision: 'unsure' }).code).toBe('not-offered')
    expect(run.person({ decision: 'ship' }, { by: BOB }).place).toBe('ended: done')
  })
})

describe('a step put to a person in an agent’s stead', () => {
  it('[R6] is the step’s own question, with retry and stop beside it', () => {
    const run = given(REVIEW).started().fault('review', 'failed', 'crashed')
    const step = run.program.steps['review']!
    expect(run.question).toMatchObject({ cause: 'fault', fault: 'failed', detail: 'crashed' })
    expect(offeredOutcomes(step, run.question)).toEqual(['approve', 'reject'])
    expect(offeredExtras(run.state, step, run.question)).toEqual(['@retry', '@stop'])
  })

  it('[R7] holds the person to the same contract and takes the same routes', () => {
    const run = given(REVIEW).started().fault('review', 'failed')
    expect(run.refuses.person({ verdict: 'reject' }).message).toContain('`feedback` is missing.')
    expect(run.refuses.person({ verdict: 'maybe' }).code).toBe('invalid-answer')
    expect(run.refuses.person({ verdict: 'puzzled' }).code).toBe('not-offered')
    run.person({ verdict: 'reject', feedback: 'Wrong file' })
    expect(run.event('visit.left')).toMatchObject({
      outcome: 'reject',
      by: { kind: 'person', name: 'alice' },
    })
    expect(run.state.records['review']?.answer?.fields).toEqual({ feedback: 'Wrong file' })
  })

  it('[R7] an answer that is routed to `ask` is shown as a proposal nobody wrote a way for', () => {
    const run = given(REVIEW).started().answer('review', { verdict: 'puzzled', notes: 'Two specs' })
    expect(run.question).toMatchObject({
      cause: 'unrouted',
      fault: null,
      proposal: { outcome: 'puzzled', notes: 'Two specs' },
    })
  })

  it('[R6] retry spends an intervention, and is no longer offered when none is left', () => {
    const run = given(REVIEW)
      .started()
      .fault('review', 'failed')
      .person('@retry', { note: 'Network was down' })
    expect(run.event('visit.left')).toMatchObject({
      outcome: '@retry',
      to: 'review',
      detail: 'alice says: Network was down\n\nIt ended as failed.',
      paid: { counted: null, spent: 'interventions', pass: null },
    })
    expect(run.place).toBe('review#2')

    run.fault('review', 'failed')
    expect(offeredExtras(run.state, run.program.steps['review']!, run.question)).toEqual(['@stop'])
    const refusal = run.refuses.person('@retry')
    expect(refusal.code).toBe('not-offered')
    expect(refusal.message).toContain('no interventions left')
    expect(run.person('@stop').place).toBe('ended: abandoned')
  })

  it('[R6] retry is offered again once somebody extends the interventions', () => {
    const run = given(REVIEW).started().fault('review', 'failed').person('@retry').fault('review', 'failed')
    expect(run.extend('interventions', 1).person('@retry').place).toBe('review#3')
  })

  it('[R10] stop ends the run', () => {
    const run = given(REVIEW).started().fault('review', 'failed').person('@stop', { by: BOB })
    expect(run.event('run.ended')).toMatchObject({ end: 'abandoned', success: false, by: BOB })
  })
})

describe('a question', () => {
  it('[Q3] is answered once; the second is told who was first and with what', () => {
    const run = given(REVIEW).started().fault('review', 'failed').person('@retry', { by: BOB })
    const refusal = run.refuses.person({ verdict: 'approve' }, { question: 'review#1?1' })
    expect(refusal).toEqual({ code: 'already-answered', message: 'bob already answered this with @retry.' })
  })

  it('[Q3] tells who was first also when the answer ended the run', () => {
    const run = given(SIGN_OFF).started().person({ decision: 'ship' }, { by: BOB })
    const refusal = run.refuses.person({ decision: 'drop', reason: 'x' }, { question: 'sign_off#1?1' })
    expect(refusal).toMatchObject({
      code: 'already-answered',
      message: 'bob already answered this with ship.',
    })
  })

  it('[Q3] of an agent that was answered in words is told with these words', () => {
    const run = given(REVIEW).started().ask('review').person(null, { by: BOB, note: 'Use the old table' })
    const refusal = run.refuses.person(null, { question: 'review#1.0?1', note: 'The new one' })
    expect(refusal.code).toBe('already-answered')
    expect(refusal.message).toContain('bob')
    expect(refusal.message).toContain('Use the old table')
  })

  it('[Q3] that was never put is unknown, and so is one that was withdrawn', () => {
    const run = given(REVIEW).started()
    expect(run.refuses.person({ verdict: 'approve' }, { question: 'review#9?1' }).code).toBe(
      'unknown-question',
    )
    run.ask('review').retry()
    expect(run.refuses.person({ pick: 1 }, { question: 'review#1.0?1' }).code).toBe('unknown-question')
  })

  it('[A9] is never answered by an agent, its own least of all', () => {
    const run = given(REVIEW).started().ask('review')
    expect(run.refuses.person(null, { by: AGENT, note: 'yes' }).code).toBe('agents-do-not-answer')
    run.fault('review', 'failed')
    expect(run.refuses.person({ verdict: 'approve' }, { by: AGENT }).code).toBe('agents-do-not-answer')
    expect(run.open).toEqual(['review#1?1'])
  })

  it('[A3] of an agent is not answered by what cannot be read, nor by nothing at all', () => {
    const run = given(REVIEW).started().ask('review')
    expect(run.refuses.person(null).code).toBe('invalid-answer')
    const unreadable = { kind: 'malformed', text: '{"pick": ' } as const
    const answer = {
      type: 'question.answer',
      at: 0,
      question: 'review#1.0?1',
      by: BOB,
      extra: null,
      note: '',
    } as const
    expect(run.refuses.send({ ...answer, given: unreadable }).code).toBe('invalid-answer')
  })

  it('[R10] that offers no stop refuses it, and does not take it for an answer', () => {
    const run = given(REVIEW).started().ask('review')
    expect(run.refuses.person('@stop').code).toBe('not-offered')
    expect(run.refuses.person('@retry').code).toBe('not-offered')
  })
})
