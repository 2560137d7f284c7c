import { describe, expect, it } from 'vitest'
import type { Finding } from '../model/answer.ts'
import { given } from './given.fixture.ts'
import { isSettled, settleRound } from './settle.ts'

const LOOP = `
  ends: { accepted: { success: true } }
  steps:
    develop: { agent: dev, next: review }
    review:
      panel: [anna]
      nudges: 3
      asks: verdict
      options: { approve: done, reject: { to: develop, max: 9, then: accepted } }
      fields: { found: { type: findings } }
      settle_on: found
`
const started = (flow = LOOP) => given(flow).started().answer('develop', {})
const reject = (...found: object[]) => ({ verdict: 'reject', found })
const leak = { title: 'Leaks a handle', file: 'a.ts' }
const slow = { title: 'Is slow', file: 'a.ts' }

const finding = (over: Partial<Finding>): Finding => ({
  id: '',
  title: 'Leaks',
  severity: 'major',
  status: 'open',
  file: 'a.ts',
  detail: '',
  ...over,
})

describe('a finding', () => {
  it('[S1] gets an id of ours when it is first told', () => {
    const run = started().answer('review', reject(leak, { ...slow, severity: 'minor' }))
    expect(run.event('visit.left').findings).toMatchObject([
      { id: 'F1', title: 'Leaks a handle', severity: 'major', status: 'open', file: 'a.ts' },
      { id: 'F2', title: 'Is slow', severity: 'minor' },
    ])
    expect(run.state.findings['review']).toHaveLength(2)
  })

  it('[S1] is the same as an earlier one with its id', () => {
    const known = [finding({ id: 'F1' })]
    expect(settleRound(known, [finding({ id: 'F1', title: 'Other words', file: 'b.ts' })])).toMatchObject({
      findings: known,
      news: false,
    })
  })

  it('[S1] is the same when it says the same words about the same file', () => {
    const known = [finding({ id: 'F1', title: 'Leaks a handle' })]
    expect(settleRound(known, [finding({ title: ' leaks, a HANDLE!' })]).news).toBe(false)
    expect(settleRound(known, [finding({ title: 'Leaks a handle', file: 'b.ts' })]).findings).toHaveLength(2)
    expect(settleRound(known, [finding({ title: 'Leaks two handles' })]).findings).toHaveLength(2)
  })

  it('[S1] is told apart by its words in every script', () => {
    const { findings } = settleRound(
      [],
      [finding({ title: 'Утечка' }), finding({ title: '資源漏れ' }), finding({ title: 'утечка' })],
    )
    expect(findings.map(({ title }) => title)).toEqual(['Утечка', '資源漏れ'])
  })

  it('[S1] that is named by its id alone is that one, whatever the others are called', () => {
    const known = [finding({ id: 'F1', title: '???', file: '' }), finding({ id: 'F2' })]
    const { findings } = settleRound(known, [finding({ id: 'F2', title: '', file: '', status: 'fixed' })])
    expect(findings.map(({ status }) => status)).toEqual(['open', 'fixed'])
  })

  it('[S1] with an id that nobody gave is a new one, if it has words', () => {
    const run = started().answer('review', reject({ id: 'BUG-7', ...leak }))
    expect(run.state.findings['review']).toMatchObject([{ id: 'F1', title: 'Leaks a handle' }])
  })

  it('[S1] of two members who number their own findings alike are two', () => {
    const run = started(LOOP.replace('[anna]', '[anna, ben]'))
    run
      .answer('review@anna', reject({ id: 'F1', ...leak }))
      .answer('review@ben', reject({ id: 'F1', ...slow }))
    expect(run.event('visit.left').findings?.map(({ title }) => title)).toEqual(['Leaks a handle', 'Is slow'])
  })
})

describe('an answer that would go round the loop', () => {
  it.each([[{ verdict: 'reject' }], [reject()], [reject({ ...leak, status: 'fixed' })]])(
    '[S2] names an open finding: %j does not',
    (answer) => {
      const run = started().answer('review', answer)
      expect(run.event('answer.refused').message).toContain(
        '`found` must name at least one open finding when the answer is reject',
      )
    },
  )

  it('[S2] says of each earlier open finding whether it is fixed', () => {
    const run = started()
      .answer('review', reject(leak, slow))
      .answer('develop', {})
      .answer('review', reject({ title: 'New' }))
    const { message } = run.event('answer.refused')
    expect(message).toContain('Not mentioned: F1 (Leaks a handle), F2 (Is slow).')
    expect(message).toContain('{"id": "F1", "status": "fixed"}')
    run.answer('review', reject({ id: 'F1', status: 'fixed' }, slow))
    expect(run.state.findings['review']).toMatchObject([{ status: 'fixed' }, { status: 'open' }])
  })

  it('[S2] need not speak of what was fixed before', () => {
    const run = started().answer('review', reject(leak, slow)).answer('develop', {})
    run.answer('review', reject({ id: 'F1', status: 'fixed' }, { id: 'F2' })).answer('develop', {})
    expect(run.answer('review', reject({ id: 'F2', status: 'fixed' }, { title: 'New' })).place).toBe(
      'develop#4',
    )
  })

  it('[S2] gives a title to what it does not know by id', () => {
    const run = started().answer('review', reject({ id: 'F9' }))
    expect(run.event('answer.refused').message).toContain(
      '`found` names "F9", which is no earlier finding, and gives it no title.',
    )
  })

  it('[S2] is not asked of an answer that leaves the loop', () => {
    const run = started()
      .answer('review', reject(leak))
      .answer('develop', {})
      .answer('review', { verdict: 'approve' })
    expect(run.place).toBe('ended: done')
  })

  it.each([[{ verdict: 'reject' }], [{ verdict: 'rejct' }], [{}]])(
    '[S2] is told an example that would be accepted: %j',
    (wrong) => {
      const loopFirst = LOOP.replace(
        /options: .*/,
        'options: { reject: { to: develop, max: 9, then: accepted }, approve: done }',
      )
      for (const flow of [LOOP, loopFirst]) {
        const run = started(flow).answer('review', reject(leak)).answer('develop', {}).answer('review', wrong)
        const [, example] = /```json\n(.*)\n```/.exec(run.event('answer.refused').message)!
        expect(run.answer('review', JSON.parse(example!)).happened).toContain('visit.left')
      }
    },
  )
})

