import { describe, expect, it } from 'vitest'
import type { Update } from '../drivers/index.ts'
import { answeredAfter, deliver, type Following, hear } from './ledger.ts'

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
  const given = deliver('q', { at: 1, session: 's', via: 'prompt' })
  const told = given.facts.map(({ type }) => type as string)
  let following: Following | null = given.following
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
    expect(stages()).toEqual(['decision.delivered'])
    expect(stages(text, text)).toEqual(['decision.delivered', 'decision.acknowledged'])
    expect(stages(text, tool('write a', 'completed'), tool('write b', 'completed'))).toEqual([
      'decision.delivered',
      'decision.acknowledged',
      'decision.acted',
    ])
    expect(stages(tool('write a', 'in_progress'))).toEqual([
      'decision.delivered',
      'decision.acknowledged',
      'decision.acted',
    ])
  })

  it('[Q6] is not acted on by an announced call, nor by waiting for it', () => {
    for (const update of [tool('rm -rf', 'pending'), tool('mcp__signalbox__wait_decision', 'completed')])
      expect(stages(update)).toEqual(['decision.delivered', 'decision.acknowledged'])
  })

  it('[Q6] is acted on by the answer of the step, too', () => {
    expect(answeredAfter({ question: 'q', stage: 'delivered' }, 3).map(({ type }) => type)).toEqual([
      'decision.acknowledged',
      'decision.acted',
    ])
    expect(answeredAfter({ question: 'q', stage: 'acknowledged' }, 3)).toHaveLength(1)
  })
})
