import { describe, expect, it } from 'vitest'
import { stepOf } from '../model/program.ts'
import { given } from './given.fixture.ts'
import { answerSchema } from './views/answer-schema.ts'

const REVIEW = `handoffs: { plan: { version: 2, fields: { goal: { type: text, required: true }, risks: { type: list } } } }
steps:
  review:
    agent: check
    asks: verdict
    gives: plan
    options: { approve: { say: Correct, to: done }, reject: { say: Not yet, to: abandoned } }
    fields:
      feedback: { type: text, required_for: [reject], say: What must change }
      score: { type: number }
      size: { type: choice, choices: [small, large] }
      findings: { type: findings }`

describe('the schema of an answer', () => {
  const { program } = given(REVIEW)
  const schema = answerSchema(stepOf(program, 'review').contract)

  it('[A1] offers the options with what they mean, and needs the choice', () => {
    expect(schema.properties['verdict']).toEqual({
      type: 'string',
      enum: ['approve', 'reject'],
      description: 'approve: Correct\nreject: Not yet',
    })
    expect(schema.required).toEqual(['verdict'])
  })

  it('[A1] has each field by its type, and says what needs it', () => {
    expect(schema.properties).toMatchObject({
      feedback: { type: 'string', description: 'What must change Needed with reject.' },
      score: { type: 'number' },
      size: { type: 'string', enum: ['small', 'large'] },
      findings: { type: 'array', items: { required: ['title', 'severity', 'status'] } },
      notes: { type: 'string' },
    })
  })

  it('[H1] holds the handoff by its own schema', () => {
    expect(schema.properties['handoff']).toMatchObject({
      type: 'object',
      properties: { goal: { type: 'string' }, risks: { type: 'array' } },
      required: ['goal'],
    })
  })
})
