import { describe, expect, it } from 'vitest'
import { compile, given } from './given.fixture.ts'
import { lookupIn } from './index.ts'

const DIAGNOSIS = `
  counters: { diagnosis: 2 }
  budgets: { rework: 1 }
  agents: { dev: {}, check: {} }
  steps:
    build: { agent: dev, options: { complete: done, incomplete: diagnose } }
    diagnose:
      agent: check
      options:
        code: { to: build, count: diagnosis, then: plan }
        tests: { to: write, count: diagnosis, then: plan }
    write: { agent: dev, next: build }
    plan: { agent: dev, options: { again: { to: build, spend: rework, then: abandoned } } }
`
const incomplete = { decision: 'incomplete' }

describe('a shared counter', () => {
  it('[R11] is used up by all its routes together, whichever is taken', () => {
    const run = given(DIAGNOSIS).started()
    expect(run.answer('build', incomplete).answer('diagnose', { decision: 'code' }).place).toBe('build#2')
    expect(run.answer('build', incomplete).answer('diagnose', { decision: 'tests' }).place).toBe('write#1')
    expect(run.event('visit.left').paid).toEqual({ counted: 'diagnosis', spent: null, pass: null })
    run.answer('write', {}).answer('build', incomplete)
    expect(run.answer('diagnose', { decision: 'code' }).place).toBe('plan#1')
  })

  it('[R11] [C4] starts again with a new pass', () => {
    const run = given(DIAGNOSIS).started()
    for (let round = 0; round < 3; round++)
      run.answer('build', incomplete).answer('diagnose', { decision: 'code' })
    run.answer('plan', { decision: 'again' }).answer('build', incomplete)
    expect(run.state.counters).toEqual({})
    expect(run.answer('diagnose', { decision: 'code' }).place).toBe('build#5')
  })

  it('[R11] is one for an answer and a fault, too', () => {
    const run = given(`
      counters: { mishaps: 2 }
      steps:
        judge:
          agent: dev
          options: { good: done, poor: { to: retry, count: mishaps, then: abandoned } }
          on: { failed: { to: retry, count: mishaps, then: abandoned } }
    `).started()
    run.answer('judge', { decision: 'poor' }).fault('judge', 'failed')
    expect(run.place).toBe('judge#3')
    expect(run.answer('judge', { decision: 'poor' }).place).toBe('ended: abandoned')
  })
})

const ROUNDS = `
  agents: { dev: {}, check: {} }
  steps:
    plan: { agent: dev, next: build }
    build: { agent: dev, next: review }
    review:
      agent: check
      options:
        approve: sign
        reject: { to: build, max: 1, per: build, then: abandoned }
    sign: { decide: Ship?, options: { ship: done, replan: { to: plan, max: 2, then: abandoned } } }
`

describe('a cap for each entry into a loop', () => {
  const reject = { decision: 'reject' }

  it('[R12] starts again when the loop is entered by a route that is no round of it', () => {
    const run = given(ROUNDS).started().answer('plan', {})
    run.answer('build', {}).answer('review', reject)
    expect(run.place).toBe('build#2')
    run.answer('build', {}).answer('review', { decision: 'approve' }).person({ decision: 'replan' })
    run.answer('plan', {})
    expect(run.event('visit.left').paid.restarted).toEqual(['review.reject.0'])
    expect(run.answer('build', {}).answer('review', reject).place).toBe('build#4')
    expect(run.answer('build', {}).answer('review', reject).place).toBe('ended: abandoned')
  })

  it('[R12] does not start again when the step only begins anew', () => {
    const run = given(ROUNDS).started().answer('plan', {})
    run.answer('build', {}).answer('review', reject).fault('build', 'failed').person('@retry')
    expect(run.answer('build', {}).answer('review', reject).place).toBe('ended: abandoned')
  })

  it('[R12] [C3] is no bound where the loop itself leads out and in again', () => {
    const { diagnostics } = compile(`
      agents: { dev: {}, check: {} }
      steps:
        build: { agent: dev, next: review }
        review: { agent: check, options: { approve: done, reject: { to: build, max: 1, per: build, then: rest } } }
        rest: { check: "true", next: build }
    `)
    expect(diagnostics.map(({ code }) => code)).toEqual(['unbounded-cycle'])
  })

  it('[R12] [L10] is counted for itself in each place where its flow is inlined', () => {
    const twice = `
      steps:
        a: { flow: part.yaml, options: { done: b, abandoned: abandoned } }
        b: { flow: part.yaml, options: { done: done, abandoned: abandoned } }
    `
    const { program } = given(twice, { 'part.yaml': ROUNDS })
    expect(program.restarts).toEqual({
      'a/build': ['a/review.reject.0'],
      'b/build': ['b/review.reject.0'],
    })
  })
})

