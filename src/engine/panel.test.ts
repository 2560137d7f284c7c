import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scene } from './given.fixture.ts'
import { given } from './given.fixture.ts'

const PANEL = `
  ends: { good: G, fair: F, bad: B, broken: X }
  on: { failed: broken, stalled: broken, invalid: broken }
  steps:
    review:
      panel: [anna, ben, { agent: carl, advisory: true }]
      nudges: 0
      asks: verdict
      options: { approve: good, mend: fair, reject: bad }
      fields: { feedback: text, files: list, score: number, found: findings }
`
const approve = { verdict: 'approve' }
const mend = { verdict: 'mend' }
const reject = { verdict: 'reject' }
const started = () => given(PANEL).started()

describe('a panel', () => {
  it('[P1] puts the same question to all members at once', () => {
    const run = started()
    expect(run.event('visit.entered')).toMatchObject({ kind: 'panel', members: 3 })
    expect(run.duties).toMatchObject([
      { kind: 'prompt-agent', agent: 'anna', member: 0 },
      { kind: 'prompt-agent', agent: 'ben', member: 1 },
      { kind: 'prompt-agent', agent: 'carl', member: 2 },
    ])
    expect(run.state.totals.dispatches).toBe(3)
  })

  it('[P1] ends when all have finished, the adviser too, in whatever order', () => {
    const run = started().answer('review@carl', approve).answer('review@ben', reject)
    expect(run.happened).toEqual(['answer.given'])
    expect(run.duties).toMatchObject([{ agent: 'anna' }])
    expect(run.answer('review@anna', approve).place).toBe('ended: bad')

    const late = started().answer('review@ben', approve).answer('review@anna', approve)
    expect(late.place).toBe('review#1')
    expect(late.answer('review@carl', approve).place).toBe('ended: good')
  })

  it('[P1] waits for a member who asks or is parked', () => {
    const run = started().ask('review@ben').park('review@carl', '1h').answer('review@anna', approve)
    expect(run.place).toBe('review#1')
    run.person({ pick: 'sqlite' }).answer('review@ben', approve).pass('1h')
    expect(run.answer('review@carl', approve).place).toBe('ended: good')
  })

  it('[P2] takes the last-listed answer that any blocking member gave', () => {
    const ended = (anna: object, ben: object) =>
      started().answer('review@anna', anna).answer('review@ben', ben).answer('review@carl', approve).state.end
    expect(ended(approve, approve)).toBe('good')
    expect(ended(approve, mend)).toBe('fair')
    expect(ended(mend, approve)).toBe('fair')
    expect(ended(reject, mend)).toBe('bad')
  })

  it('[P2] says who won', () => {
    const run = started()
      .answer('review@anna', reject)
      .answer('review@ben', reject)
      .answer('review@carl', reject)
    expect(run.event('visit.left').by).toEqual({ kind: 'agent', name: 'anna, ben' })
  })

  it('[P3] a fault of a blocking member wins over every answer but the last-listed', () => {
    for (const [answer, end] of [
      [approve, 'broken'],
      [mend, 'broken'],
      [reject, 'bad'],
    ] as const) {
      const run = started().fault('review@anna', 'failed', 'crashed').answer('review@ben', answer)
      expect(run.answer('review@carl', approve).state.end).toBe(end)
    }
  })

  it('[P3] carries the detail of the fault, and of two faults the first of the alphabet', () => {
    const run = started().fault('review@anna', 'stalled', 'silent').fault('review@ben', 'failed', 'crashed')
    run.answer('review@carl', approve)
    expect(run.event('visit.left')).toMatchObject({ outcome: 'failed', detail: 'crashed' })
  })

  it('[P3] a fault wins also where there is but one answer to give', () => {
    for (const asked of ['next: done', 'options: { ok: done }']) {
      const run = given(
        `steps: { tidy: { panel: [anna, ben], ${asked}, on: { failed: abandoned } } }`,
      ).started()
      run.answer('tidy@anna', { decision: 'ok' }).fault('tidy@ben', 'failed')
      expect(run.place).toBe('ended: abandoned')
    }
  })

  it('[P4] an adviser is recorded and never decides, by answer or by fault', () => {
    const worse = started().answer('review@carl', { ...reject, feedback: 'No!' })
    expect(worse.event('answer.given')).toMatchObject({
      member: 2,
      answer: { outcome: 'reject', fields: { feedback: 'No!' } },
    })
    expect(worse.answer('review@anna', approve).answer('review@ben', approve).place).toBe('ended: good')

    const broken = started()
      .fault('review@carl', 'failed')
      .answer('review@anna', approve)
      .answer('review@ben', mend)
    expect(broken.journal).toContainEqual(expect.objectContaining({ type: 'member.faulted', member: 2 }))
    expect(broken.place).toBe('ended: fair')

    const wrong = started()
      .answer('review@carl', { verdict: 'hm' })
      .answer('review@anna', approve)
      .answer('review@ben', approve)
    expect(wrong.place).toBe('ended: good')
  })

  it('[P4] of advisers only ends with the best answer, whatever they say', () => {
    const flow = `
      steps:
        review:
          panel: [{ agent: carl, advisory: true }, { agent: dora, advisory: true }]
          options: { fine: done, poor: abandoned }
    `
    const run = given(flow)
      .started()
      .answer('review@carl', { decision: 'poor' })
      .fault('review@dora', 'failed')
    expect(run.event('visit.left')).toMatchObject({
      outcome: 'fine',
      answer: { choices: { decision: 'fine' } },
    })
  })

  it('[A7] is a proposal as soon as one blocking member must escalate', () => {
    const run = given(`
      agents: { anna: { on_signal: escalate }, ben: {} }
      steps: { review: { panel: [anna, ben], asks: verdict, options: { approve: done, reject: abandoned } } }
    `).started()
    run.answer('review@anna', approve).answer('review@ben', reject)
    expect(run.question).toMatchObject({ cause: 'proposal', proposal: { outcome: 'reject' } })
  })

  it('[P4] is no proposal when only an adviser must escalate', () => {
    const run = given(`
      agents: { anna: {}, carl: { on_signal: escalate } }
      steps: { review: { panel: [anna, { agent: carl, advisory: true }], asks: verdict, options: { approve: done, reject: abandoned } } }
    `).started()
    expect(run.answer('review@carl', reject).answer('review@anna', approve).place).toBe('ended: done')
  })

  it('[A7] fails with the member who never may finish, unless another says the worst', () => {
    const flow = `
      agents: { anna: { on_signal: fail }, ben: {} }
      steps: { review: { panel: [anna, ben], asks: verdict, options: { approve: done, reject: done }, on: { failed: abandoned } } }
    `
    expect(given(flow).started().answer('review@anna', approve).answer('review@ben', approve).state.end).toBe(
      'abandoned',
    )
    expect(given(flow).started().answer('review@anna', approve).answer('review@ben', reject).state.end).toBe(
      'done',
    )
  })
})

