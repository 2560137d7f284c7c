import { describe, expect, it } from 'vitest'
import { decisionId } from '../../engine/decision-book.ts'
import { concernOf } from './concern.ts'

describe('an event', () => {
  it('concerns the decision it names, by the id that lists have it under', () => {
    const data = { question: 'sign_off#1?1' }
    expect(concernOf({ stream: 'run/abc', type: 'question.answered', data })).toEqual({
      run: 'abc',
      decision: decisionId('run/abc', 'sign_off#1?1'),
      touchesAllInRun: false,
    })
    expect(concernOf({ stream: 'decision/0a1b', type: 'decision.created', data: {} })).toEqual({
      run: null,
      decision: '0a1b',
      touchesAllInRun: false,
    })
  })

  it('concerns all of its run where a visit ends, what was looked at has changed, or nobody knows it', () => {
    for (const type of ['visit.left', 'run.moved', 'run.ended', 'context.gathered', 'of-another-version'])
      expect(concernOf({ stream: 'run/abc', type, data: {} })).toMatchObject({ touchesAllInRun: true })
    expect(concernOf({ stream: 'run/abc', type: 'usage.recorded', data: {} })).toMatchObject({
      touchesAllInRun: false,
    })
    expect(concernOf({ stream: 'notice/1', type: 'x', data: {} })).toEqual({
      run: null,
      decision: null,
      touchesAllInRun: false,
    })
  })
})
