import { describe, expect, it } from 'vitest'
import { COPILOT } from '../ready-agents/copilot.ts'
import { type EndedTurn, verdictOnTurn, type WhatWasAsked } from './turn-verdict.ts'

const ended = (more: Partial<EndedTurn>): EndedTurn => ({
  kind: 'ended',
  reason: 'end_turn',
  text: '',
  toolCalls: 0,
  ...more,
})
const WORK: WhatWasAsked = { endIsAnswer: true, failures: [] }
const ANSWER: WhatWasAsked = { endIsAnswer: false, failures: [] }

describe('a turn that ended without an answer', () => {
  it.each<[string, Partial<EndedTurn>, WhatWasAsked, string]>([
    ['a word where only work is asked', { text: 'Done.' }, WORK, 'ended'],
    ['no word after work, where its end is the answer', { toolCalls: 2 }, WORK, 'silent'],
    ['no word after work, where an answer is asked', { toolCalls: 2 }, ANSWER, 'ended'],
    ['nothing at all', {}, WORK, 'failed'],
    ['nothing at all, where an answer is asked', {}, ANSWER, 'failed'],
    ['an error', { text: 'API Error: 500' }, ANSWER, 'failed'],
    ['an error after work', { text: 'API Error: 500', toolCalls: 1 }, WORK, 'failed'],
    ['talk of an error after work', { text: 'I mended it.\nError: was there', toolCalls: 1 }, WORK, 'ended'],
    ['a refusal', { text: 'No.', reason: 'refusal' }, WORK, 'failed'],
    ['a limit of length', { text: 'And', reason: 'max_tokens' }, WORK, 'failed'],
  ])('[D5] that left %s', (_, turn, asked, kind) => {
    expect(verdictOnTurn(ended(turn), asked).kind).toBe(kind)
  })

  const retries = 'Info: Request failed due to a transient API error. Retrying...'.repeat(5)
  const text = `${retries}Error: Failed to get response from the AI model; retried 5 times`
  const asked = (endIsAnswer: boolean) => ({ endIsAnswer, failures: COPILOT.failures ?? [] })

  it.each([
    [0, true],
    [3, true],
    [3, false],
  ])(
    '[D5] [agents 8] is a fault by the words its agent is known for: %i calls, only work asked: %s',
    (toolCalls, isWork) => {
      const verdict = verdictOnTurn(ended({ text: `I look at it.${text}`, toolCalls }), asked(isWork))
      expect(verdict).toMatchObject({
        kind: 'failed',
        detail: expect.stringContaining('Failed to get response'),
      })
    },
  )

  it('[D5] is no fault where such words stand far from the end', () => {
    const long = `${text}${' It went on, and all is well.'.repeat(100)}`
    expect(verdictOnTurn(ended({ text: long, toolCalls: 1 }), asked(true)).kind).toBe('ended')
  })
})