const FORGETFUL = `
  budgets: { rework: 1 }
  agents: { dev: {}, check: {} }
  steps:
    plan: { agent: dev, fields: { idea: text }, next: review }
    review:
      agent: check
      options: { approve: done, reject: { to: plan, spend: rework, forget: true, then: abandoned } }
      fields: { feedback: text }
`

describe('a new pass that forgets', () => {
  it('[R13] drops what steps said before, but for the one that sends the run back', () => {
    const run = given(FORGETFUL).started().answer('plan', { idea: 'a tunnel' })
    run.answer('review', { decision: 'reject', feedback: 'No tunnels' })
    const lookup = lookupIn(run.state, () => undefined)
    expect(lookup({ kind: 'step', step: 'plan', field: 'idea' })).toBeUndefined()
    expect(lookup({ kind: 'step', step: 'review', field: 'feedback' })).toBe('No tunnels')
    expect(run.event('visit.left').paid).toMatchObject({ spent: 'rework', pass: '', forgets: '' })
  })

  it('[R13] drops the findings of that step, too: its next round begins without them', () => {
    const flow = (forget: string) => `
      budgets: { rework: 1 }
      agents: { dev: {}, critic: {} }
      steps:
        build: { agent: dev, next: review }
        review:
          agent: critic
          options:
            good: done
            poor: { to: build, max: 1, then: abandoned }
            wrong: { to: build, spend: rework, ${forget}then: abandoned }
          fields: { found: { type: findings }, why: text }
          settle_on: found
    `
    const stateAfter = (forget: string) => {
      const run = given(flow(forget)).started().answer('build', {})
      const found = [{ title: 'Has no tests', file: 'a.ts' }]
      return run.answer('review', { decision: 'wrong', why: 'No tunnels', found }).state
    }
    expect(Object.keys(stateAfter('').findings)).toEqual(['review'])
    const forgotten = stateAfter('forget: true, ')
    expect(forgotten.findings).toEqual({})
    expect(lookupIn(forgotten, () => undefined)({ kind: 'step', step: 'review', field: 'why' })).toBe(
      'No tunnels',
    )
  })

  it('[R13] keeps what a flow and the step inside said that sent the run back, and no other of its steps', () => {
    const part = `
agents: { dev: {} }
steps: { draft: { agent: dev, next: work }, work: { agent: dev, next: done } }
`
    const flow = `
budgets: { rework: 1 }
agents: { dev: {} }
steps:
  part: { flow: part.yaml, options: { done: { to: mend, spend: rework, forget: true, then: abandoned } } }
  mend: { agent: dev, next: done }
`
    const run = given(flow, { 'part.yaml': part }).started()
    run.answer('part/draft', {}).answer('part/work', {})
    expect(Object.keys(run.state.records).toSorted()).toEqual(['part', 'part/work'])
  })

  it('[L9] is not written where a person is asked: the step is not left there', () => {
    const flow = (to: string) => `
      budgets: { rework: 1 }
      agents: { dev: {} }
      steps:
        a: { agent: dev, options: { good: done, poor: { to: ${to}, spend: rework, forget: true, then: abandoned } } }
    `
    const codes = (text: string) => compile(text).diagnostics.map(({ code }) => code)
    expect(codes(flow('ask'))).toEqual(['wrong-kind'])
    expect(codes(flow('a'))).toEqual([])
  })

  it('[R13] keeps everything where the route does not say so', () => {
    const run = given(FORGETFUL.replace('forget: true, ', '')).started().answer('plan', { idea: 'a tunnel' })
    run.answer('review', { decision: 'reject' })
    expect(lookupIn(run.state, () => undefined)({ kind: 'step', step: 'plan', field: 'idea' })).toBe(
      'a tunnel',
    )
  })

  it('[R13] [C5] makes a look-up of what it forgets unassigned', () => {
    const flow = (forget: string) => `
      budgets: { rework: 1 }
      agents: { dev: {} }
      steps:
        scout: { agent: dev, fields: { map: { type: text, required: true } }, next: build, on: { else: abandoned } }
        build: { agent: dev, prompt: "Follow \${steps.scout.map}", options: { good: done, lost: { to: build, spend: rework, ${forget}then: abandoned } } }
    `
    const codes = (text: string) => compile(text).diagnostics.map(({ code }) => code)
    expect(codes(flow(''))).toEqual([])
    expect(codes(flow('forget: true, '))).toEqual(['unassigned'])
  })
})

