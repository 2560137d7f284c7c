import { describe, expect, it } from 'vitest'
import { answered, HOUR_MS, OPENED_AT, option } from '../engine/decision-row.fixture.ts'
import type { DecisionRow } from '../model/decision-record.ts'
import { policyFor } from './policy.ts'
import { backTest, suggestPolicies } from './suggestion.ts'

const request = {
  sinceAt: 0,
  least: 5,
  now: OPENED_AT,
  until: { until: '2030-01-01', expiresAt: OPENED_AT + 1_000 * HOUR_MS },
  inForce: [],
}

const many = (count: number, pick: string, more: Partial<DecisionRow> = {}): DecisionRow[] =>
  Array.from({ length: count }, (_, index) =>
    answered(pick, { id: `${pick}${index}`, openedAt: OPENED_AT - index * HOUR_MS, ...more }),
  )

describe('[Y6] a policy is suggested', () => {
  it('where people gave nearly always the same answer, as narrow as that was', () => {
    const [only, ...rest] = suggestPolicies([...many(9, 'sqlite'), answered('redis', { id: 'odd' })], request)
    expect(rest).toEqual([])
    expect(only).toEqual({
      policy: {
        name: 'build-develop-tradeoff-sqlite',
        when: {
          kind: 'tradeoff',
          runbook: 'build',
          step: 'develop',
          cause: 'agent',
          agent: 'dev',
          options: ['redis', 'sqlite'],
        },
        answer: 'sqlite',
        confidence: null,
        note: '',
        ...request.until,
      },
      same: 9,
      of: 10,
      example: 'sqlite0',
      backTest: {
        answered: 10,
        disagreed: [
          {
            id: 'odd',
            headline: 'Which store for sessions?',
            would: 'sqlite',
            picked: 'redis',
            edited: false,
          },
        ],
      },
    })
  })

  it('and answers then what it was made from', () => {
    const rows = many(5, 'sqlite')
    const [made] = suggestPolicies(rows, request)
    expect(policyFor([made!.policy], rows[3]!, OPENED_AT)?.pick).toBe('sqlite')
  })

  it('for the recommendation where the answers differ and that does not', () => {
    const rows = [...many(3, 'sqlite'), ...many(3, 'redis', { recommended: 'redis' })]
    expect(suggestPolicies(rows, request)).toMatchObject([
      { policy: { answer: 'recommended' }, same: 6, backTest: { answered: 6, disagreed: [] } },
    ])
  })

  it('with a name of its own', () => {
    const outside = { run: null, step: null, runbook: '', kind: '', cause: 'outside' } as const
    const rows = [
      ...many(6, 'sqlite', outside),
      ...many(5, 'sqlite', { ...outside, options: [option('sqlite'), option('file')] }),
    ]
    expect(suggestPolicies(rows, request).map(({ policy }) => policy.name)).toEqual([
      'dev-outside-sqlite',
      'dev-outside-sqlite-2',
    ])
  })
})

describe('no policy is suggested', () => {
  it.each<[string, DecisionRow[]]>([
    ['of too few answers', many(4, 'sqlite')],
    ['of answers that differ', [...many(8, 'sqlite'), ...many(2, 'redis', { recommended: null })]],
    [
      'for what cannot be undone',
      many(9, 'sqlite', { options: [option('sqlite', { reversible: false }), option('redis')] }),
    ],
    ['for what is dangerous', many(9, 'sqlite', { headline: 'Delete the table?' })],
    ['for a stop', many(9, '@stop', { options: [option('@stop'), option('@retry')] })],
    ['for words', many(9, '', { note: 'Neither.' })],
    ['from what policies answered', many(9, 'sqlite', { by: { kind: 'policy', name: 'p' } })],
    ['from what people changed', many(9, 'sqlite', { edited: 'Something else.' })],
    ['from what was not answered', many(9, '', { by: null, status: 'expired', answeredAt: null })],
  ])('%s', (_what, rows) => {
    expect(suggestPolicies(rows, request)).toEqual([])
  })

  it('from what lies too far back', () => {
    const sinceAt = OPENED_AT - 3 * HOUR_MS
    expect(suggestPolicies(many(9, 'sqlite'), { ...request, sinceAt })).toEqual([])
  })

  it('for what one in force answers', () => {
    const [made] = suggestPolicies(many(9, 'sqlite'), request)
    expect(suggestPolicies(many(9, 'sqlite'), { ...request, inForce: [made!.policy] })).toEqual([])
  })
})

describe('[Y6] a back-test', () => {
  it('takes all of history, not only what spoke for the policy', () => {
    const old = many(3, 'redis', { openedAt: 0, recommended: 'redis' })
    const [made] = suggestPolicies([...many(9, 'sqlite'), ...old], { ...request, sinceAt: OPENED_AT / 2 })
    expect(made).toMatchObject({ same: 9, of: 9, backTest: { answered: 12 } })
    expect(made!.backTest.disagreed.map(({ id }) => id)).toEqual(['redis0', 'redis1', 'redis2'])
  })

  it('counts words and changed options as disagreement', () => {
    const [made] = suggestPolicies(many(9, 'sqlite'), request)
    const rows = [answered('', { note: 'Neither.' }), answered('sqlite', { edited: 'With a cache.' })]
    expect(backTest(made!.policy, rows)).toMatchObject({
      answered: 2,
      disagreed: [
        { picked: '', edited: false },
        { picked: 'sqlite', edited: true },
      ],
    })
  })
})
