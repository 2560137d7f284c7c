import { describe, expect, it } from 'vitest'
import type { Update } from '../../drivers/index.ts'
import { answeredAfter, type Following, followed, hear } from './ledger.ts'

const tool = (title: string, status: 'pending' | 'in_progress' | 'completed'): Update => ({
  kind: 'tool',
  id: '1',
  title,
  status,
  input: {},
})
const text: Update = { kind: 'text', text: 'Good.' }

/** The stages that a turn's updates lead to. */
function stages(...updates: Update[]): string[] {
  const told: string[] = []
  let following: Following | null = followed({ question: 'q', status: 'delivered' })
  for (const update of updates) {
    if (following === null) break
    const step = hear(following, update, 2)
    told.push(...step.facts.map(({ type }) => type))
    following = step.following
  }
  return told
}

describe('the delivery of an answer', () => {
  it('[Q6] is acknowledged by a sign of life and acted on by a deed, each told once', () => {
    expect(stages()).toEqual([])
    expect(stages(text, text)).toEqual(['decision.acknowledged'])
    expect(stages(text, tool('write a', 'completed'), tool('write b', 'completed'))).toEqual([
      'decision.acknowledged',
      'decision.acted',
    ])
    expect(stages(tool('write a', 'in_progress'))).toEqual(['decision.acknowledged', 'decision.acted'])
  })

  it('[Q6] goes on from where the record stands, so that nothing is told again after a crash', () => {
    expect(followed({ question: 'q', status: 'acknowledged' })).toEqual({
      question: 'q',
      stage: 'acknowledged',
    })
    for (const status of ['acted', 'answered', 'withdrawn'] as const)
      expect(followed({ question: 'q', status })).toBeNull()
    expect(followed(undefined)).toBeNull()
  })

  it('[Q6] is not acted on by an announced call, nor by waiting for it', () => {
    for (const update of [tool('rm -rf', 'pending'), tool('mcp__signalbox__wait_decision', 'completed')])
      expect(stages(update)).toEqual(['decision.acknowledged'])
  })

  it('[Q6] is acted on by the answer of the step, too', () => {
    expect(answeredAfter({ question: 'q', stage: 'delivered' }, 3).map(({ type }) => type)).toEqual([
      'decision.acknowledged',
      'decision.acted',
    ])
    expect(answeredAfter({ question: 'q', stage: 'acknowledged' }, 3)).toHaveLength(1)
  })
})
