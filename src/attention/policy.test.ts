import { describe, expect, it } from 'vitest'
import { aRecord, aRow, HOUR_MS, OPENED_AT, option } from '../engine/decision-row.fixture.ts'
import { FAULT_MEANING } from '../model/fault.ts'
import { globFits, type Policy, type PolicyScope, policyFor } from './policy.ts'

const policy = (when: PolicyScope, more: Partial<Policy> = {}): Policy => ({
  name: 'keep-it-simple',
  when,
  answer: 'sqlite',
  confidence: null,
  until: '2030-01-01',
  expiresAt: OPENED_AT + HOUR_MS,
  note: '',
  ...more,
})

const pick = (policies: Policy | readonly Policy[], decision = aRecord(), at = OPENED_AT): string | null =>
  policyFor([policies].flat(), decision, at)?.pick ?? null

describe('[Y1] a policy answers', () => {
  it.each<[string, PolicyScope]>([
    ['kind', { kind: 'tradeoff' }],
    ['runbook', { runbook: 'build' }],
    ['step', { step: 'develop' }],
    ['cause', { cause: 'agent' }],
    ['agent', { agent: 'dev' }],
    ['repo', { repo: '/home/me/shop' }],
    ['repo above', { repo: '/home/me/' }],
    ['headline', { headline: 'which store *' }],
    ['this repository', { in: '/home/me/shop' }],
    ['what is recommended', { recommends: ['file', 'sqlite'] }],
    [
      'words',
      {
        like: 'Which store for sessions?',
        says: [
          'question: Where should sessions be kept?',
          'label sqlite: Use sqlite',
          'label redis: Use redis',
        ],
      },
    ],
    ['options in any order', { options: ['redis', 'sqlite'] }],
    ['all of them', { kind: 'tradeoff', runbook: 'build', step: 'develop', agent: 'dev', headline: '*' }],
  ])('within its scope: %s', (_what, when) => {
    expect(pick(policy(when))).toBe('sqlite')
  })

  it.each<[string, PolicyScope]>([
    ['kind', { kind: 'quality' }],
    ['runbook', { runbook: 'buil' }],
    ['step', { step: 'review' }],
    ['cause', { cause: 'fault' }],
    ['agent', { agent: 'critic' }],
    ['repo beside', { repo: '/home/me/sho' }],
    ['repo below', { repo: '/home/me/shop/api' }],
    ['headline', { headline: 'store*' }],
    ['a repository above', { in: '/home/me' }],
    ['no repository', { in: '' }],
    ['no step', { step: '' }],
    ['another recommendation', { recommends: ['redis'] }],
    ['a pattern of the headline alone', { like: 'Which store for sessions?' }],
    ['less than the card says', { says: ['question: Where should sessions be kept?'] }],
    ['fewer options', { options: ['sqlite'] }],
    ['other options', { options: ['sqlite', 'file'] }],
    ['one of several', { kind: 'tradeoff', step: 'review' }],
  ])('nothing outside of it: %s', (_what, when) => {
    expect(pick(policy(when))).toBeNull()
  })

  it('[Q27] never what has a command run outside any sandbox', () => {
    const resume = { command: 'claude -p', step: '', folder: '/repo', held: 'none' } as const
    const any = policy({ kind: 'tradeoff' })
    expect(pick(any, aRecord({}, { runs: [{ ...resume, held: 'run' }] }))).toBe('sqlite')
    expect(pick(any, aRecord({}, { runs: [resume] }))).toBeNull()
    expect(policyFor([any], aRow({ runs: [resume] }), OPENED_AT)).toBeNull()
  })

  it('[Y2] for a time', () => {
    const brief = policy({ kind: 'tradeoff' })
    expect(pick(brief, aRecord(), brief.expiresAt - 1)).toBe('sqlite')
    expect(pick(brief, aRecord(), brief.expiresAt)).toBeNull()
  })

  it('with what is recommended, where something is', () => {
    const any = policy({ kind: 'tradeoff' }, { answer: 'recommended' })
    expect(pick(any, aRecord({}, { recommended: 'redis' }))).toBe('redis')
    expect(pick(any, aRecord({}, { recommended: null }))).toBeNull()
  })

  it('only with an option that is offered', () => {
    expect(pick(policy({ kind: 'tradeoff' }, { answer: 'file' }))).toBeNull()
  })

  it('where the asker is sure enough, and has said so', () => {
    const sure = policy({ kind: 'tradeoff' }, { confidence: 0.8 })
    const at = (confidence: number | null) =>
      pick(
        sure,
        aRecord({}, { options: [option('sqlite', { confidence }), option('redis', { confidence: 1 })] }),
      )
    expect([at(0.8), at(0.79), at(null)]).toEqual(['sqlite', null, null])
  })

  it('in the order of the file, the first that fits', () => {
    const first = policy({ kind: 'tradeoff' }, { answer: 'redis', confidence: 0.9 })
    const second = policy({ step: 'develop' }, { name: 'second' })
    expect(pick([first, second])).toBe('sqlite')
    const sure = aRecord({}, { options: [option('sqlite'), option('redis', { confidence: 0.9 })] })
    expect(pick([first, second], sure)).toBe('redis')
  })

  it('a row of a list as it answers the card', () => {
    expect(policyFor([policy({ kind: 'tradeoff' })], aRow(), OPENED_AT)).toMatchObject({ pick: 'sqlite' })
  })

  it('a fault with another try', () => {
    for (const [fault, meaning] of Object.entries(FAULT_MEANING)) {
      const headline = `develop ended as ${fault}: ${meaning}`
      const options = [option('@retry', { label: 'Try again' }), option('@stop', { reversible: false })]
      const failed = aRecord({ cause: 'fault' }, { headline, question: headline, options, recommended: null })
      expect(pick(policy({ cause: 'fault', options: [] }, { answer: '@retry' }), failed)).toBe('@retry')
    }
  })
})

