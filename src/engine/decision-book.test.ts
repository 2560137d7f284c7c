import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { BOB, given, type Scene } from './given.fixture.ts'
import { recordsOf } from './records.fixture.ts'

const FLOW = `
steps:
  build: { agent: dev, questions: 3, options: { ready: sign, broken: abandoned } }
  sign:
    decide: Ship?
    context: git diff
    options: { ship: { to: done, recommended: true, say: Out it goes }, drop: abandoned }
`
const QUESTION = 'build#1.0?1'

describe('the record of a decision', () => {
  it.each([
    ['retry', 'answered'],
    ['stop', 'withdrawn'],
  ] as const)('[Q16] that reached nobody is seen to when a person says %s', (said, status) => {
    const run = given(FLOW).started().ask('build').person({ pick: 'redis' }, { by: BOB })
    const stuck = {
      type: 'decision.undelivered',
      at: 5,
      question: QUESTION,
      attempt: 4,
      nextAt: null,
    } as const
    run.record({ ...stuck, detail: 'no program' })
    run.fault('build', 'failed')
    expect(recordsOf(run)[QUESTION]).toMatchObject({ status: 'undeliverable' })
    run.person(`@${said}`)
    expect(recordsOf(run)[QUESTION]).toMatchObject({ status, by: BOB, pick: 'redis' })
  })

  it('[Q6] tells each stage with its time, and who answered with what', () => {
    const run = given(FLOW)
      .started()
      .ask('build')
      .later('5m')
      .person({ pick: 'redis' }, { by: BOB, note: 'Go' })
    run.deliver(QUESTION)
    run.record(
      { type: 'decision.acknowledged', at: 2, question: QUESTION },
      { type: 'decision.acted', at: 3, question: QUESTION, did: 'write a' },
    )
    expect(recordsOf(run)[QUESTION]).toMatchObject({
      run: 'r1',
      cause: 'agent',
      status: 'acted',
      by: BOB,
      pick: 'redis',
      note: 'Go',
      did: 'write a',
      shown: { headline: EXAMPLE_DECISION.headline, recommended: 'sqlite' },
      stages: [
        { status: 'open', at: 0 },
        { status: 'answered', at: 300_000 },
        { status: 'delivered' },
        { status: 'acknowledged', at: 2 },
        { status: 'acted', at: 3 },
      ],
    })
  })

  it('[Q6] knows what is open and withdrawn, and shows the flow’s own questions with where they lead', () => {
    const run = given(FLOW).started().ask('build').answer('build', { decision: 'ready' })
    run.context('sign', { diff: '+ a line' })
    const records = recordsOf(run)
    expect(records[QUESTION]?.status).toBe('withdrawn')
    expect(records['sign#1?1']).toMatchObject({
      status: 'open',
      shown: {
        headline: 'Ship?',
        context: { diff: '+ a line' },
        recommended: 'ship',
        options: [
          { key: 'ship', body: 'Out it goes', leadsTo: 'done' },
          { key: 'drop', leadsTo: 'abandoned' },
        ],
      },
    })
  })

  it('[Q11] is open again after its answer was taken back, and remembers that there was one', () => {
    const run = given(FLOW).started().ask('build').person({ pick: 'redis' }).undo(QUESTION)
    const { status, pick, by, stages } = recordsOf(run)[QUESTION]!
    expect([status, pick, by]).toEqual(['open', '', null])
    expect(stages.map((stage) => stage.status)).toEqual(['open', 'answered', 'open'])
  })

  it('[Q12] names what stands in its place', () => {
    const run = given(FLOW).started().ask('build')
    run.ask('build', { ...EXAMPLE_DECISION, headline: 'Which cache?', supersedes: QUESTION })
    const records = recordsOf(run)
    expect(records[QUESTION]).toMatchObject({
      status: 'superseded',
      supersededBy: records['build#1.0?2']!.id,
    })
    expect(records['build#1.0?2']).toMatchObject({
      status: 'open',
      supersedes: records[QUESTION]!.id,
      shown: { headline: 'Which cache?' },
    })
  })

  it('[Q13] has a new digest when what is shown was looked at again', () => {
    const run = given(FLOW).started().answer('build', { decision: 'ready' }).context('sign', { diff: 'a' })
    const first = recordsOf(run)['sign#1?1']!
    run.context('sign', { diff: 'a' })
    expect(recordsOf(run)['sign#1?1']!.digest).toBe(first.digest)
    run.context('sign', { diff: 'b' })
    const second = recordsOf(run)['sign#1?1']!
    expect(second.digest).not.toBe(first.digest)
    expect(second.shown.context).toEqual({ diff: 'b' })
    expect([first.earlier, second.earlier?.context]).toEqual([null, { diff: 'a' }])
    expect(run.open).toEqual(['sign#1?1'])
  })

  it('[Q17] is alike where the same is asked in the same words', () => {
    const one = given(FLOW).started().ask('build')
    const other = given(FLOW).started().later('1h').ask('build')
    const third = given(FLOW)
      .started()
      .ask('build', { ...EXAMPLE_DECISION, question: 'Where else?' })
    const alike = (run: Scene) => recordsOf(run)[QUESTION]!.alike
    expect(alike(one)).toBe(alike(other))
    expect(alike(one)).not.toBe(alike(third))
  })

  it('[Q15] keeps what was proposed beside what was approved', () => {
    const run = given(FLOW)
      .started()
      .ask('build')
      .person({ pick: 'redis' }, { edited: 'Add Valkey instead.' })
    const record = recordsOf(run)[QUESTION]!
    expect(record.edited).toBe('Add Valkey instead.')
    expect(record.shown.options[1]!.body).toBe('Add Redis and keep sessions there.')
    expect(run.member().message).toContain('It means, as they changed it: Add Valkey instead.')
    expect(run.member().message).toContain('And no longer: Add Redis')
  })
})

