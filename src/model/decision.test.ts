import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CAPS, EXAMPLE_DECISION, parseDecision, RESERVED_KEYS } from './decision.ts'

const problemsOf = (more: object): string => {
  const parsed = parseDecision({ ...EXAMPLE_DECISION, ...more })
  return 'problems' in parsed ? parsed.problems.join('\n') : ''
}
const [first, second] = EXAMPLE_DECISION.options

describe('a decision', () => {
  it('[Q5] is taken with its defaults filled in, and what nobody asked for left out', () => {
    const parsed = parseDecision({ ...EXAMPLE_DECISION, mood: 'good' })
    expect(parsed).toEqual({
      decision: { ...EXAMPLE_DECISION, schema: 1, kind: '', deadlineMs: null, evidence: {} },
    })
  })

  it('[Q5] FIELD 16: is measured in characters, not in bytes or halves of them', () => {
    const train = '🚂'
    expect(problemsOf({ headline: train.repeat(CAPS.headline) })).toBe('')
    expect(problemsOf({ headline: train.repeat(CAPS.headline + 1) })).toBe(
      '`headline` may have 80 characters and has 81.',
    )
    expect(problemsOf({ question: 'ß'.repeat(CAPS.question) })).toBe('')
  })

  it.each<[string, object, RegExp]>([
    ['no headline', { headline: undefined }, /`headline` is missing/],
    ['an empty question', { question: ' ' }, /`question` is empty/],
    ['a headline that is no text', { headline: 7 }, /`headline` must be a text, not number/],
    ['one option', { options: [first] }, /list of 2 to 6\. There are 1/],
    [
      'seven options',
      { options: Array.from({ length: 7 }, (_, i) => ({ key: `k${i}`, label: 'x' })) },
      /There are 7/,
    ],
    ['options that are none', { options: 'a or b' }, /`options` must be a list/],
    [
      'two with one key',
      { options: [first, { ...second, key: first.key }] },
      /Two options have the key "sqlite"/,
    ],
    ['a key with spaces', { options: [first, { ...second, key: 'Use Redis' }] }, /must be a short name/],
    [
      'a recommendation that is no option',
      { recommended: 'mongo' },
      /`recommended` must be one of the keys: sqlite, redis/,
    ],
    ['a confidence beyond one', { options: [first, { ...second, confidence: 1.5 }] }, /from 0 to 1/],
    ['an unknown urgency', { urgency: 'now' }, /low, normal, high/],
    ['a deadline that is none', { deadline: 'soon' }, /a duration such as/],
    ['evidence that is no text', { evidence: { a: 1 } }, /`evidence\.a` must be a text/],
    ['another schema', { schema: 2 }, /`schema` must be 1/],
    ['a kind that is no name', { kind: 'A kind' }, /`kind` must be a short name/],
  ])('[Q5] is refused with %s', (_, more, problem) => {
    expect(problemsOf(more)).toMatch(problem)
  })

  it('[Q5] keeps the words of Signalbox itself out of its keys', () => {
    for (const key of RESERVED_KEYS)
      expect(problemsOf({ options: [first, { ...second, key }] })).toContain(`must not be ${key}`)
  })

  it('[Q5] never throws, and tells something of whatever it does not take', () => {
    fc.assert(
      fc.property(fc.anything(), (given) => {
        const parsed = parseDecision(given)
        return 'decision' in parsed || parsed.problems.length > 0
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(EXAMPLE_DECISION)), fc.anything()), (more) => {
        const parsed = parseDecision({ ...EXAMPLE_DECISION, ...more })
        return 'decision' in parsed || parsed.problems.length > 0
      }),
    )
  })
})