describe('[Y3] a policy never', () => {
  const wide = policy({ headline: '*' })
  const offering = (more: Parameters<typeof option>[1]) =>
    aRecord({}, { options: [option('sqlite', more), option('redis')] })

  it.each([
    ['takes what cannot be undone', offering({ reversible: false })],
    ['takes a label that speaks of danger', offering({ label: 'Force-push it' })],
    ['takes a body that speaks of danger', offering({ body: 'Then I delete the branch.' })],
    ['takes what only a person may', offering({ confirm: true })],
    ['says yes to a dangerous headline', aRecord({}, { headline: 'Deploy it?' })],
    ['says yes to a dangerous question', aRecord({}, { question: 'Shall I rm -rf the folder?' })],
    [
      'allows a dangerous command',
      aRecord({ kind: 'permission' }, { context: { input: 'git push --force' } }),
    ],
    ['decides on a proposal', aRecord({ cause: 'proposal' })],
    [
      'leaves out what an answer must say',
      aRecord({}, { fields: [{ name: 'why', type: 'text', say: '', requiredFor: ['sqlite'], choices: [] }] }),
    ],
    [
      'gives an answer again that a person took back',
      aRecord({
        stages: (['open', 'answered', 'open'] as const).map((status) => ({ status, at: OPENED_AT })),
      }),
    ],
  ])('%s', (_what, decision) => {
    expect(pick(wide, decision)).toBeNull()
  })

  it('stops a run', () => {
    const stops = policy({ headline: '*' }, { answer: '@stop' })
    expect(pick(stops, aRecord({}, { options: [option('@stop')] }))).toBeNull()
  })

  it('answers in place of an earlier one that may not', () => {
    const later = policy({ headline: '*' }, { name: 'later', answer: 'redis' })
    expect(pick([wide, later], offering({ reversible: false }))).toBeNull()
  })
})

describe('a headline fits', () => {
  it.each([
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a*c', 'abc', true],
    ['a*c', 'abcd', false],
    ['a?c', 'aBc', true],
    ['a?c', 'ac', false],
    ['*store*', 'Which store?', true],
    ['*a*b', 'xaxaxb', true],
    ['[a]', 'a', false],
    ['ünd?', 'ÜND😀', true],
  ])('%s of "%s": %s', (glob, text, fits) => {
    expect(globFits(glob, text)).toBe(fits)
  })

  it('or not, soon', () => {
    const before = performance.now()
    expect(globFits('*a'.repeat(50).concat('b'), 'a'.repeat(5_000))).toBe(false)
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})
