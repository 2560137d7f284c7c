import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPlace } from '../config/config.fixture.ts'
import { createPolicyReader, endOfDay, policyFileAt, readPolicyFile, readPolicyText } from './policy-file.ts'

const GOOD = '{ name: a, when: { kind: tradeoff }, answer: keep, until: 2027-01-31 }'
const reads = (text: string) => readPolicyText(text, 'policies.yaml')
const lines = (text: string): string[] =>
  reads(text).diagnostics.map(({ at, code, message }) => `${at.line}:${at.column} [${code}] ${message}`)

describe('a policy file', () => {
  it('says when which answer is given, and how long', () => {
    const { policies, diagnostics } = reads(`policies:
  - name: keep-sqlite
    when:
      kind: tradeoff
      runbook: build
      step: develop
      cause: agent
      agent: dev
      repo: ~/work
      headline: "*store*"
      options: [sqlite, redis]
    answer: recommended
    confidence: 0.8
    until: 2027-01-31
    note: We stay with one file.
  - { name: again, when: { cause: fault }, answer: retry, until: "2027-02-01" }
`)
    expect(diagnostics).toEqual([])
    expect(policies).toEqual([
      {
        name: 'keep-sqlite',
        when: {
          kind: 'tradeoff',
          runbook: 'build',
          step: 'develop',
          cause: 'agent',
          agent: 'dev',
          repo: join(homedir(), 'work'),
          headline: '*store*',
          options: ['sqlite', 'redis'],
        },
        answer: 'recommended',
        confidence: 0.8,
        until: '2027-01-31',
        expiresAt: new Date(2027, 1, 1).getTime(),
        note: 'We stay with one file.',
      },
      {
        name: 'again',
        when: { cause: 'fault' },
        answer: '@retry',
        confidence: null,
        until: '2027-02-01',
        expiresAt: new Date(2027, 1, 2).getTime(),
        note: '',
      },
    ])
  })

  it.each([[''], ['# nothing yet\n'], ['policies: []\n']])('may be empty: %j', (text) => {
    expect(reads(text)).toEqual({ policies: [], diagnostics: [], problem: null })
  })

  it.each([
    [
      'no until',
      '{ name: a, when: { kind: b }, answer: c }',
      '1:13 [missing-key] `policies.0` has no `until`.',
    ],
    [
      'no name',
      '{ when: { kind: b }, answer: c, until: 2027-01-31 }',
      '1:13 [missing-key] `policies.0` has no `name`.',
    ],
    [
      'a day that is none',
      '{ name: a, when: { kind: b }, answer: c, until: 2027-02-30 }',
      '1:61 [policy] "2027-02-30" is not a day.',
    ],
    [
      'a time that is no day',
      '{ name: a, when: { kind: b }, answer: c, until: 90d }',
      '1:61 [policy] "90d" is not a day.',
    ],
    [
      'no condition',
      '{ name: a, when: {}, answer: c, until: 2027-01-31 }',
      '1:30 [policy] `policies.0.when` has no condition.',
    ],
    [
      'a misspelt condition',
      '{ name: a, when: { knid: b }, answer: c, until: 2027-01-31 }',
      '1:32 [unknown-key] `knid` is not a key of `policies.0.when`.',
    ],
    [
      'a cause that none is',
      '{ name: a, when: { cause: proposal }, answer: c, until: 2027-01-31 }',
      '1:39 [unknown-value] "proposal" is not a value of `cause`.',
    ],
    [
      'a stop',
      '{ name: a, when: { kind: b }, answer: "@stop", until: 2027-01-31 }',
      '1:51 [policy] A policy never stops a run.',
    ],
    [
      'too much confidence',
      '{ name: a, when: { kind: b }, answer: c, confidence: 80, until: 2027-01-31 }',
      '1:66 [wrong-type] `policies.0.confidence` should be from 0 to 1, not 80.',
    ],
    [
      'a name with a space',
      '{ name: A b, when: { kind: b }, answer: c, until: 2027-01-31 }',
      '1:21 [policy] "A b" cannot name a policy.',
    ],
    [
      'a repository that could be anywhere',
      '{ name: a, when: { repo: work }, answer: c, until: 2027-01-31 }',
      '1:38 [policy] "work" could be anywhere.',
    ],
  ])('[Y2] [Y4] tells of %s, where it stands and what would be right', (_what, policy, line) => {
    const text = `policies: [ ${policy} ]`
    expect(lines(text)).toEqual([line])
    expect(reads(text).diagnostics[0]?.help).toMatch(/\w/)
  })

  it('tells of two of the same name', () => {
    expect(lines(`policies:\n  - ${GOOD}\n  - ${GOOD}\n`)).toEqual([
      '3:13 [policy] Two policies are called "a"; the first is on line 2.',
    ])
  })

  it('[Y4] is not applied in part', () => {
    expect(reads(`policies:\n  - ${GOOD}\n  - { name: b }\n`).policies).toEqual([])
  })

  it.each([['policies: 5'], ['- a'], ['a: ['], ['policies: [5]'], ['polices: []']])('%j is told', (text) => {
    const { policies, diagnostics } = reads(text)
    expect(policies).toEqual([])
    expect(diagnostics.length).toBeGreaterThan(0)
  })
})