describe('a decision that takes the place of another', () => {
  it('[Q12] is valid before the old one goes', () => {
    const run = given(FLOW).started().ask('build')
    expect(run.refuses.ask('build', { headline: 'Bad', supersedes: QUESTION })).toMatchObject({
      code: 'invalid-decision',
    })
    expect(run.open).toEqual([QUESTION])
    run.ask('build', { ...EXAMPLE_DECISION, supersedes: QUESTION })
    expect(run.happened).toEqual(['question.closed', 'question.opened', 'decision.superseded'])
    expect(run.refuses.person({ pick: 'redis' }, { question: QUESTION })).toMatchObject({
      code: 'unknown-question',
    })
  })

  it('[Q12] counts as one of the agent’s questions', () => {
    const run = given(FLOW).started().ask('build')
    run.ask('build', { ...EXAMPLE_DECISION, supersedes: QUESTION })
    run.ask('build', { ...EXAMPLE_DECISION, supersedes: 'build#1.0?2' })
    expect(run.refuses.ask('build', { ...EXAMPLE_DECISION, supersedes: 'build#1.0?3' })).toMatchObject({
      code: 'too-many-questions',
    })
  })
})

describe('a policy', () => {
  const policy = { kind: 'policy', name: 'stores' } as const
  const dangerous = {
    ...EXAMPLE_DECISION,
    options: [
      { key: 'keep', label: 'Keep the table' },
      { key: 'drop', label: 'Drop the table', reversible: true },
      { key: 'push', label: 'Go on', body: 'git push --force to main', reversible: true },
    ],
    recommended: 'keep',
  }

  it('[Q14] answers in its own name, and the agent is told so', () => {
    const run = given(FLOW).started().ask('build').person({ pick: 'redis' }, { by: policy })
    expect(run.event('question.answered').by).toEqual(policy)
    expect(run.member().message).toContain('A policy that a person ratified (stores)')
  })

  it('[Q14] never picks what cannot be undone, whatever the agent says about it', () => {
    const run = given(FLOW).started().ask('build', dangerous)
    for (const pick of ['drop', 'push'])
      expect(run.refuses.person({ pick }, { by: policy })).toMatchObject({ code: 'people-only' })
    expect(run.refuses.person(null, { by: policy, note: 'do as you like' })).toMatchObject({
      code: 'people-only',
    })
    run.person({ pick: 'keep' }, { by: policy })
  })

  it('[Q14] never takes what is a person’s alone in a flow, nor ends a run', () => {
    const flow = `
steps:
  sign:
    decide: Ship?
    options: { ship: { to: done, reversible: false }, hold: { to: done, confirm: true }, note: { to: done, say: Deploy it }, wait: done }
`
    const run = given(flow).started()
    for (const decision of ['ship', 'hold', 'note'])
      expect(run.refuses.person({ decision }, { by: policy })).toMatchObject({ code: 'people-only' })
    run.person({ decision: 'wait' }, { by: policy })
    const failed = given(FLOW).started().fault('build', 'failed')
    expect(failed.refuses.person('@stop', { by: policy })).toMatchObject({ code: 'people-only' })
    failed.person('@retry', { by: policy })
  })
})
