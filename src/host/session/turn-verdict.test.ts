import { describe, expect, it } from 'vitest'
import { COPILOT } from '../ready-agents/copilot.ts'
import { howToEnd } from './end-words.ts'
import { type EndedTurn, type TurnVerdict, verdictOnTurn, type WhatWasAsked } from './turn-verdict.ts'

const ended = (more: Partial<EndedTurn>): EndedTurn => ({
  kind: 'ended',
  reason: 'end_turn',
  text: '',
  toolCalls: 0,
  ...more,
})
const WORK: WhatWasAsked = { endIsAnswer: true, failures: [], unclear: null, hasAskedInVain: false }
const ANSWER: WhatWasAsked = { endIsAnswer: false, failures: [], unclear: null, hasAskedInVain: false }

const PLAN = 'I would keep it in SQLite. Does this plan suit you?'
/** It was asked whether it has finished. */
const AGAIN: WhatWasAsked = { ...WORK, unclear: { attempt: 1, said: PLAN } }

describe('a turn that ended without an answer', () => {
  it.each<[string, Partial<EndedTurn>, WhatWasAsked, string]>([
    ['a word where only work is asked', { text: 'Done.' }, WORK, 'ended-if-changed'],
    ['no word after work, where its end is the answer', { toolCalls: 2 }, WORK, 'unclear'],
    ['no word after work, where an answer is asked', { toolCalls: 2 }, ANSWER, 'ended'],
    ['nothing at all', {}, WORK, 'failed'],
    ['nothing at all, where an answer is asked', {}, ANSWER, 'failed'],
    ['an error', { text: 'API Error: 500' }, ANSWER, 'failed'],
    ['an error after work', { text: 'API Error: 500', toolCalls: 1 }, WORK, 'failed'],
    [
      'talk of an error after work',
      { text: 'I mended it.\nError: was there', toolCalls: 1 },
      WORK,
      'ended-if-changed',
    ],
    ['a refusal', { text: 'No.', reason: 'refusal' }, WORK, 'failed'],
    ['a limit of length', { text: 'And', reason: 'max_tokens' }, WORK, 'failed'],
  ])('[D5] that left %s', (_, turn, asked, kind) => {
    expect(kindOf(verdictOnTurn(ended(turn), asked))).toBe(kind)
  })

  it.each<[string, Partial<EndedTurn>, WhatWasAsked, string]>([
    ['a question, after work too', { text: `${PLAN} (yes or no?)**`, toolCalls: 3 }, WORK, 'unclear'],
    ['a question in Chinese', { text: '这个计划可以吗？' }, WORK, 'unclear'],
    ['a question where an answer is asked', { text: PLAN }, ANSWER, 'ended'],
    ['that it has finished', { text: 'FINISHED: it was right before.' }, WORK, 'ended'],
    ['that it has finished, and an offer', { text: '**FINISHED** It works.\nAnything else?' }, WORK, 'ended'],
    ['a question that it names', { text: 'I looked.\nQUESTION: which store' }, WORK, 'question'],
    ['prose that begins with such a word', { text: 'Finished the plan. Suits you?' }, WORK, 'unclear'],
    ['an echo of what it was told', { text: howToEnd(true) }, WORK, 'ended-if-changed'],
    ['the question once more', { text: PLAN }, AGAIN, 'question'],
    ['that it has finished, when asked', { text: 'FINISHED. Nothing to do.' }, AGAIN, 'ended'],
    ['a plain word for it, when asked', { text: '**Done.** Nothing to do.' }, AGAIN, 'ended'],
    ['a sentence that says so, when asked', { text: 'Yes, it is finished.' }, AGAIN, 'ended'],
    ['a sentence that says otherwise', { text: 'It is not done.' }, AGAIN, 'ended-if-changed'],
    ['silence, when asked', { toolCalls: 2 }, AGAIN, 'failed'],
  ])('[D29] [D30] where the end is the answer, and that left %s', (_, turn, asked, kind) => {
    expect(kindOf(verdictOnTurn(ended(turn), asked))).toBe(kind)
  })

  it('[D30] is a fault where nothing changed and neither was said, when asked', () => {
    const verdict = verdictOnTurn(ended({ text: 'As I said.', toolCalls: 1 }), AGAIN)
    const detail = expect.stringContaining('It said: As I said.')
    expect(verdict).toMatchObject({ kind: 'ended', ifUnchanged: { kind: 'failed', detail } })
  })

  const retries = 'Info: Request failed due to a transient API error. Retrying...'.repeat(5)
  const text = `${retries}Error: Failed to get response from the AI model; retried 5 times`
  const asked = (endIsAnswer: boolean) => ({
    endIsAnswer,
    failures: COPILOT.failures ?? [],
    unclear: null,
    hasAskedInVain: false,
  })

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

  it('[D32] is a fault by words of the user’s config, with what differs between them', () => {
    const failures = ['Error: * gave up after * tries']
    const judge = (text: string) => verdictOnTurn(ended({ text, toolCalls: 2 }), { ...WORK, failures }).kind
    expect(judge('Error: the engine gave up after 5 tries.')).toBe('failed')
    expect(judge('It gave up after 5 tries. Error: x')).not.toBe('failed')
    expect(judge(`${'Error: '.repeat(200)}${'gave up after '.repeat(50)}`)).not.toBe('failed')
  })

  it('[D5] is no fault where such words stand far from the end', () => {
    const long = `${text}${' It went on, and all is well.'.repeat(100)}`
    expect(verdictOnTurn(ended({ text: long, toolCalls: 1 }), asked(true)).kind).toBe('ended')
  })
})

const kindOf = (verdict: TurnVerdict): string =>
  verdict.kind === 'ended' && verdict.ifUnchanged !== null ? 'ended-if-changed' : verdict.kind
