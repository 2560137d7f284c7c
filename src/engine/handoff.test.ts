import { describe, expect, it } from 'vitest'
import { stepOf } from '../model/program.ts'
import { given } from './given.fixture.ts'
import { handoffForm, judgeHandoff } from './handoff.ts'

const flow = (handoff: string, step = 'next: done') => `
  handoffs:
    plan:
      version: 3
      fields: { summary: { type: text, required: true }, risks: list, effort: { type: choice, choices: [small, large], required: true } }
      ${handoff}
  steps:
    design: { agent: dev, gives: plan, nudges: 1, ${step} }
`
const PLAN = { summary: 'Two files', effort: 'small' }

describe('a handoff', () => {
  it('[H1] is brought under `handoff`, and recorded with its name and version', () => {
    const run = given(flow(''))
      .started()
      .answer('design', { handoff: { ...PLAN, risks: ['cache'], extra: 1 } })
    expect(run.state.records['design']?.answer?.handoff).toEqual({
      name: 'plan',
      version: 3,
      quality: 'full',
      values: { summary: 'Two files', risks: ['cache'], effort: 'small' },
    })
    expect(run.place).toBe('ended: done')
  })

  it('[H1] is validated field by field', () => {
    const run = given(flow(''))
      .started()
      .answer('design', { handoff: { risks: 'many', effort: 'medium' } })
    const { message } = run.event('answer.refused')
    expect(message).toContain('`summary` is missing.')
    expect(message).toContain('`risks` is not a list of texts.')
    expect(message).toContain('`effort` is "medium", not one of small, large.')
    expect(message).toContain('`handoff` must hold the plan (version 3):')
    expect(message).toContain('{"handoff":{"summary":"what summary says","effort":"small"}}')
  })

  it.each([[{}], [{ handoff: null }], [{ handoff: 'the plan' }], [{ handoff: [PLAN] }]])(
    '[H1] is missing in %j',
    (what) => {
      const run = given(flow('')).started().answer('design', what)
      expect(run.event('answer.refused').message).toContain('`handoff` is missing.')
    },
  )

  it('[H2] that is missing or wrong is told to the agent while nudges last, even where notes or a fallback would do', () => {
    const run = given(flow('partial: true\n      fallback: Nothing is known')).started()
    run.answer('design', { notes: 'All told here' })
    expect(run.happened).toEqual(['answer.refused'])
    expect(run.answer('design', { handoff: PLAN }).event('visit.left').answer?.handoff?.quality).toBe('full')
  })

  it('[H3] after the nudges is partial, with notes and what of it was right', () => {
    const run = given(flow('partial: true\n      fallback: Nothing is known')).started()
    run.answer('design', {}).answer('design', { notes: 'All told here', handoff: { summary: 'Two files' } })
    expect(run.event('visit.left').answer).toMatchObject({
      notes: 'All told here',
      handoff: { name: 'plan', version: 3, quality: 'partial', values: { summary: 'Two files' } },
    })
  })

  it('[H3] after the nudges, without notes, is its fallback', () => {
    const run = given(flow('partial: true\n      fallback: Nothing is known')).started()
    run.answer('design', {}).answer('design', { handoff: { summary: 'Two files' } })
    expect(run.event('visit.left').answer?.handoff).toMatchObject({ quality: 'fallback', values: {} })
  })

  it('[H3] with notes is its fallback where notes alone will not do', () => {
    const run = given(flow('fallback: Nothing is known')).started()
    run.answer('design', {}).answer('design', { notes: 'All told here' })
    expect(run.event('visit.left').answer).toMatchObject({
      notes: 'All told here',
      handoff: { quality: 'fallback' },
    })
  })

  it('[H3] after the nudges is its fallback also when the agent gave nothing at all', () => {
    const run = given(flow('fallback: Nothing is known'))
      .started()
      .answerNothing('design')
      .answerNothing('design')
    expect(run.event('visit.left')).toMatchObject({
      outcome: 'done',
      answer: { handoff: { quality: 'fallback' } },
    })
  })

  it('[H3] is `invalid` where neither will do', () => {
    const partial = given(flow('partial: true')).started().answer('design', {}).answer('design', {})
    expect(partial.question).toMatchObject({ cause: 'fault', fault: 'invalid' })
    const strict = given(flow('')).started().answer('design', {}).answer('design', { notes: 'All told here' })
    expect(strict.question).toMatchObject({ cause: 'fault', fault: 'invalid' })
  })

  it('[H3] is lenient at once where there are no nudges', () => {
    const run = given(flow('partial: true').replace('nudges: 1', 'nudges: 0')).started()
    expect(
      run.answer('design', { notes: 'All told here' }).event('visit.left').answer?.handoff?.quality,
    ).toBe('partial')
  })

  it('[H3] makes nothing else lenient: a wrong choice is still `invalid`', () => {
    const run = given(flow('fallback: None', 'options: { good: done, poor: abandoned }')).started()
    run.answer('design', { decision: 'good' }).answer('design', { decision: 'best', handoff: PLAN })
    expect(run.question.fault).toBe('invalid')
  })

  it('[H2] shares its nudges with every other wrong answer of the visit', () => {
    const run = given(flow('fallback: None', 'options: { good: done, poor: abandoned }')).started()
    run.answer('design', { decision: 'best', handoff: PLAN }).answer('design', { decision: 'good' })
    expect(run.event('visit.left').answer?.handoff?.quality).toBe('fallback')
  })
})

describe('a handoff given by itself', () => {
  const HANDOFF = stepOf(given(flow('')).started().program, 'design').contract.handoff!

  it('[H4] is held against its own fields, and its example is right', () => {
    expect(judgeHandoff(HANDOFF, { ...PLAN, extra: 1 })).toEqual({ values: PLAN })
    const { name, schema, example } = handoffForm(HANDOFF)
    expect(name).toBe('plan, version 3')
    expect(schema.required).toEqual(['summary', 'effort'])
    expect(Object.keys(schema.properties)).toEqual(['summary', 'risks', 'effort'])
    expect(judgeHandoff(HANDOFF, example)).toHaveProperty('values')
  })

  it.each([{}, { summary: 'x' }, { ...PLAN, effort: 'huge' }, null, 'text', [PLAN]])(
    '[H4] [A2] that is wrong is rejected with the contract, what was given and an example: %j',
    (value) => {
      const judged = judgeHandoff(HANDOFF, value)
      if (!('message' in judged)) throw new Error('it was taken')
      expect(judged.message).toContain('`effort` (one of small, large) is needed.')
      expect(judged.message).toContain(JSON.stringify(value))
      expect(judged.message).toContain('A correct answer:')
    },
  )
})
