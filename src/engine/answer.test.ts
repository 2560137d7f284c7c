import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawAnswer } from '../model/answer.ts'
import { type Contract, outcomesOf } from '../model/contract.ts'
import { type Validated, validateAnswer } from './answer.ts'
import { exampleAnswer, saidBy } from './contract-text.ts'
import { given } from './given.fixture.ts'

/** The contract of a step with these lines. */
const contractOf = (...lines: string[]): Contract =>
  given(['steps:', '  ask_it:', '    agent: dev', ...lines.map((line) => `    ${line}`)].join('\n')).program
    .steps['ask_it']!.contract

const VERDICT = contractOf(
  'asks: verdict',
  'options: { approve: { to: done, say: Correct and tested }, reject: abandoned }',
  'fields:',
  '  feedback: { type: text, required_for: [reject] }',
  '  score: number',
  '  sure: boolean',
  '  files: list',
  '  size: { type: choice, choices: [small, large] }',
  '  report: file',
  '  found: findings',
)
const NOTHING: RawAnswer = { kind: 'nothing' }
const value = (what: unknown): RawAnswer => ({ kind: 'value', value: what })

const validate = (contract: Contract, what: RawAnswer): Validated =>
  validateAnswer({ contract, known: [], settleOn: null, looping: [], lenient: false }, what)
const messageOf = (contract: Contract, what: RawAnswer): string => {
  const result = validate(contract, what)
  if (!('message' in result)) throw new Error('it is valid')
  return result.message
}
const answerOf = (contract: Contract, what: RawAnswer) => {
  const result = validate(contract, what)
  if ('message' in result) throw new Error(result.message)
  return result.answer
}