describe("the user's policies", () => {
  it('are in one file beside the config, and need not be there', () => {
    const place = createPlace()
    expect(readPolicyFile(place.configDir)).toEqual({
      file: join(place.configDir, 'policies.yaml'),
      exists: false,
      policies: [],
      diagnostics: [],
      problem: null,
    })
    place.write('user/policies.yaml', `policies: [ ${GOOD} ]`)
    expect(readPolicyFile(place.configDir)).toMatchObject({ exists: true, policies: [{ name: 'a' }] })
  })

  it('are not in two', () => {
    const place = createPlace()
    place.write('user/policies.yml', '')
    place.write('user/policies.yaml', `policies: [ ${GOOD} ]`)
    const { policies, diagnostics } = readPolicyFile(place.configDir)
    expect(policies).toEqual([])
    expect(diagnostics).toMatchObject([{ message: expect.stringMatching(/policies\.yml is not read/) }])
  })

  it.each([
    ['a folder', (file: string) => mkdirSync(file), /is a folder/],
    ['a link to nowhere', (file: string) => symlinkSync('gone', file), /does not exist/],
    ['not UTF-8', (file: string) => writeFileSync(file, Uint8Array.of(0x6c, 0xff)), /not UTF-8/],
  ])('are told of where they cannot be read: %s', (_what, make, says) => {
    const place = createPlace({ user: '' })
    make(policyFileAt(place.configDir))
    const { exists, policies, diagnostics } = readPolicyFile(place.configDir)
    expect({ exists, policies }).toEqual({ exists: true, policies: [] })
    expect(diagnostics).toMatchObject([{ message: expect.stringMatching(says) }])
  })

  it('are read again when the file has changed, and not otherwise', async () => {
    const place = createPlace()
    const read = createPolicyReader(place.configDir)
    expect((await read()).exists).toBe(false)
    const file = place.write('user/policies.yaml', `policies: [ ${GOOD} ]`)
    const first = await read()
    expect(first.policies).toMatchObject([{ name: 'a' }])
    expect(await read()).toBe(first)
    utimesSync(file, 1, 1)
    expect(await read()).not.toBe(first)
    place.write('user/policies.yaml', 'policies: [')
    expect((await read()).problem).toMatch(/policies\.yaml:1:\d+ \w/)
  })
})

it.each([
  ['2027-01-31', new Date(2027, 1, 1).getTime()],
  ['2028-02-29', new Date(2028, 2, 1).getTime()],
  ['2027-02-29', null],
  ['2027-13-01', null],
  ['27-01-01', null],
  ['tomorrow', null],
])('the end of %s', (text, end) => {
  expect(endOfDay(text)).toBe(end)
})

it('the manual shows a file that would be taken as it is', () => {
  const manual = readFileSync(join(import.meta.dirname, '../../../docs/policies.md'), 'utf8')
  const [, shown = ''] = /```yaml\n(.*?)```/s.exec(manual) ?? []
  const { policies, diagnostics } = reads(shown)
  expect(diagnostics).toEqual([])
  expect(policies).toHaveLength(2)
})
