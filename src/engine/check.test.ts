import { describe, expect, it } from 'vitest'
import { given } from './given.fixture.ts'

describe('a check that answers by its exit code', () => {
  it('[A14] is done with 0 where it asks nothing, and any other code is the fault `failed`', () => {
    const flow = 'steps: { lint: { check: npm run lint, next: done, on: { failed: abandoned } } }'
    const run = given(flow).started()
    expect(run.duties).toEqual([{ kind: 'run-check', id: 'r1/lint#1/check', step: 'lint', visit: 1 }])
    run.check('lint', 0, 'all fine')
    expect(run.happened).toEqual(['check.reported', 'visit.left', 'run.ended'])
    expect(run.event('visit.left')).toMatchObject({
      outcome: 'done',
      by: { kind: 'signalbox' },
      answer: { notes: 'all fine' },
    })

    const failed = given(flow).started().check('lint', 2, 'bad')
    expect(failed.event('visit.left')).toMatchObject({ outcome: 'failed', answer: null, to: 'abandoned' })
    expect(failed.event('visit.left').detail).toBe('Exit code 2 means nothing here.\n\nbad')
  })

  it('passes with 0 and fails with all others where its options say so', () => {
    const flow = 'steps: { test: { check: npm test, options: { pass: done, fail: abandoned } } }'
    expect(given(flow).started().check('test', 0).place).toBe('ended: done')
    const run = given(flow).started().check('test', 127, 'red')
    expect(run.event('visit.left')).toMatchObject({
      outcome: 'fail',
      answer: { choices: { decision: 'fail' }, notes: 'red' },
    })
  })

  it('takes the option that names its code, then the one for all others, then it is `failed`', () => {
    const flow = `
      ends: { a: A, b: B, c: C }
      steps:
        scan: { check: scan, options: { clean: { to: a, exit: 0 }, dirty: { to: b, exit: [1, 3] }, rest: { to: c, exit: other } } }
    `
    const ended = (code: number) => given(flow).started().check('scan', code).state.end
    expect([0, 1, 3, 2, 255].map(ended)).toEqual(['a', 'b', 'b', 'c', 'c'])
    const strict = given(flow.replace('rest: { to: c, exit: other }', 'worse: { to: c, exit: 4 }')).started()
    expect(strict.check('scan', 9).question).toMatchObject({ cause: 'fault', fault: 'failed' })
  })

  it('[R6] that did not run to its end is `failed`, and one over its time `timed_out`', () => {
    const flow = 'steps: { test: { check: npm test, options: { pass: done, fail: abandoned } } }'
    expect(given(flow).started().check('test', null, 'killed').question).toMatchObject({
      fault: 'failed',
      detail: 'It did not run to its end.\n\nkilled',
    })
    const timed = given(flow.replace('npm test,', 'npm test, time: 5m,')).started()
    expect(timed.check('test', 'timed out').question.fault).toBe('timed_out')
  })

  it('[R7] that failed may be answered by a person, who is offered retry too', () => {
    const flow = 'steps: { test: { check: npm test, options: { pass: done, fail: abandoned } } }'
    expect(given(flow).started().check('test', null).person({ decision: 'pass' }).place).toBe('ended: done')
    expect(given(flow).started().check('test', null).person('@retry').place).toBe('test#2')
  })
})

describe('a check that answers by JSON', () => {
  const JSON_CHECK = `
    steps:
      measure:
        check: measure
        answers: json
        asks: speed
        options: { fast: done, slow: abandoned }
        fields: { ms: { type: number, required: true } }
        on: { invalid: { to: retry, max: 1, then: ask } }
  `
  const fast = '{"speed":"fast","ms":3}'

  it('takes the whole output, or the last line that is an object', () => {
    for (const output of [
      fast,
      `${fast}\n`,
      `warming up\n{"speed":"slow","ms":9}\n${fast}\nbye`,
      '{\n  "speed": "fast",\n  "ms": 3\n}',
    ])
      expect(given(JSON_CHECK).started().check('measure', 0, output).event('visit.left')).toMatchObject({
        outcome: 'fast',
        answer: { choices: { speed: 'fast' }, fields: { ms: 3 } },
      })
  })

  it('[A1] is `invalid` where it gives no answer, half an answer or a wrong one', () => {
    for (const output of ['', 'fast', '["fast"]', '{"speed":"fast"}', '{"speed":true,"ms":1}']) {
      const run = given(JSON_CHECK).started().check('measure', 0, output)
      expect(run.event('visit.left')).toMatchObject({ outcome: 'invalid', answer: null })
      expect(run.event('visit.left').detail).toContain('A correct answer:')
    }
  })

  it('[A3] tells malformed output from none', () => {
    const detail = (output: string) =>
      given(JSON_CHECK).started().check('measure', 0, output).event('visit.left').detail
    expect(detail(' \n')).toContain('There was no answer.')
    expect(detail('{"speed":')).toContain('The answer is not JSON')
  })

  it('[R6] is `failed` with any other exit code, whatever it printed', () => {
    expect(given(JSON_CHECK).started().check('measure', 1, fast).question).toMatchObject({ fault: 'failed' })
  })

  it('[R6] follows the bounded route of its fault', () => {
    const run = given(JSON_CHECK).started().check('measure', 0, '')
    expect(run.place).toBe('measure#2')
    expect(run.check('measure', 0, '').question).toMatchObject({ id: 'measure#2?1', fault: 'invalid' })
  })
})

describe('a report of a check', () => {
  const TWICE =
    'steps: { test: { check: npm test, options: { pass: done, fail: { to: retry, max: 1, then: ask } } } }'

  it('[A5] of another visit is stale', () => {
    const run = given(TWICE).started().check('test', 1)
    expect(run.refuses.check('test', 0, '', { visit: 1 }).code).toBe('stale')
    expect(run.refuses.check('test', 0, '', { visit: 3 }).code).toBe('stale')
  })

  it('[A5] comes once: not while a person is asked, and not of a step that is no check', () => {
    const run = given(TWICE).started().check('test', 1).check('test', 1)
    expect(run.question.cause).toBe('unrouted')
    expect(run.refuses.check('test', 0).code).toBe('not-waiting')
    expect(
      given('steps: { build: { agent: dev, next: done } }').started().refuses.check('build', 0).code,
    ).toBe('not-waiting')
  })
})