describe('a round', () => {
  const known = [finding({ id: 'F1', title: 'A' }), finding({ id: 'F2', title: 'B', status: 'fixed' })]
  const round = (...reported: Partial<Finding>[]) => settleRound(known, reported.map(finding))

  it('[S3] has news with a new finding, one found fixed, or a fixed one open again', () => {
    expect(round({ title: 'C' }, { id: 'F1' }).news).toBe(true)
    expect(round({ id: 'F1', status: 'fixed' }).news).toBe(true)
    expect(round({ id: 'F1' }, { id: 'F2', status: 'open' }).news).toBe(true)
    expect(round({ id: 'F1' }, { id: 'F2', status: 'fixed' }).news).toBe(false)
    expect(round({ id: 'F1', severity: 'minor', detail: 'Still' }).news).toBe(false)
  })

  it('[S3] has news only if something is otherwise than before, whoever says what', () => {
    const disputed = [finding({ id: 'F1', title: 'A', status: 'fixed' }), finding({ id: 'F1', title: 'A' })]
    expect(settleRound(known, disputed).findings[0]).toMatchObject({ id: 'F1', status: 'open' })
    expect(settleRound(known, disputed).news).toBe(false)
    expect(settleRound(known, disputed.toReversed())).toEqual(settleRound(known, disputed))
  })

  it('[S3] settles without news, or with nothing material open', () => {
    expect(isSettled(round({ id: 'F1' }))).toBe(true)
    expect(isSettled(round({ id: 'F1', status: 'fixed' }, { title: 'Nit', severity: 'minor' }))).toBe(true)
    expect(isSettled(round({ id: 'F1' }, { title: 'C' }))).toBe(false)
  })

  it('[S3][R4] without news passes over the first arm of the loop', () => {
    const run = started()
      .answer('review', reject(leak))
      .answer('develop', {})
      .answer('review', reject({ id: 'F1' }))
    expect(run.event('visit.left')).toMatchObject({
      settled: true,
      arm: 1,
      to: 'accepted',
      paid: { counted: null },
    })
    expect(run.place).toBe('ended: accepted')
  })

  it('[S3][R4] with nothing but minor findings is the last, even the first', () => {
    expect(started().answer('review', reject({ ...leak, severity: 'minor' })).place).toBe('ended: accepted')
  })

  it('[R4] passes over the first arm only: a second bounded one is taken', () => {
    const flow = LOOP.replace('then: accepted }', 'then: { to: develop, max: 1, then: accepted } }')
    const run = started(flow)
      .answer('review', reject(leak))
      .answer('develop', {})
      .answer('review', reject(leak))
    expect(run.event('visit.left')).toMatchObject({
      settled: true,
      arm: 1,
      to: 'develop',
      paid: { counted: 'review.reject.1' },
    })
  })

  it('[S3] of a panel is that of all who block', () => {
    const run = started(LOOP.replace('[anna]', '[anna, ben]'))
    run.answer('review@anna', reject(leak)).answer('review@ben', { verdict: 'approve' }).answer('develop', {})
    run
      .answer('review@anna', reject({ id: 'F1' }))
      .answer('review@ben', { verdict: 'approve', found: [slow] })
    expect(run.event('visit.left')).toMatchObject({ settled: false, to: 'develop' })
  })

  it('[S4] that a person chose is never settled, and takes the loop', () => {
    const run = started().answer('review', reject(leak)).answer('develop', {}).fault('review', 'failed')
    run.person(reject({ id: 'F1' }))
    expect(run.event('visit.left')).toMatchObject({ settled: false, arm: 0, to: 'develop' })
  })
})

describe('a route that spends a budget', () => {
  const REPLAN = LOOP.replace('ends:', 'budgets: { rework: 1 }\n  ends:').replace(
    'reject: { to: develop',
    'replan: { to: develop, spend: rework, then: abandoned }, reject: { to: develop',
  )

  it('[S5] is no round of the loop: it never settles, and asks for no findings', () => {
    const run = started(REPLAN).answer('review', { verdict: 'replan' })
    expect(run.event('visit.left')).toMatchObject({ settled: false, arm: 0, to: 'develop' })
    expect(run.state.budgets['rework']).toBe(0)
  })

  it('[S5] is taken with what agents had found before still known', () => {
    const run = started(REPLAN).answer('review', reject(leak)).answer('develop', {})
    run.answer('review', { verdict: 'replan', found: [{ id: 'F1', status: 'open' }] })
    expect(run.event('visit.left')).toMatchObject({ settled: false, to: 'develop' })
    expect(run.state.findings['review']).toHaveLength(1)
  })
})
