/** People and their tokens, as the command prints them and as the door takes them. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { homeAt } from '../../host/machine/home.ts'
import { openSecret } from '../../http/secret.ts'
import { visitorWith } from '../../http/visitor.ts'
import type { Environment } from '../environment.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { createPlace } from './config.fixture.ts'
import { listPeople, printPersonalToken } from './people.ts'

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
  return { here: { environment, terminal }, secretFile: homeAt(environment.home).secret, out, err }
}

describe('people', () => {
  it('are you and whoever your config lists', () => {
    const { here, out } = openPeople('people: { maria: { groups: [leads, ops] }, jo: {} }')
    expect(listPeople({ json: true }, here)).toBe(0)
    expect(JSON.parse(out())).toEqual([
      { name: 'alice', groups: [], owner: true },
      { name: 'maria', groups: ['leads', 'ops'], owner: false },
      { name: 'jo', groups: [], owner: false },
    ])
  })

  it('get the same token each time, which the door takes', () => {
    const { here, out, secretFile } = openPeople('people: { maria: {} }')
    expect([printPersonalToken('maria', here), printPersonalToken('maria', here)]).toEqual([0, 0])
    const [token, again] = out().trim().split('\n')
    expect(again).toBe(token)
    expect(token).toMatch(/^sbp_maria\.[\w-]{43}$/)
    expect(statSync(secretFile).mode & 0o777).toBe(0o600)
    const keys = {
      token: 't',
      owner: 'alice',
      secret: openSecret(secretFile),
      isPerson: (name: string) => name === 'maria',
      agents: { knows: () => false },
    }
    expect(visitorWith(`Bearer ${token}`, keys)).toEqual({ kind: 'person', name: 'maria', isOwner: false })
    expect(visitorWith(`Bearer ${token}`, { ...keys, isPerson: () => false })).toEqual({ kind: 'stranger' })
    rmSync(secretFile)
    const renewed = { ...keys, secret: openSecret(secretFile) }
    expect(visitorWith(`Bearer ${token}`, renewed)).toEqual({ kind: 'stranger' })
  })

  it('who are not listed get none, and are told where to be', () => {
    const { here, out, err } = openPeople('people: { maria: {} }')
    expect(printPersonalToken('mari', here)).toBe(2)
    expect(out()).toBe('')
    expect(err()).toContain('did you mean "maria"?')
    expect(err()).toContain('config.yaml')
  })

  it('are not agents, who get none', () => {
    const { here, out, err } = openPeople('people: { maria: {} }')
    const session = { url: 'http://127.0.0.1:1/mcp', token: 'x' }
    const environment = { ...here.environment, session }
    expect(printPersonalToken('maria', { ...here, environment })).toBe(1)
    expect([out(), err()]).toEqual(['', expect.stringContaining('an agent’s session cannot')])
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
