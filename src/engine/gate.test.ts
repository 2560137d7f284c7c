import { describe, expect, it } from 'vitest'
import { given } from './given.fixture.ts'

const BUILD = `
  steps:
    build: { agent: dev, gate: { run: npm test, max: 2 }, next: done, on: { failed: abandoned } }
`

describe('a gate', () => {
  it('[A6] runs when the agent says it is done, and lets the answer through when it succeeds', () => {
    const run = given(BUILD).started().begin('build').answer('build', { notes: 'Done' })
    expect(run.events).toMatchObject([{ type: 'answer.given', gated: true, answer: { notes: 'Done' } }])
    expect(run.duties).toMatchObject([
      { kind: 'run-gate', id: 'r1/build#1/0.1/gate', agent: 'dev', attempt: 1 },
    ])

    run.gate('build', 0, 'ok')
    expect(run.event('gate.passed').evidence).toEqual({
      exitCode: 0,
      output: 'ok',
      commit: 'c0ffee',
      diffstat: '',
    })
    expect(run.happened).toEqual(['gate.passed', 'visit.left', 'run.ended'])
    expect(run.event('visit.left').answer?.notes).toBe('Done')
  })

  it('[A6] that fails sends the agent back with the output', () => {
    const run = given(BUILD).started().begin('build').answer('build', {}).gate('build', 1, '2 tests failed\n')
    expect(run.event('gate.failed').message).toBe(
      [
        'You said you were done, but the gate failed with exit code 1.',
        'Mend what it shows, then answer again.',
        '',
        '```output by the gate',
        '2 tests failed',
        '```',
      ].join('\n'),
    )
    expect(run.member()).toMatchObject({
      status: 'working',
      attempt: 2,
      returns: 1,
      nudges: 0,
      answer: null,
      session: 'session-1',
    })
    expect(run.duties).toMatchObject([{ kind: 'prompt-agent', attempt: 2 }])
  })

  it('[A6] that did not run to its end is a failure too', () => {
    const run = given(BUILD).started().answer('build', {}).gate('build', null)
    expect(run.event('gate.failed').message).toContain('failed to run to its end')
  })

  it('[A6] sends back `max` times in a visit, then it is the fault `failed`', () => {
    const run = given(BUILD).started()
    for (let round = 1; round <= 2; round++)
      expect(run.answer('build', {}).gate('build', 1).happened).toEqual(['gate.failed'])
    run.answer('build', {}).gate('build', 1, 'still red')
    expect(run.event('member.faulted')).toMatchObject({
      fault: 'failed',
      detail: 'The gate failed.\n\nstill red',
    })
    expect(run.place).toBe('ended: abandoned')
    expect(run.state.totals.dispatches).toBe(3)
  })

  it('[A6] with max 0 sends nobody back', () => {
    const run = given(BUILD.replace('max: 2', 'max: 0')).started().answer('build', {}).gate('build', 1)
    expect(run.happened).toEqual(['member.faulted', 'visit.left', 'run.ended'])
  })

  it('[A6] counts each visit by itself', () => {
    const run = given(BUILD).started().answer('build', {}).gate('build', 1).retry()
    expect(run.member().returns).toBe(0)
  })

  it('[A6] guards only the answers it is for', () => {
    const flow = `
      steps:
        build: { agent: dev, gate: { run: npm test, for: [ready] }, options: { ready: done, stuck: abandoned } }
    `
    expect(given(flow).started().answer('build', { decision: 'stuck' }).place).toBe('ended: abandoned')
    const run = given(flow).started().answer('build', { decision: 'ready' })
    expect(run.member().status).toBe('gating')
    run.gate('build', 1)
    expect(run.answer('build', { decision: 'stuck' }).place).toBe('ended: abandoned')
  })

  it('[A6] runs once for each valid answer: not for a wrong one, and not twice', () => {
    const run = given(BUILD.replace('next: done', 'options: { ready: done, stuck: abandoned }')).started()
    run.answer('build', { decision: 'redy' })
    expect(run.refuses.gate('build', 0).code).toBe('not-waiting')
    run.answer('build', { decision: 'ready' }).gate('build', 1)
    expect(run.refuses.gate('build', 0).code).toBe('not-waiting')
    expect(run.refuses.gate('build', 0, '', { attempt: 2 }).code).toBe('stale')
  })

  it('[A6] keeps the agent waiting while it runs', () => {
    const run = given(BUILD).started().answer('build', {})
    for (const refusal of [
      run.refuses.answer('build', {}),
      run.refuses.ask('build'),
      run.refuses.park('build', '1h'),
      run.refuses.begin('build'),
    ])
      expect(refusal).toMatchObject({ code: 'not-waiting', message: '"dev" is not at work: it is gating.' })
  })

  it('[A6] comes before a person is asked to confirm', () => {
    const run = given(`
      steps:
        build: { agent: dev, gate: npm test, options: { ready: { to: done, confirm: true }, stuck: abandoned } }
    `).started()
    expect(run.answer('build', { decision: 'ready' }).open).toEqual([])
    expect(run.gate('build', 0).question.cause).toBe('proposal')
  })

  it('[A6] of one panel member leaves the others at work', () => {
    const run = given(
      'steps: { build: { panel: [anna, ben], gate: { run: npm test, max: 1 }, next: done } }',
    ).started()
    run.answer('build@anna', {}).answer('build@ben', {}).gate('build@anna', 0)
    expect(run.happened).toEqual(['gate.passed'])
    run.gate('build@ben', 1).answer('build@ben', {})
    expect(run.gate('build@ben', 0).place).toBe('ended: done')
  })

  it('[A6] may be written as on_signal', () => {
    const run = given(
      'steps: { build: { agent: dev, on_signal: { action: gate, run: npm test, max: 0 }, next: done } }',
    ).started()
    expect(run.answer('build', {}).gate('build', 1).question.fault).toBe('failed')
  })

  it('keeps the end of a long output, where the failure is', () => {
    const run = given(BUILD)
      .started()
      .answer('build', {})
      .gate('build', 1, `${'x'.repeat(90_000)}the end`)
    expect(run.event('gate.failed').evidence.output).toHaveLength(4000)
    expect(run.event('gate.failed').message).toContain('the end')
  })
})
