import { describe, expect, it } from 'vitest'
import { BOB, given } from './given.fixture.ts'
import { decisionRecords } from './views/decision-record.ts'

const FLOW =
  'steps: { build: { agent: dev, questions: 3, options: { ready: sign, broken: abandoned } }, sign: { decide: Ship?, options: { ship: done, drop: abandoned } } }'

describe('the record of decisions', () => {
  it('[Q6] tells each stage with its time, and who answered with what', () => {
    const run = given(FLOW)
      .started()
      .ask('build')
      .later('5m')
      .person({ pick: 'redis' }, { by: BOB, note: 'Go' })
    const question = 'build#1.0?1'
    run.record(
      { type: 'decision.delivered', at: 1, question, session: 's', via: 'prompt' },
      { type: 'decision.acknowledged', at: 2, question },
      { type: 'decision.acted', at: 3, question, did: 'write a' },
    )
    expect(decisionRecords(run.journal)).toMatchObject([
      {
        id: question,
        cause: 'agent',
        status: 'acted',
        by: BOB,
        pick: 'redis',
        note: 'Go',
        did: 'write a',
        stages: [
          { status: 'open' },
          { status: 'answered' },
          { status: 'delivered', at: 1 },
          { status: 'acknowledged', at: 2 },
          { status: 'acted', at: 3 },
        ],
      },
    ])
  })

  it('[Q6] knows what is open, expired and withdrawn, and the flow’s own questions', () => {
    const run = given(FLOW).started().ask('build').answer('build', { decision: 'ready' })
    expect(decisionRecords(run.journal).map(({ id, status }) => [id, status])).toEqual([
      ['build#1.0?1', 'withdrawn'],
      ['sign#1?1', 'open'],
    ])
    expect(decisionRecords(run.person({ decision: 'ship' }).journal)[1]).toMatchObject({
      status: 'answered',
      decision: null,
    })
  })
})
