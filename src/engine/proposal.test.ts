/** Answers that only a person may give: what the agent said is a proposal. */
import { describe, expect, it } from 'vitest'
import { compile, given } from './given.fixture.ts'

const RELEASE = `
  steps:
    release:
      agent: dev
      options:
        ready: done
        delete: { to: wipe, confirm: true }
      fields: { why: { type: text, required_for: [delete] } }
    wipe: { check: rm -rf data, next: done }
`

describe('an option marked confirm', () => {
  it('[R5] from an agent becomes a proposal, and a person is asked the same question', () => {
    const run = given(RELEASE)
      .started()
      .answer('release', { decision: 'delete', why: 'Stale', notes: 'All of it' })
    expect(run.happened).toEqual(['answer.given', 'question.opened'])
    expect(run.question).toMatchObject({
      cause: 'proposal',
      fault: null,
      proposal: { outcome: 'delete', fields: { why: 'Stale' }, notes: 'All of it' },
    })
    expect(run.place).toBe('release#1')
    expect(run.duties).toEqual([])
  })

  it('[R5] is taken when a person confirms it', () => {
    const run = given(RELEASE).started().answer('release', { decision: 'delete', why: 'Stale' })
    expect(run.person({ decision: 'delete', why: 'Stale' }).place).toBe('wipe#1')
    expect(run.event('visit.left').by).toEqual({ kind: 'person', name: 'alice' })
  })

  it('[R5] is confirmed with the words of the person, however many the agent had', () => {
    const notes = 'x'.repeat(100_000)
    const run = given(RELEASE).started().answer('release', { decision: 'delete', why: 'Stale', notes })
    run.person({ decision: 'delete' }, { note: 'Only on Friday!' })
    expect(run.event('visit.left').answer?.notes.endsWith('Only on Friday!')).toBe(true)
  })

  it('[R5] leaves the person every other way: another option, retry, stop', () => {
    const proposed = () => given(RELEASE).started().answer('release', { decision: 'delete', why: 'Stale' })
    expect(proposed().person({ decision: 'ready' }).place).toBe('ended: done')
    expect(proposed().person('@retry').place).toBe('release#2')
    expect(proposed().person('@stop').place).toBe('ended: abandoned')
  })

  it('[R5] does not stand in the way of the other options', () => {
    expect(given(RELEASE).started().answer('release', { decision: 'ready' }).place).toBe('ended: done')
  })

  it('[A5] keeps the agent out while the proposal lies with a person', () => {
    const run = given(RELEASE).started().answer('release', { decision: 'delete', why: 'Stale' })
    expect(run.refuses.answer('release', { decision: 'ready' }).code).toBe('not-waiting')
    expect(run.refuses.fault('release', 'failed').code).toBe('not-waiting')
  })

  it('[R5] counts in a decision table wherever it was chosen', () => {
    const table = `
      steps:
        triage:
          agent: dev
          asks: { risk: [low, high], data: { keep: Keep it, drop: { say: Drop it, confirm: true } } }
          when: [{ if: { risk: low }, to: done }, { to: abandoned }]
    `
    expect(given(table).started().answer('triage', { risk: 'low', data: 'keep' }).place).toBe('ended: done')
    const run = given(table).started().answer('triage', { risk: 'low', data: 'drop' })
    expect(run.question).toMatchObject({
      cause: 'proposal',
      proposal: { outcome: 'row-1', choices: { data: 'drop' } },
    })
    expect(run.person({ risk: 'high', data: 'drop' }).place).toBe('ended: abandoned')
  })

  it('[R5][L9] cannot stand where no agent answers: an exit code never takes it', () => {
    const { program, diagnostics } = compile(
      'steps: { tidy: { check: ls, options: { pass: { to: done, confirm: true }, fail: abandoned } } }',
    )
    expect(program).toBeNull()
    expect(diagnostics).toMatchObject([{ code: 'wrong-kind', path: 'steps.tidy.options.pass.confirm' }])
  })
})

describe('an option marked confirm in a panel', () => {
  const PANEL = `
    steps:
      review:
        panel: [anna, ben, { agent: carl, advisory: true }]
        asks: verdict
        options: { approve: done, reject: { to: abandoned, confirm: true } }
  `

  it('[R5] is proposed when it wins', () => {
    const run = given(PANEL).started()
    run.answer('review@anna', { verdict: 'approve' }).answer('review@ben', { verdict: 'reject' })
    run.answer('review@carl', { verdict: 'approve' })
    expect(run.question).toMatchObject({ cause: 'proposal', proposal: { outcome: 'reject' } })
  })

  it('[R5] is not proposed when only an adviser says it', () => {
    const run = given(PANEL).started()
    run.answer('review@anna', { verdict: 'approve' }).answer('review@ben', { verdict: 'approve' })
    expect(run.answer('review@carl', { verdict: 'reject' }).place).toBe('ended: done')
  })

  it('[R5] is proposed whichever of the winners chose it', () => {
    const table = `
      steps:
        triage:
          panel: [anna, ben]
          asks: { risk: [low, high], data: { keep: Keep it, drop: { say: Drop it, confirm: true } } }
          when: [{ if: { risk: low }, to: done }, { to: abandoned }]
    `
    const first = given(table).started().answer('triage@anna', { risk: 'high', data: 'drop' })
    expect(first.answer('triage@ben', { risk: 'high', data: 'keep' }).question.cause).toBe('proposal')
    const second = given(table).started().answer('triage@anna', { risk: 'high', data: 'keep' })
    expect(second.answer('triage@ben', { risk: 'high', data: 'drop' }).question.cause).toBe('proposal')
  })

  it('[R5] is proposed, not taken in nobody’s name, when all are advisers', () => {
    const run = given(`
      steps:
        review:
          panel: [{ agent: carl, advisory: true }]
          options: { wipe: { to: done, confirm: true }, keep: abandoned }
    `).started()
    run.answer('review', { decision: 'keep' })
    expect(run.question).toMatchObject({ cause: 'proposal', proposal: { outcome: 'wipe' } })
  })
})

describe('on_signal: escalate', () => {
  const ESCALATE =
    'steps: { plan: { agent: dev, on_signal: escalate, options: { good: done, poor: abandoned } } }'

  it('[A7] makes every answer a proposal', () => {
    for (const decision of ['good', 'poor']) {
      const run = given(ESCALATE).started().answer('plan', { decision })
      expect(run.question).toMatchObject({ cause: 'proposal', proposal: { outcome: decision } })
    }
  })

  it('[A7] makes the end of work that asks nothing a proposal too', () => {
    const run = given('steps: { plan: { agent: dev, on_signal: escalate, next: done } }').started()
    run.answer('plan', { notes: 'Ready' })
    expect(run.question).toMatchObject({ cause: 'proposal', proposal: { outcome: 'done', notes: 'Ready' } })
    expect(run.person({}).place).toBe('ended: done')
  })

  it('[A7] still tells a wrong answer to the agent, and routes a fault as a fault', () => {
    const run = given(ESCALATE).started().answer('plan', { decision: 'perfect' })
    expect(run.happened).toEqual(['answer.refused'])
    expect(run.fault('plan', 'failed').question.cause).toBe('fault')
  })
})
