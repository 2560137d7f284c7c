import { describe, expect, it } from 'vitest'
import { given } from './given.fixture.ts'

const flow = (checkIn = 'true', more = '') => `
  ${more}
  templates: { handover: { prompt_hint: Say what is left., required_context: [done, left] } }
  steps:
    build: { agent: dev, check_in: ${checkIn}, questions: 5, options: { ready: done, stuck: abandoned } }
`
const ready = { decision: 'ready' }

describe('a check-in', () => {
  it('[A8] holds a valid answer back, and says what to offer and what to do when there is nothing', () => {
    const run = given(flow('{ template: handover, cool_down: 30m }'))
      .started()
      .begin('build')
      .answer('build', ready)
    expect(run.happened).toEqual(['signal.held'])
    expect(run.event('signal.held').message).toBe(
      [
        'Before you finish, offer a person a decision of the kind "handover".',
        'Say what is left.',
        'It must say: done, left.',
        'If there is nothing to decide, give your answer again. A question counts for 30m.',
      ].join('\n'),
    )
    expect(run.member()).toMatchObject({
      status: 'working',
      attempt: 2,
      holds: 1,
      answer: null,
      session: 'session-1',
    })
  })

  it('[A8] holds back once unless it says more, and then the same answer goes through', () => {
    const run = given(flow()).started().answer('build', ready)
    expect(run.answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] never holds back after `blocks` times in a visit, however much time goes by', () => {
    const run = given(flow('{ blocks: 2, cool_down: 10m }')).started()
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.later('10m').answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.later('2d').answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] never holds back within the cool-down of a hold', () => {
    const run = given(flow('{ blocks: 5, cool_down: 10m }')).started().answer('build', ready)
    expect(run.later('9m').answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] never holds back within the cool-down of a question', () => {
    const run = given(flow('{ cool_down: 10m }'))
      .started()
      .ask('build')
      .later('1h')
      .person({ pick: 'sqlite' })
    expect(run.later('9m').answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] never holds back within the cool-down of a question that is still open', () => {
    const run = given(flow('{ cool_down: 10m }')).started().ask('build').later('9m').answer('build', ready)
    expect(run.happened).toEqual(['question.closed', 'answer.given', 'visit.left', 'run.ended'])
  })

  it('[A8] holds back again when the question is long ago', () => {
    const run = given(flow('{ cool_down: 10m }')).started().ask('build').person({ pick: 'sqlite' })
    expect(run.later('10m').answer('build', ready).happened).toEqual(['signal.held'])
  })

  it('[A8] never holds back after a usage limit', () => {
    const run = given(flow()).started().park('build', '1h').pass('1h')
    expect(run.answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] holds back again in the next visit', () => {
    const run = given(flow()).started().answer('build', ready).retry()
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
  })

  it('[A8] does not hold back a wrong answer, and nudges do not count as holds', () => {
    const run = given(flow()).started().answer('build', { decision: 'redy' })
    expect(run.happened).toEqual(['answer.refused'])
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.member()).toMatchObject({ holds: 1, nudges: 1 })
  })

  it('[A8] comes before the gate', () => {
    const run = given(flow('true, gate: npm test')).started()
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.answer('build', ready).member().status).toBe('gating')
  })

  it('[A8] is off in an unattended flow', () => {
    const run = given(flow('{ blocks: 3 }', 'unattended: true')).started()
    expect(run.answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] is off in every flow that stands in an unattended one', () => {
    const parent =
      'unattended: true\nsteps: { part: { flow: child.yaml, options: { done: done, abandoned: abandoned } } }'
    const run = given(parent, { 'child.yaml': flow() }).started()
    expect(run.answer('part/build', ready).place).toBe('ended: done')
  })

  it('[A8] may stand with the agent and be turned off by a step', () => {
    const run = given(`
      agents: { dev: { check_in: true } }
      steps:
        plan: { agent: dev, check_in: false, next: build }
        build: { agent: dev, next: done }
    `).started()
    expect(run.answer('plan', {}).place).toBe('build#1')
    expect(run.answer('build', {}).happened).toEqual(['signal.held'])
  })
})