describe('an adviser', () => {
  it('[P6] can be looked up: what it chose and its words, under its name', () => {
    const flow = `
      agents: { anna: {}, ben: {}, cleo: {}, dev: {} }
      steps:
        review:
          panel: [anna, { agent: ben, advisory: true }, { agent: cleo, advisory: true }]
          options: { approve: mend, reject: abandoned }
          fields: { why: text }
        mend: { agent: dev, prompt: "Advice: \${steps.review.advice}", next: done }
    `
    const run = given(flow).started().answer('review@anna', { decision: 'approve' })
    run.answer('review@ben', { decision: 'reject', why: 'Too long', notes: 'Half would do.' })
    run.fault('review@cleo', 'failed')
    const advice = lookupIn(run.state, () => undefined)({ kind: 'step', step: 'review', field: 'advice' })
    expect(advice).toBe('ben: reject\nwhy: Too long\nHalf would do.')
  })

  it('[P6] that sits on the panel twice is heard twice', () => {
    const run = given(`
      agents: { anna: {}, ben: {} }
      steps:
        review:
          panel: [anna, { agent: ben, advisory: true, prompt: One }, { agent: ben, advisory: true, prompt: Two }]
          options: { approve: done, reject: abandoned }
    `).started()
    const about = { step: 'review', visit: 1, attempt: 1, at: 0 }
    const say = (member: number, notes: string) =>
      run.send({
        type: 'attempt.answer',
        ...about,
        member,
        given: { kind: 'value', value: { decision: 'reject', notes } },
      })
    say(1, 'First.')
    say(2, 'Second.')
    run.answer('review@anna', { decision: 'approve' })
    expect(Object.entries(run.event('visit.left').advice!).map(([name, { notes }]) => [name, notes])).toEqual(
      [
        ['ben', 'First.'],
        ['ben (2)', 'Second.'],
      ],
    )
  })

  it('[P6] who said nothing leaves the word none', () => {
    const run = given(`
      agents: { anna: {}, ben: {}, dev: {} }
      steps:
        review: { panel: [anna, { agent: ben, advisory: true }], options: { approve: mend, reject: abandoned } }
        mend: { agent: dev, prompt: "Advice: \${steps.review.advice}", next: done }
    `).started()
    run.fault('review@ben', 'failed').answer('review@anna', { decision: 'approve' })
    expect(lookupIn(run.state, () => undefined)({ kind: 'step', step: 'review', field: 'advice' })).toBe(
      'none',
    )
  })

  it('[P6] [L4] gives no advice where there is none', () => {
    const { diagnostics } = compile(`
      agents: { anna: {}, dev: {} }
      steps:
        review: { agent: anna, options: { approve: mend, reject: abandoned } }
        mend: { agent: dev, prompt: "Advice: \${steps.review.advice}", next: done }
    `)
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-name'])
  })
})
