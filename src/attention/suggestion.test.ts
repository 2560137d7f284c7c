import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answered, aRecord, HOUR_MS, OPENED_AT, option } from '../engine/decision-row.fixture.ts'
import type { DecisionRow } from '../model/decision-record.ts'
import { outlineOf, patternFits } from './pattern.ts'
import { policyFor } from './policy.ts'
import { backTest, type SuggestionRequest, suggestPolicies, withCards } from './suggestion.ts'

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
        name: expect.stringMatching(/^build-develop-tradeoff-sqlite-[0-9a-f]{8}$/),
        when: {
          kind: 'tradeoff',
          runbook: 'build',
          step: 'develop',
          cause: 'agent',
          agent: 'dev',
          in: '/home/me/shop',
          like: 'Which store for sessions?',
          says: [
            'question: Where should sessions be kept?',
            'label sqlite: Use sqlite',
            'label redis: Use redis',
          ],
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
      seen: many(9, 'sqlite').map(({ id }) => id),
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

  it('for the recommendation where the answers differ and that does not, and only for what was taken so', () => {
    const three = [option('sqlite'), option('redis'), option('file')]
    const rows = [
      ...many(3, 'sqlite', { options: three }),
      ...many(3, 'redis', { options: three, recommended: 'redis' }),
    ]
    const [made] = suggested(rows, request)
    expect(made).toMatchObject({
      policy: { answer: 'recommended', when: { recommends: ['redis', 'sqlite'] } },
      same: 6,
      backTest: { answered: 6, disagreed: [] },
    })
    const file = answered('', { options: three, recommended: 'file' })
    expect(policyFor([made!.policy], file, OPENED_AT)).toBeNull()
  })

  it('for a key where nearly all have one, though the rest took what was recommended, too', () => {
    const rows = [...many(9, 'sqlite'), ...many(1, 'redis', { recommended: 'redis' })]
    const [made] = suggested(rows, request)
    expect(made).toMatchObject({
      policy: { answer: 'sqlite', when: { takes: 'recommended' } },
      same: 9,
      of: 10,
    })
    const redis = answered('', { recommended: 'redis' })
    expect(policyFor([made!.policy], redis, OPENED_AT)).toBeNull()
  })

  it('under a name that is its own, whatever else is suggested, and another when anything of it changes', () => {
    const outside = { run: null, step: null, runbook: '', kind: '', cause: 'outside' } as const
    const ours = many(6, 'sqlite', outside)
    const others = many(5, 'sqlite', { ...outside, options: [option('sqlite'), option('file')] })
    const namesOf = (rows: readonly DecisionRow[], asked: SuggestionRequest = request) =>
      suggested(rows, asked).map(({ policy }) => policy.name)
    const [name] = namesOf(ours)
    expect(name).toMatch(/^dev-outside-sqlite-[0-9a-f]{8}$/)
    const [first, second] = namesOf([...others, ...ours])
    expect([first, second]).toContain(name)
    expect(first).not.toBe(second)
    // More of the same changes nothing; an answer that speaks against it does.
    const more = answered('sqlite', { ...outside, id: 'more', openedAt: OPENED_AT + HOUR_MS })
    expect(namesOf([...ours, more])).toEqual([name])
    const against = answered('redis', { ...outside, id: 'against', openedAt: 0 })
    expect(namesOf([...ours, against], { ...request, sinceAt: 1 })).not.toContain(name)
    // One of that name that has expired is in the way.
    const [made] = suggested(ours, request)
    const expired = { ...made!.policy, expiresAt: 0 }
    expect(namesOf(ours, { ...request, inForce: [expired] })).toEqual([`${name}-2`])
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
    expect(made!.policy.when).toMatchObject({ like: 'Update lockfile {number 00}?', takes: 'recommended' })
    const asked = (more: Partial<DecisionRow>) =>
      policyFor([made!.policy], answered('', { ...outside, ...more }), OPENED_AT)?.pick ?? null
    expect(asked({ headline: 'Update lockfile 77?' })).toBe('sqlite')
    expect(asked({ headline: 'Rewrite the parser in Rust?' })).toBeNull()
    expect(asked({ headline: 'Update lockfile 7 and the parser?' })).toBeNull()
    expect(asked({ headline: 'Update lockfile 77?', recommended: 'redis' })).toBeNull()
    expect(asked({ headline: 'Update lockfile 77?', recommended: null })).toBeNull()
    expect(asked({ headline: 'Update lockfile 77?', kind: 'tradeoff' })).toBeNull()
  })

  it('is answered: not the same headline with another question, other labels or another way, elsewhere or for another', () => {
    const rows = ['lib-a', 'lib-b', 'lib-c', 'lib-d', 'lib-e'].map((name) =>
      answered('sqlite', {
        ...outside,
        id: name,
        headline: `Update "${name}"?`,
        ask: `May I update "${name}"?`,
      }),
    )
    const [made] = suggested(rows, request)
    const asked = (more: Partial<DecisionRow>) => {
      const alike = { ...outside, headline: 'Update "lib-z"?', ask: 'May I update "lib-z"?' }
      return policyFor([made!.policy], answered('', { ...alike, ...more }), OPENED_AT)?.pick ?? null
    }
    expect(asked({})).toBe('sqlite')
    expect(asked({ ask: 'May I rewrite the parser in Rust?' })).toBeNull()
    const labelled = (label: string) => [option('sqlite', { label }), option('redis')]
    expect(asked({ options: labelled('Rewrite the parser in Rust') })).toBeNull()
    expect(asked({ options: [option('sqlite', { leadsTo: 'elsewhere' }), option('redis')] })).toBeNull()
    const run = { command: 'make', step: 'x', folder: '', held: 'run' } as const
    expect(asked({ options: [option('sqlite', { runs: [run] }), option('redis')] })).toBeNull()
    expect(asked({ repo: '/home/me/shop/vendor' })).toBeNull()
    expect(asked({ repo: '' })).toBeNull()
    expect(asked({ step: 'develop' })).toBeNull()
    expect(asked({ runbook: 'build' })).toBeNull()
    expect(asked({ asker: null })).toBeNull()
    expect(asked({ headline: 'Update "lib\u2800z"?' })).toBeNull()
    expect(asked({ headline: 'Update "lib-z-and-the-parser"?' })).toBeNull()
  })

  it('is answered: where nobody had a name, only what comes from nobody with one', () => {
    const nameless = { ...outside, asker: null, repo: '' }
    const [made] = suggested(many(6, 'sqlite', nameless), request)
    expect(policyFor([made!.policy], answered('', nameless), OPENED_AT)?.pick).toBe('sqlite')
    expect(policyFor([made!.policy], answered('', { ...outside, repo: '' }), OPENED_AT)).toBeNull()
  })

  it('is answered: a path only in the folders that were seen', () => {
    const rows = 'abcde'
      .split('')
      .map((name) =>
        answered('sqlite', { ...outside, id: name, headline: `Edit src/x/${name}.ts?`, ask: 'May I?' }),
      )
    const [made] = suggested(rows, request)
    const asked = (path: string) =>
      policyFor(
        [made!.policy],
        answered('', { ...outside, headline: `Edit ${path}?`, ask: 'May I?' }),
        OPENED_AT,
      )
    expect(asked('src/x/new.ts')?.pick).toBe('sqlite')
    for (const path of [
      '~/.ssh/authorized_keys',
      '/etc/sudoers',
      'src/y/a.ts',
      'src/x/../../a.ts',
      'src/x/a.sh',
    ])
      expect(asked(path)).toBeNull()
  })

  it('is answered: not another text of an option, nor another input, though its line is the same', () => {
    const card = (id: string, body: string, more: object = {}) =>
      aRecord(
        { id, ...more },
        { options: [option('sqlite', { body }), option('redis')], context: { input: 'npm test' } },
      )
    const [made] = suggested(many(5, 'sqlite'), request)
    const cards = made!.seen.map((id, nth) => card(id, `Changes ${nth} files.`))
    const whole = withCards(made!, { cards, inForce: [] })!
    expect(whole.policy.when.says).toContain('text sqlite: Changes {number 00} files.')
    expect(whole.policy.when.says).toContain('context: {{"input":"npm test"}}')
    const asked = (shown: object, more: object = {}) =>
      policyFor(
        [whole.policy],
        {
          ...card('d1', 'Changes 12 files.', more),
          shown: { ...card('d1', 'Changes 12 files.').shown, ...shown },
        },
        OPENED_AT,
      )
    expect(asked({})?.pick).toBe('sqlite')
    expect(
      asked({ options: [option('sqlite', { body: 'Rewrites the parser.' }), option('redis')] }),
    ).toBeNull()
    expect(asked({ options: [option('sqlite'), option('redis')] })).toBeNull()
    expect(
      asked({ options: [option('sqlite', { body: 'Changes 12 files.' }), option('redis', { body: 'x' })] }),
    ).toBeNull()
    // What was always told is told.
    expect(asked({ context: { input: 'npm start' } })).toBeNull()
    // Where the texts were not alike, nothing is suggested.
    expect(withCards(made!, { cards: [...cards, card('x', 'Rewrites the parser.')], inForce: [] })).toBeNull()
    const permissions = [1, 2].map((nth) =>
      aRecord({ kind: 'permission' }, { context: { input: `npm run ${nth}` } }),
    )
    expect(withCards(made!, { cards: permissions, inForce: [] })).toBeNull()
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
    ask: fc.constantFrom('Shall I?', 'Shall I?', 'Shall I update 3?', 'Shall I update 5?', 'And the parser?'),
    options: fc.constantFrom(
      [option('sqlite'), option('redis')],
      [option('sqlite', { label: 'Rewrite' }), option('redis')],
      [option('sqlite'), option('redis', { leadsTo: 'done' })],
    ),
    repo: fc.constantFrom('/a', '/a', '/a/b', ''),
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
        for (const { policy, seen } of suggested(rows, { ...request, least: 3, disagreeing: false })) {
          made++
          for (const row of rows) {
            const answer = policyFor([policy], row, OPENED_AT)
            if (answer === null) continue
            expect(answer.pick).toBe(row.pick)
            expect(row.edited).toBeNull()
            expect(patternFits(policy.when.like!, row.headline)).toBe(true)
          }
          const like = rows.find(({ id }) => id === seen[0])!
          const alikeIn = ({ ask, repo, kind, asker, options }: DecisionRow) =>
            JSON.stringify([outlineOf(ask), repo, kind, asker, options])
          for (const row of rows)
            if (policyFor([policy], row, OPENED_AT) !== null) expect(alikeIn(row)).toBe(alikeIn(like))
          const asked = (more: Partial<DecisionRow>) => policyFor([policy], { ...like, ...more }, OPENED_AT)
          expect(asked({})).not.toBeNull()
          if (outlineOf(other) !== outlineOf(like.headline)) expect(asked({ headline: other })).toBeNull()
          expect(asked({ ask: `${like.ask} And the parser?` })).toBeNull()
          expect(asked({ repo: `${like.repo}/x` })).toBeNull()
          expect(asked({ options: like.options.map((each) => ({ ...each, label: 'Else' })) })).toBeNull()
        }
      }),
      { numRuns: 120 },
    )
    expect(made).toBeGreaterThan(10)
  })
})