describe('the outcome of a panel', () => {
  const finding = (title: string) => ({ title, severity: 'minor', file: 'a.ts' })

  it('[P5] carries the texts of the winners, each under its name', () => {
    const run = started()
      .answer('review@anna', { ...reject, feedback: 'Leaks', files: ['a.ts'], score: 2, notes: 'Ask ops' })
      .answer('review@ben', { ...reject, feedback: 'Slow', files: ['b.ts'], score: 3, notes: 'See graph' })
      .answer('review@carl', { ...reject, feedback: 'Ugly' })
    expect(run.event('visit.left').answer).toMatchObject({
      fields: { feedback: 'anna: Leaks\n\nben: Slow', files: ['a.ts', 'b.ts'], score: 2 },
      notes: 'anna: Ask ops\n\nben: See graph',
    })
  })

  it('[P5] carries nothing of those who lost, but their findings', () => {
    const run = started()
      .answer('review@anna', { ...approve, feedback: 'Lovely', notes: 'Ship', found: [finding('Typo')] })
      .answer('review@ben', { ...reject, feedback: 'Slow', found: [finding('N+1')] })
      .answer('review@carl', { ...reject, found: [finding('Ugly')] })
    const { fields, notes } = run.event('visit.left').answer!
    expect(fields['feedback']).toBe('Slow')
    expect(notes).toBe('')
    expect(fields['found']).toMatchObject([{ title: 'Typo' }, { title: 'N+1' }])
  })

  it('[P5] with one who blocks is that one’s answer as it was given', () => {
    const run = given(PANEL.replace('[anna, ben,', '[anna,')).started()
    run
      .answer('review@carl', { ...reject, notes: 'No' })
      .answer('review@anna', { ...mend, notes: 'Rename it' })
    expect(run.event('visit.left')).toMatchObject({ outcome: 'mend', answer: { notes: 'Rename it' } })
  })

  it('[P2][P3] does not depend on the order in which members finish', () => {
    const deed = fc.constantFrom('approve', 'mend', 'reject', 'failed', 'stalled')
    const act = (run: Scene, name: string, what: string) =>
      what === 'failed' || what === 'stalled'
        ? run.fault(`review@${name}`, what)
        : run.answer(`review@${name}`, { verdict: what })
    fc.assert(
      fc.property(
        deed,
        deed,
        deed,
        fc.shuffledSubarray(['anna', 'ben', 'carl'], { minLength: 3 }),
        (anna, ben, carl, order) => {
          const deeds: Record<string, string> = { anna, ben, carl }
          const straight = started()
          for (const name of ['anna', 'ben', 'carl']) act(straight, name, deeds[name]!)
          const shuffled = started()
          for (const name of order) act(shuffled, name, deeds[name]!)
          expect(shuffled.state.records['review']).toEqual(straight.state.records['review'])
        },
      ),
      { numRuns: 60 },
    )
  })
})
