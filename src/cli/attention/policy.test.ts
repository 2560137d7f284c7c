import { lstatSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Suggestion } from '../../attention/suggestion.ts'
import { PRINTED } from '../../model/api/printed.ts'
import { FailureError } from '../../model/failure.ts'
import { createPlace } from '../config/config.fixture.ts'
import { EXIT } from '../exit.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { NOW, openAnsweredInbox } from './answered-inbox.fixture.ts'
import { type PolicyLine, policyCheck, policyList } from './policy.ts'
import { policyFileAt, readPolicyText } from './policy-file.ts'
import { policySuggest, type SuggestOptions } from './policy-suggest.ts'

const MONTH_MS = 30 * 86_400_000
const policyNamed = (name: string, until = '2027-01-31'): string =>
  `  - { name: ${name}, when: { agent: helper }, answer: sqlite, until: ${until} }\n`

function open(file?: string) {
  const place = createPlace()
  if (file !== undefined) place.write('user/policies.yaml', file)
  const inbox = openAnsweredInbox()
  const paper = openPaper()
  const setting = { terminal: paper.terminal, configDir: place.configDir, now: NOW }
  const full = { ...setting, operations: inbox.operations }
  return {
    ...inbox,
    ...paper,
    place,
    file: policyFileAt(place.configDir),
    list: (options = {}) => policyList(options, full),
    check: (options = {}) => policyCheck(options, setting),
    suggest: (options: Partial<SuggestOptions> = {}) =>
      policySuggest({ since: MONTH_MS, min: 5, ...options }, full),
  }
}

describe('policy list', () => {
  it('tells which are in force, which have expired, which are gone, and how often each was used', async () => {
    const here = open(`policies:\n${policyNamed('kept')}${policyNamed('old', '2026-11-15')}`)
    for (const name of ['kept', 'kept', 'removed'])
      await here.answered('sqlite', { by: { kind: 'policy', name } })
    await here.answered('redis')
    expect(await here.list({ json: true })).toBe(EXIT.ok)
    const lines = JSON.parse(here.out()) as PolicyLine[]
    expect(lines.map(({ name, state, used }) => `${name}: ${state}, ${used}`)).toEqual([
      'kept: in force, 2',
      'old: expired, 0',
      'removed: gone, 1',
    ])
    expect(await here.list()).toBe(EXIT.ok)
    expect(here.out()).toMatch(/^kept +in force +2027-01-31 +2 +sqlite +agent helper$/m)
  })

  it('is in force to the end of its last day', async () => {
    const here = open(`policies:\n${policyNamed('today', '2026-11-16')}`)
    await here.list({ json: true })
    expect(JSON.parse(here.out())).toMatchObject([{ state: 'in force' }])
  })

  it('tells where to begin', async () => {
    const here = open()
    expect(await here.list()).toBe(EXIT.ok)
    expect(here.out()).toContain(here.file)
  })

  it('tells what is wrong with the file instead', async () => {
    const here = open('policies: [ { name: a } ]')
    expect(await here.list()).toBe(EXIT.failed)
    expect(here.out()).toContain('has no `until`')
  })
})

describe('policy check', () => {
  it.each([
    [undefined, EXIT.ok, /no decision is answered without you/],
    [`policies:\n${policyNamed('a')}`, EXIT.ok, /✓ .*policies\.yaml: 1 policy$/m],
    [`policies:\n${policyNamed('a', '2020-01-01')}`, EXIT.ok, /1 policy, of which 1 expired: a$/m],
    ['policies: [ { name: a } ]', EXIT.failed, /error\[missing-key\] `policies\.0` has no `until`/],
  ])('%j', (text, code, says) => {
    const here = open(text)
    expect(here.check()).toBe(code)
    expect(here.out()).toMatch(says)
  })

  it('tells it as data', () => {
    const here = open('policies: [ 5 ]')
    expect(here.check({ json: true })).toBe(EXIT.failed)
    expect(JSON.parse(here.out())).toMatchObject({ policies: [], diagnostics: [{ code: 'wrong-type' }] })
  })
})

const NAME = /^helper-outside-sqlite-[0-9a-f]{8}$/

