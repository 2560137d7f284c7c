import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answered, HOUR_MS, OPENED_AT, option } from '../engine/decision-row.fixture.ts'
import type { DecisionRow } from '../model/decision-record.ts'
import { headlinePattern } from './headline-pattern.ts'
import { policyFor } from './policy.ts'
import { backTest, type SuggestionRequest, suggestPolicies } from './suggestion.ts'

const suggested = (rows: readonly DecisionRow[], asked: SuggestionRequest) =>
  suggestPolicies(rows, asked).suggested

const request = {
  sinceAt: 0,
  least: 5,
  now: OPENED_AT,
  until: { until: '2030-01-01', expiresAt: OPENED_AT + 1_000 * HOUR_MS },
  inForce: [],
  disagreeing: true,
}

const many = (count: number, pick: string, more: Partial<DecisionRow> = {}): DecisionRow[] =>
  Array.from({ length: count }, (_, index) =>
    answered(pick, { id: `${pick}${index}`, openedAt: OPENED_AT - index * HOUR_MS, ...more }),
  )

describe('[Y6] a policy is suggested', () => {
  it('where people gave nearly always the same answer, as narrow as that was', () => {
    const [only, ...rest] = suggested([...many(9, 'sqlite'), answered('redis', { id: 'odd' })], request)
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
          like: 'Which store for sessions?',
          options: ['redis', 'sqlite'],
          takes: 'recommended',
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
    const [made] = suggested(rows, request)
    expect(policyFor([made!.policy], rows[3]!, OPENED_AT)?.pick).toBe('sqlite')
  })

  it('for the recommendation where the answers differ and that does not', () => {
    const rows = [...many(3, 'sqlite'), ...many(3, 'redis', { recommended: 'redis' })]
    expect(suggested(rows, request)).toMatchObject([
      { policy: { answer: 'recommended' }, same: 6, backTest: { answered: 6, disagreed: [] } },
    ])
  })

  it('with a name of its own', () => {
    const outside = { run: null, step: null, runbook: '', kind: '', cause: 'outside' } as const
    const rows = [
      ...many(6, 'sqlite', outside),
      ...many(5, 'sqlite', { ...outside, options: [option('sqlite'), option('file')] }),
    ]
    expect(suggested(rows, request).map(({ policy }) => policy.name)).toEqual([
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
    expect(suggested(rows, request)).toEqual([])
  })

  it('from what lies too far back', () => {
    const sinceAt = OPENED_AT - 3 * HOUR_MS
    expect(suggested(many(9, 'sqlite'), { ...request, sinceAt })).toEqual([])
  })

  it('for what one in force answers', () => {
    const [made] = suggested(many(9, 'sqlite'), request)
    expect(suggested(many(9, 'sqlite'), { ...request, inForce: [made!.policy] })).toEqual([])
  })
})

describe('[Y6] a back-test', () => {
  it('takes all of history, not only what spoke for the policy', () => {
    const old = many(3, 'redis', { openedAt: 0 })
    const [made] = suggested([...many(9, 'sqlite'), ...old], { ...request, sinceAt: OPENED_AT / 2 })
    expect(made).toMatchObject({ same: 9, of: 9, backTest: { answered: 12 } })
    expect(made!.backTest.disagreed.map(({ id }) => id)).toEqual(['redis0', 'redis1', 'redis2'])
  })

  it('counts words and changed options as disagreement', () => {
    const [made] = suggested(many(9, 'sqlite'), request)
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

describe('[Y6] only what was seen alike', () => {
  const outside = { run: null, step: null, runbook: '', kind: '', cause: 'outside' } as const
  const lockfiles = Array.from({ length: 6 }, (_, nth) =>
    answered('sqlite', { ...outside, id: `l${nth}`, headline: `Update lockfile ${nth + 1}?` }),
  )

  it('is answered: neither other words, nor against a recommendation that was taken', () => {
    const [made] = suggested(lockfiles, request)
    expect(made!.policy.when).toMatchObject({ like: 'Update lockfile {number}?', takes: 'recommended' })
    const asked = (more: Partial<DecisionRow>) =>
      policyFor([made!.policy], answered('', { ...outside, ...more }), OPENED_AT)?.pick ?? null
    expect(asked({ headline: 'Update lockfile 77?' })).toBe('sqlite')
    expect(asked({ headline: 'Rewrite the parser in Rust?' })).toBeNull()
    expect(asked({ headline: 'Update lockfile 7 and the parser?' })).toBeNull()
    expect(asked({ headline: 'Update lockfile 77?', recommended: 'redis' })).toBeNull()
    expect(asked({ headline: 'Update lockfile 77?', recommended: null })).toBeNull()
    expect(asked({ headline: 'Update lockfile 77?', kind: 'tradeoff' })).toBeNull()
  })

  it('counts: different questions of one kind are not many of it', () => {
    const words = ['one', 'two', 'three', 'four', 'five', 'six']
    const rows = words.map((word) => answered('sqlite', { id: word, headline: `Take ${word}?` }))
    expect(suggested(rows, request)).toEqual([])
  })

  it('[Q17] counts once for each stroke', () => {
    const batch = many(11, 'sqlite', { batch: 'b1' })
    expect(suggested(batch, request)).toEqual([])
    expect(suggested([...batch, ...many(4, 'sqlite')], request)).toMatchObject([{ same: 5, of: 5 }])
  })

  const words = fc.constantFrom('Update', 'lockfile', 'the', 'parser', 'in', 'Rust', 'store', '{', 'and/or')
  const values = fc.oneof(
    fc.nat(999).map(String),
    fc.constantFrom(
      'v1.2.3',
      'abc1234',
      'ENG-12',
      '"src"',
      'src/a/b.ts',
      './x',
      '`main`',
      '6eqv5a8c',
      'utf8',
    ),
  )
  const headline = fc
    .array(fc.oneof({ weight: 3, arbitrary: words }, values), { minLength: 1, maxLength: 4 })
    .map((parts) => `${parts.join(' ')}?`)
  const aDecision = fc.record({
    headline,
    pick: fc.constantFrom('sqlite', 'sqlite', 'sqlite', 'redis', ''),
    recommended: fc.constantFrom('sqlite', 'sqlite', 'redis', null),
    kind: fc.constantFrom('', 'tradeoff'),
    agent: fc.constantFrom('dev', 'critic'),
    batch: fc.constantFrom(null, null, 'b1', 'b2'),
    edited: fc.constantFrom(null, null, null, 'Otherwise.'),
    times: fc.integer({ min: 1, max: 7 }),
  })

  it('holds for any history: nothing past is answered otherwise, and nothing outside of the pattern at all', () => {
    let made = 0
    fc.assert(
      fc.property(fc.array(aDecision, { minLength: 1, maxLength: 12 }), headline, (decisions, other) => {
        const rows = decisions.flatMap(({ times, agent, pick, ...more }, nth) =>
          Array.from({ length: times }, (_, time) =>
            answered(pick, {
              ...more,
              id: `${nth}.${time}`,
              asker: { agent, program: '', version: '', model: '' },
            }),
          ),
        )
        for (const { policy } of suggested(rows, { ...request, least: 3, disagreeing: false })) {
          made++
          for (const row of rows) {
            const answer = policyFor([policy], row, OPENED_AT)
            if (answer === null) continue
            expect(answer.pick).toBe(row.pick)
            expect(row.edited).toBeNull()
            expect(headlinePattern(row.headline)).toBe(policy.when.like)
          }
          if (headlinePattern(other) !== policy.when.like)
            expect(policyFor([policy], answered('', { ...rows[0]!, headline: other }), OPENED_AT)).toBeNull()
        }
      }),
      { numRuns: 120 },
    )
    expect(made).toBeGreaterThan(10)
  })
})
