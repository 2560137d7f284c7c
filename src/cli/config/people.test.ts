/** People and their tokens, as the command prints them and as the door takes them. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { homeAt } from '../../host/machine/home.ts'
import { openSecret } from '../../http/secret.ts'
import { visitorWith } from '../../http/visitor.ts'
import { until } from '../../until.fixture.ts'
import type { Environment } from '../environment.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { createPlace } from './config.fixture.ts'
import { listPeople, printPersonalToken, revokePerson } from './people.ts'
import { openPeopleList, watchPeopleList } from './people-list.ts'

function openPeople(user?: string) {
  const place = createPlace(user === undefined ? {} : { user })
  const environment: Environment = {
    home: join(place.dir, 'home'),
    configDir: place.configDir,
    user: 'alice',
    session: null,
    ownRun: null,
    issues: null,
    issueFolder: null,
    searchPath: '',
    variables: {},
  }
  const { terminal, out, err } = openPaper()
  const { secret: secretFile } = homeAt(environment.home)
  const config = join(place.configDir, 'config.yaml')
  return { here: { environment, terminal }, config, secretFile, out, err }
}

describe('people', () => {
  it('are you and whoever your config lists', () => {
    const { here, out } = openPeople('people: { maria: { groups: [leads, ops] }, jo: { may: [steer] } }')
    expect(listPeople({ json: true }, here)).toBe(0)
    expect(JSON.parse(out())).toEqual([
      { name: 'alice', groups: [], owner: true, may: ['look', 'ask', 'answer', 'arrange', 'steer'] },
      { name: 'maria', groups: ['leads', 'ops'], owner: false, may: ['look', 'ask', 'answer'] },
      { name: 'jo', groups: [], owner: false, may: ['look', 'ask', 'answer', 'steer'] },
    ])
  })

  it('[V27] get tokens that the door takes until they end, are revoked, or the name leaves the list', () => {
    const { here, config, out, err, secretFile } = openPeople('people: { maria: {}, jo: {} }')
    expect(printPersonalToken({ name: 'maria', forMs: 86_400_000 }, here)).toBe(0)
    const token = out().trim()
    expect(token).toMatch(/^sbp_maria\.\d+\.[\w-]{43}$/)
    expect(err()).toMatch(/^It works until \d{4}-\d\d-\d\d, or until signalbox people revoke maria\.$/m)
    expect(statSync(secretFile).mode & 0o777).toBe(0o600)
    const visitor = (text = token) => {
      const { secrets, colleague } = openPeopleList(here.environment)
      return visitorWith(`Bearer ${text}`, { secrets, colleague, agents: { knows: () => false } })
    }
    expect(visitor()).toMatchObject({ kind: 'person', name: 'maria', isOwner: false })
    expect(visitor(token.replace(/\.\d+\./, `.${Date.now() + 1e12}.`))).toEqual({ kind: 'stranger' })

    expect(revokePerson('maria', here)).toBe(0)
    expect(visitor()).toEqual({ kind: 'stranger' })

    const next = (): string => {
      expect(printPersonalToken({ name: 'maria' }, here)).toBe(0)
      return out().trim().split('\n').at(-1)!
    }
    const second = next()
    expect(second).not.toBe(token)
    expect(visitor(token)).toEqual({ kind: 'stranger' })
    expect(visitor(second)).toMatchObject({ kind: 'person' })
    // Whatever an editor leaves there for a moment is no list without her.
    for (const odd of ['', 'people: {'] as const) {
      writeFileSync(config, odd)
      expect(visitor(second)).toEqual({ kind: 'stranger' })
    }
    writeFileSync(config, 'people: { maria: {} }')
    expect(visitor(second)).toMatchObject({ kind: 'person' })
    writeFileSync(config, 'people: { jo: {} }')
    expect(visitor(second)).toEqual({ kind: 'stranger' })
    writeFileSync(config, 'people: { maria: {} }')
    expect(visitor(second)).toEqual({ kind: 'stranger' })

    const third = next()
    expect(visitor(third)).toMatchObject({ kind: 'person' })
    expect(visitor(second)).toEqual({ kind: 'stranger' })
    rmSync(secretFile)
    expect(visitor(third)).toEqual({ kind: 'stranger' })
  })

  it('[V27] are revoked when they leave the list, also where nobody asks anything meanwhile', async () => {
    const { here, config, out } = openPeople('people: { maria: {} }')
    printPersonalToken({ name: 'maria' }, here)
    const list = openPeopleList(here.environment)
    onTestFinished(watchPeopleList(list, here.environment))
    const mark = join(homeAt(here.environment.home).people, 'maria.mark')
    expect(existsSync(mark)).toBe(true)
    writeFileSync(config, 'people: { jo: {} }')
    await until(() => !existsSync(mark), 'the mark is gone')
    writeFileSync(config, 'people: { maria: {} }')
    const { colleague } = list
    const keys = { secrets: list.secrets, colleague, agents: { knows: () => false } }
    expect(visitorWith(`Bearer ${out().trim()}`, keys)).toEqual({ kind: 'stranger' })
  })

  it('[V27] get none for longer than a year, and are told when one has ended', () => {
    const { here, out, err } = openPeople('people: { maria: {} }')
    expect(printPersonalToken({ name: 'maria', forMs: 400 * 86_400_000 }, here)).toBe(2)
    expect(err()).toContain('at most 366 days')
    printPersonalToken({ name: 'maria', forMs: -1 }, here)
    const { secrets, colleague } = openPeopleList(here.environment)
    const keys = { secrets, colleague, agents: { knows: () => false } }
    expect(visitorWith(`Bearer ${out().trim()}`, keys)).toEqual({ kind: 'expired' })
  })

  it('who are not listed get none, and are told where to be', () => {
    const { here, out, err } = openPeople('people: { maria: {} }')
    expect(printPersonalToken({ name: 'mari' }, here)).toBe(2)
    expect(out()).toBe('')
    expect(err()).toContain('did you mean "maria"?')
    expect(err()).toContain('config.yaml')
  })

  it('are not agents, who get none', () => {
    const { here, out, err } = openPeople('people: { maria: {} }')
    const session = { url: 'http://127.0.0.1:1/mcp', token: 'x' }
    const environment = { ...here.environment, session }
    expect(printPersonalToken({ name: 'maria' }, { ...here, environment })).toBe(1)
    expect([out(), err()]).toEqual(['', expect.stringContaining('an agent’s session cannot')])
    expect(revokePerson('maria', { ...here, environment })).toBe(1)
  })
})

describe('the secret', () => {
  it('is made once, also by several at a time, and never taken when it is cut short', () => {
    const { secretFile } = openPeople()
    const first = openSecret(secretFile)
    expect(first.length).toBeGreaterThanOrEqual(43)
    expect(openSecret(secretFile)).toBe(first)
    expect(readFileSync(secretFile, 'utf8')).toBe(first)
    writeFileSync(secretFile, 'short')
    expect(() => openSecret(secretFile)).toThrow(/cut short/)
  })
})