describe('policy suggest', () => {
  const suggestedName = async (here: ReturnType<typeof open>): Promise<string> => {
    const before = here.out().length
    await here.suggest({ json: true, disagreeing: true })
    return (JSON.parse(here.out().slice(before)) as Suggestion[])[0]!.policy.name
  }
  const nineOfTen = async (here: ReturnType<typeof open>): Promise<string> => {
    const odd = await here.answered('redis', { daysAgo: 90 })
    for (let days = 9; days > 0; days--) await here.answered('sqlite', { daysAgo: days })
    return odd
  }

  it('prints what could be pasted, with what it would have got wrong', async () => {
    const here = open()
    const odd = await nineOfTen(here)
    expect(await here.suggest({ disagreeing: true })).toBe(EXIT.ok)
    expect(here.out()).toContain('# 9 of 9 answers were the same.')
    expect(here.out()).toContain('it would have answered 10, and disagreed with you 1 time:')
    expect(here.out()).toContain(`#   ${odd}  Which store for sessions?: you picked redis, not sqlite`)
    const { policies, diagnostics } = readPolicyText(here.out(), 'x')
    expect(diagnostics).toEqual([])
    expect(policies).toMatchObject([
      {
        name: expect.stringMatching(NAME),
        when: {
          kind: '',
          runbook: '',
          step: '',
          cause: 'outside',
          agent: 'helper',
          in: '',
          like: 'Which store for sessions?',
          says: expect.arrayContaining([
            expect.stringMatching(/^question: /),
            expect.stringMatching(/^text sqlite: /),
          ]),
          takes: 'recommended',
          options: ['redis', 'sqlite'],
        },
        answer: 'sqlite',
        until: '2027-02-14',
      },
    ])
  })

  it('[J9] leaves a decision out whose record was changed, and says so', async () => {
    const here = open()
    await nineOfTen(here)
    const changed = await here.answered('sqlite')
    const { decisions } = here.operations
    const show = decisions.show.bind(decisions)
    decisions.show = (id) =>
      id === changed ? Promise.reject(new FailureError('altered', 'It was changed.')) : show(id)
    expect(await here.suggest({ disagreeing: true })).toBe(EXIT.ok)
    expect(here.out()).toContain('# 9 of 9 answers were the same.')
    expect(here.out()).toContain(`# Without ${changed}, whose record was changed`)
  })

  it('tells it as data', async () => {
    const here = open()
    await nineOfTen(here)
    await here.suggest({ json: true, disagreeing: true })
    expect(PRINTED['policy-suggest'].schema.parse(JSON.parse(here.out()))).toHaveLength(1)
    expect(JSON.parse(here.out())).toMatchObject([
      {
        policy: { answer: 'sqlite' },
        same: 9,
        of: 9,
        backTest: { answered: 10, disagreed: [{ picked: 'redis' }] },
      },
    ])
  })

  it('[Y6] leaves out what would have answered something otherwise, and says so', async () => {
    const here = open()
    await nineOfTen(here)
    await here.suggest()
    expect(here.out()).toContain('# 1 left out, which would have answered something otherwise than you did')
    expect(here.out()).toContain('Nothing to suggest')
  })

  it('looks no further back than it is told, and has patience', async () => {
    const here = open()
    await nineOfTen(here)
    await here.suggest({ since: 4 * 86_400_000 })
    await here.suggest({ min: 10 })
    expect(here.out().match(/Nothing to suggest/g)).toHaveLength(2)
  })

  it('suggests nothing whose option speaks of danger only in its text', async () => {
    const here = open()
    const options = [
      { key: 'sqlite', label: 'SQLite', body: 'And drop the old table.' },
      { key: 'redis', label: 'Redis' },
    ]
    for (let days = 9; days > 0; days--)
      await here.answered('sqlite', { daysAgo: days, payload: { options } })
    await here.suggest()
    expect(here.out()).toContain('Nothing to suggest')
  })

  it('writes a new file when one is ratified, and then has nothing more to suggest', async () => {
    const here = open()
    await nineOfTen(here)
    const name = await suggestedName(here)
    expect(await here.suggest({ ratify: name, disagreeing: true })).toBe(EXIT.ok)
    const text = readFileSync(here.file, 'utf8')
    expect(text).toMatch(/^# Answers that Signalbox gives/)
    expect(text).toContain('# Ratified on 2026-11-16. 9 of 9 answers were the same.')
    expect(readPolicyText(text, 'x').policies).toMatchObject([{ name }])
    expect(lstatSync(here.file).mode & 0o077).toBe(0)
    await here.suggest()
    expect(here.out()).toContain('Nothing to suggest')
  })

  it('keeps what stands in the file, also behind a link', async () => {
    const mine =
      '# Mine.\npolicies:\n  # The first.\n  - { name: a, when: { kind: b }, answer: c, until: 2027-01-31 } # ok\n'
    const here = open(mine)
    const real = here.place.write('dotfiles/policies.yaml', '')
    renameSync(here.file, real)
    symlinkSync(real, here.file)
    await nineOfTen(here)
    const name = await suggestedName(here)
    expect(await here.suggest({ ratify: name, disagreeing: true })).toBe(EXIT.ok)
    expect(lstatSync(here.file).isSymbolicLink()).toBe(true)
    const text = readFileSync(real, 'utf8')
    expect(text.startsWith(mine.trimEnd())).toBe(true)
    expect(readPolicyText(text, 'x').policies.map(({ name }) => name)).toEqual(['a', name])
  })

  it('ratifies only what it suggests', async () => {
    const here = open()
    await nineOfTen(here)
    expect(await here.suggest({ ratify: 'other', disagreeing: true })).toBe(EXIT.usage)
    expect(here.err()).toMatch(/Suggested are: helper-outside-sqlite-[0-9a-f]{8}\./)
  })

  it('[Y8] ratifies what was shown, and refuses when that has changed', async () => {
    const here = open()
    for (let days = 9; days > 3; days--)
      await here.answered('sqlite', { daysAgo: days, payload: { headline: `Update lockfile ${days}?` } })
    const name = await suggestedName(here)
    // Meanwhile others are answered alike, and come first.
    for (let count = 0; count < 7; count++) await here.answered('sqlite', { daysAgo: 2 })
    expect(await suggestedName(here)).not.toBe(name)
    expect(await here.suggest({ ratify: name })).toBe(EXIT.ok)
    const [ratified] = readPolicyText(readFileSync(here.file, 'utf8'), 'x').policies
    expect(ratified).toMatchObject({ name, when: { like: 'Update lockfile {number 00}?' } })
    // It now stands for more than it did.
    const other = open()
    for (let days = 9; days > 3; days--)
      await other.answered('sqlite', { daysAgo: days, payload: { headline: `Update lockfile ${days}?` } })
    const shown = await suggestedName(other)
    await other.answered('sqlite', { daysAgo: 2, payload: { headline: 'Update lockfile 400000000?' } })
    expect(await other.suggest({ ratify: shown })).toBe(EXIT.usage)
    expect(other.err()).toContain('has changed has another name')
    expect(() => lstatSync(other.file)).toThrow()
  })

  it('[Y8] answers nothing by a pattern of the headline alone, says so, and suggests it anew', async () => {
    const old = `policies:
  - { name: old, when: { kind: '', cause: outside, agent: helper, like: 'Which store for sessions?', options: [ redis, sqlite ], takes: recommended }, answer: sqlite, until: 2027-01-31 }
`
    const here = open(old)
    for (let days = 9; days > 0; days--) await here.answered('sqlite', { daysAgo: days })
    expect(await here.list()).toBe(EXIT.ok)
    expect(here.out()).toMatch(/^old +incomplete /m)
    expect(here.check()).toBe(EXIT.ok)
    expect(here.out()).toContain('without `says` it answers nothing')
    const name = await suggestedName(here)
    expect(await here.suggest({ ratify: name })).toBe(EXIT.ok)
    expect(readPolicyText(readFileSync(here.file, 'utf8'), 'x').policies).toHaveLength(2)
  })

  it('leaves a broken file alone', async () => {
    const here = open('policies: [')
    await nineOfTen(here)
    expect(await here.suggest({ ratify: 'helper-outside-sqlite-01234567', disagreeing: true })).toBe(
      EXIT.failed,
    )
    expect(readFileSync(here.file, 'utf8')).toBe('policies: [')
  })
})