describe('an answer', () => {
  it('[A1] has one of five results', () => {
    const nothing = contractOf('next: done')
    expect(validate(nothing, NOTHING).validity).toBe('not-required')
    expect(validate(VERDICT, value({ verdict: 'approve' })).validity).toBe('valid')
    expect(validate(VERDICT, NOTHING).validity).toBe('missing-file')
    expect(validate(VERDICT, value({ feedback: 'x' })).validity).toBe('missing-variable')
    expect(validate(VERDICT, value({ verdict: null })).validity).toBe('missing-variable')
    expect(validate(VERDICT, value({ verdict: 'perhaps' })).validity).toBe('invalid-value')
  })

  it('[A1] is not required where nothing is asked, whatever came in', () => {
    const nothing = contractOf('next: done')
    expect(answerOf(nothing, { kind: 'malformed', text: '{' })).toMatchObject({ outcome: 'done', notes: '' })
    expect(answerOf(nothing, value({ notes: 'See log' }))).toMatchObject({
      outcome: 'done',
      notes: 'See log',
    })
    expect(answerOf(nothing, value({ notes: 7 }))).toMatchObject({ outcome: 'done', notes: '' })
  })

  it('[A2] may hold keys that nobody asked for', () => {
    const answer = answerOf(VERDICT, value({ verdict: 'approve', mood: 'sunny', outcome: 'reject' }))
    expect(answer).toEqual({
      outcome: 'approve',
      choices: { verdict: 'approve' },
      fields: {},
      notes: '',
      handoff: null,
    })
  })

  it('[A3] that is malformed is never the same as none', () => {
    const malformed = messageOf(VERDICT, { kind: 'malformed', text: '{"verdict": "approve"' })
    expect(validate(VERDICT, { kind: 'malformed', text: '' }).validity).toBe('invalid-value')
    expect(malformed).toContain('The answer is not JSON')
    expect(malformed).toContain('What you gave: {"verdict": "approve"')
    expect(messageOf(VERDICT, NOTHING)).toContain('There was no answer.')
    expect(messageOf(VERDICT, NOTHING)).toContain('What you gave: nothing.')
  })

  it.each([[true], [1], [['approve']], [{ approve: true }]])(
    '[A3] never makes the choice %j into text',
    (verdict) => {
      expect(validate(VERDICT, value({ verdict })).validity).toBe('invalid-value')
      expect(messageOf(VERDICT, value({ verdict }))).toMatch(/`verdict` is .*, not a text\./)
    },
  )

  it.each([[null], [undefined], ['approve'], [7], [[{ verdict: 'approve' }]]])(
    '[A3] is one JSON object, not %j',
    (what) => {
      expect(messageOf(VERDICT, value(what))).toContain('The answer must be one JSON object.')
    },
  )

  it('[A2] of the wrong value is told the nearest option', () => {
    expect(messageOf(VERDICT, value({ verdict: 'aprove' }))).toContain('did you mean "approve"?')
    expect(messageOf(VERDICT, value({ verdict: 'Approve' }))).toContain('did you mean "approve"?')
  })

  it('[A2] is told everything that is wrong at once', () => {
    const message = messageOf(
      VERDICT,
      value({
        verdict: 'reject',
        score: '9',
        sure: 'yes',
        files: ['a', 1],
        size: 'huge',
        report: 3,
        found: [{}],
      }),
    )
    expect(
      message
        .split('\n')
        .filter((line) => line.startsWith('- '))
        .slice(0, 7),
    ).toEqual([
      '- `feedback` is missing.',
      '- `score` is the string "9", not a number.',
      '- `sure` is the string "yes", not true or false.',
      '- `files` is not a list of texts.',
      '- `size` is "huge", not one of small, large.',
      '- `report` is the number 3, not a text.',
      '- `found` has a finding (number 1) without a `title`.',
    ])
  })

  it('[A2] that is refused hears what was asked, what it gave and a correct example', () => {
    expect(messageOf(VERDICT, value({ verdict: 'reject' }))).toBe(
      [
        'Your answer does not fit what was asked.',
        '',
        'What is wrong:',
        '- `feedback` is missing.',
        '',
        'What was asked:',
        '- `verdict` must be one of: approve, reject.',
        '- `feedback` (text) is needed with reject.',
        '- `score` (number) is optional.',
        '- `sure` (boolean) is optional.',
        '- `files` (list of texts) is optional.',
        '- `size` (one of small, large) is optional.',
        '- `report` (file) is optional.',
        '- `found` (findings) is optional.',
        '- `notes` (text) is optional and is carried to whoever comes next.',
        '',
        'What you gave: {"verdict":"reject"}',
        '',
        'A correct answer:',
        '```json',
        '{"verdict":"reject","feedback":"what feedback says"}',
        '```',
      ].join('\n'),
    )
  })

  it('[A2] quotes no more of a long answer than is useful, and no half characters', () => {
    const message = messageOf(VERDICT, value({ verdict: '🙂'.repeat(5000) }))
    expect(message.length).toBeLessThan(2500)
    expect(message).toContain('🙂…')
    expect(() => encodeURIComponent(message)).not.toThrow()
  })

  it('[A1] may leave an optional field out', () => {
    const contract = contractOf('options: { yes: done, no: abandoned }', 'fields: { why: text }')
    expect(validate(contract, value({ decision: 'yes' })).validity).toBe('valid')
  })

  it('takes an empty text for a field that is missing', () => {
    expect(messageOf(VERDICT, value({ verdict: 'reject', feedback: '' }))).toContain('`feedback` is missing.')
  })

  it('of a decision table has the outcome of the first row that fits', () => {
    const table = contractOf(
      'asks: { risk: [low, high], size: [small, large] }',
      'when: [{ if: { risk: high }, to: abandoned }, { if: { size: [small] }, to: done }, { to: retry, max: 1, then: done }]',
    )
    expect(answerOf(table, value({ risk: 'high', size: 'small' })).outcome).toBe('row-1')
    expect(answerOf(table, value({ risk: 'low', size: 'small' })).outcome).toBe('row-2')
    expect(answerOf(table, value({ risk: 'low', size: 'large' })).outcome).toBe('row-3')
    expect(validate(table, value({ risk: 'low' })).validity).toBe('missing-variable')
  })
})

describe('the example of a correct answer', () => {
  const contracts = [
    VERDICT,
    contractOf(
      'asks: { risk: [low, high], size: [small, large] }',
      'when: [{ if: { size: large, risk: high }, to: abandoned }, { to: done }]',
    ),
    contractOf(
      'next: done',
      'fields: { what: { type: findings, required: true }, where: { type: file, required: true } }',
    ),
    contractOf(
      'options: { yes: done, no: abandoned }',
      'fields: { a: { type: list, required: true }, b: { type: choice, choices: [x, y], required: true }, c: { type: number, required_for: [no] }, d: { type: boolean, required_for: ["yes"] } }',
    ),
  ]

  it('[A2] is valid for every outcome', () => {
    for (const contract of contracts)
      for (const outcome of outcomesOf(contract))
        expect(answerOf(contract, value(exampleAnswer(contract, outcome))).outcome).toBe(outcome)
  })

  it('[A2] is in every rejection, and would be accepted', () => {
    fc.assert(
      fc.property(fc.constantFrom(...contracts), fc.jsonValue(), (contract, what) => {
        const result = validate(contract, value(what))
        if (!('message' in result)) return
        const [, json] = /```json\n(.*)\n```/.exec(result.message)!
        expect(validate(contract, value(JSON.parse(json!))).validity).toBe('valid')
      }),
    )
  })
})

describe('what options mean', () => {
  it('is told by label and sentence', () => {
    expect(saidBy(VERDICT, { verdict: 'approve' })).toBe('Approve: Correct and tested')
    expect(saidBy(VERDICT, { verdict: 'reject' })).toBe('Reject')
  })
})
