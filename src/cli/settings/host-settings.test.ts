/** What a host tells of itself: the same as the commands, without an address and without a secret. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NOW, openAnsweredInbox } from '../attention/answered-inbox.fixture.ts'
import { readPolicyFile } from '../attention/policy-file.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readConfig } from '../config/config.ts'
import { readEnvironment } from '../environment.ts'
import { createHostSettings } from './host-settings.ts'
import { ratifyPolicy, reportPolicies } from './policy-report.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

function open(user = '', variables: Record<string, string> = {}) {
  const place = createPlace({ user })
  const environment = readEnvironment({
    ...variables,
    HOME: place.dir,
    SIGNALBOX_HOME: join(place.dir, 'data'),
    SIGNALBOX_CONFIG: place.configDir,
    PATH: place.searchPath,
  })
  const { config } = readConfig({ configDir: place.configDir, repo: null })
  return { place, settings: createHostSettings({ environment, started: config }) }
}

describe('the agents', () => {
  it('are listed with how each is found, and asked only when somebody wants it', async () => {
    const { place, settings } = open('agents: { mine: { acp: mine, model: large } }')
    place.program('mine', '[ "$1" = --version ] && echo "mine 3.1" || exit 3')
    const { agents, problems } = await settings.agents()
    expect(problems).toEqual([])
    expect(agents[0]).toMatchObject({ name: 'mine', version: 'mine 3.1', model: 'large', probe: null })
    expect(agents.find(({ name }) => name === 'claude')).toMatchObject({
      path: null,
      keeps: expect.any(Array),
    })
    const probed = await settings.probe('mine')
    expect(probed).toMatchObject({ name: 'mine', probe: { problem: expect.stringContaining('3') } })
    expect(await settings.probe('min')).toEqual({
      code: 'unknown',
      problem: expect.stringContaining('"mine"'),
    })
  })
})

describe('the channels', () => {
  it('[U13] are told without their addresses, and tried for real', async () => {
    const paths: string[] = []
    const server = createServer((request, response) => {
      paths.push(request.url ?? '')
      request.resume()
      response.writeHead(204).end()
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { place, settings } = open(
      `notify:
  - { slack: "http://127.0.0.1:${port}/services/hidden", for: anna, quiet: { zone: Europe/Vienna, from: 22:00, to: 07:00 } }
  - { webhook: "http://127.0.0.1:${port}/hook?key=hidden", secret_env: HOOK }
`,
      { HOOK: SECRET },
    )
    const channels = await settings.channels()
    expect(channels).toMatchObject([
      {
        name: `slack at 127.0.0.1:${port} for anna`,
        audience: 'anna',
        quiet: '22:00 to 07:00, Europe/Vienna',
        problem: null,
        inForce: true,
      },
      { kind: 'webhook', problem: null },
    ])
    expect(JSON.stringify(channels)).not.toMatch(/hidden|whsec/)
    expect(await settings.test(channels[0]!.id)).toMatchObject({ result: 'sent', detail: 'HTTP 204' })
    expect(paths).toEqual(['/services/hidden'])
    expect(await settings.test('none')).toMatchObject({ code: 'unknown' })
    place.write('user/config.yaml', `notify: [ { slack: "http://127.0.0.1:${port}/another" } ]`)
    expect(await settings.channels()).toMatchObject([{ kind: 'slack', inForce: false }])
  })
})

describe('the policies', () => {
  const policies =
    'policies:\n  - { name: mine, when: { agent: helper }, answer: sqlite, until: 2027-01-31 }\n'

  it('[U13] are told with what each would have answered wrongly', async () => {
    const { place } = open()
    place.write('user/policies.yaml', policies)
    const inbox = openAnsweredInbox()
    for (let times = 0; times < 3; times++) await inbox.answered('sqlite')
    const wrong = await inbox.answered('redis')
    const report = await reportPolicies(inbox.operations, { configDir: place.configDir, now: NOW })
    expect(report.policies).toMatchObject([
      {
        name: 'mine',
        state: 'in force',
        when: 'agent helper',
        backTest: { answered: 4, disagreed: 1, cases: [{ id: wrong, would: 'sqlite', picked: 'redis' }] },
      },
    ])
  })

  it('are suggested and ratified as on the command line', async () => {
    const { place } = open()
    const inbox = openAnsweredInbox()
    for (let times = 0; times < 9; times++) await inbox.answered('sqlite')
    const wrong = await inbox.answered('redis')
    const here = { configDir: place.configDir, now: NOW }
    const { suggested } = await reportPolicies(inbox.operations, here)
    expect(suggested).toMatchObject([
      { answer: 'sqlite', same: 9, of: 10, backTest: { cases: [{ id: wrong }] } },
    ])
    const { name } = suggested[0]!
    expect(await ratifyPolicy({ name: 'other', history: inbox.operations }, here)).toMatchObject({
      code: 'unknown',
    })
    expect(await ratifyPolicy({ name, history: inbox.operations }, here)).toMatchObject({ name })
    expect(readPolicyFile(place.configDir).policies).toMatchObject([{ name }])
    expect((await reportPolicies(inbox.operations, here)).suggested).toEqual([])
  })

  it('are not told in part where their file is wrong', async () => {
    const { place } = open()
    place.write('user/policies.yaml', 'policies: [')
    const inbox = openAnsweredInbox()
    const here = { configDir: place.configDir, now: NOW }
    const report = await reportPolicies(inbox.operations, here)
    expect(report).toMatchObject({ policies: [], problems: [expect.stringContaining('policies.yaml')] })
    expect(await ratifyPolicy({ name: 'a', history: inbox.operations }, here)).toMatchObject({
      code: 'cannot-write',
    })
  })
})

describe('what is in force', () => {
  it('is what the doctor finds, in a process of its own', async () => {
    const { place, settings } = open('people: { maria: 5 }')
    place.write('data/agents.json', '{}')
    place.program('git', 'echo git version 9')
    const findings = await settings.doctor()
    expect(findings).toContainEqual({ about: 'git', state: 'good', text: 'git version 9' })
    expect(findings).toContainEqual(expect.objectContaining({ about: 'config', state: 'bad' }))
    expect(await settings.sandbox()).toContainEqual(expect.objectContaining({ about: 'sandbox' }))
  })
})
