/** Channels of the config: only the user's own, with their secrets out of sight, and tried with one command. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { THREADS } from '../../host/notices/outbox.ts'
import { createMemoryJournal } from '../../journal/index.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readConfig } from '../config/config.ts'
import { readEnvironment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { openChannels, withoutSecrets } from './channels.ts'
import { notifyTest } from './notify.ts'
import { lostFindings } from './notify-findings.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const reads = (user: string, project?: string) => {
  const place = createPlace({ user, ...(project === undefined ? {} : { project }) })
  return { place, ...readConfig(place) }
}

const messages = (user: string): string[] =>
  reads(user).diagnostics.map(({ severity, path, message }) => `${severity} ${path}: ${message}`)

describe('`notify` in the config', () => {
  it('is read from the user’s own file', () => {
    const { config, diagnostics } = reads(`public_url: https://box.example/
notify:
  - desktop: true
  - { webhook: https://example.org/in, secret_env: HOOK, events: [opened, closed] }
  - ntfy: https://ntfy.sh/my-topic
    token_file: token
    for: anna
    urgency: high
    full: true
    quiet: { zone: Europe/Vienna, from: 22:00, to: 07:00 }
  - slack: https://hooks.slack.com/services/x
`)
    expect(diagnostics).toEqual([])
    expect(config.publicUrl).toBe('https://box.example')
    expect(config.notify.map(({ kind }) => kind)).toEqual(['desktop', 'webhook', 'ntfy', 'slack'])
    expect(config.notify[0]?.events).toEqual(['opened', 'reminded', 'undeliverable'])
    expect(config.notify[1]).toMatchObject({ secret: { env: 'HOOK' }, events: ['opened', 'closed'] })
    expect(config.notify[2]).toMatchObject({
      audience: 'anna',
      leastUrgency: 'high',
      full: true,
      quiet: { zone: 'Europe/Vienna', fromMinute: 1320, toMinute: 420 },
    })
  })

  it('is shown in the manual as it is', () => {
    const manual = readFileSync(new URL('../../../docs/notifications.md', import.meta.url), 'utf8')
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(manual) ?? []
    const { config, diagnostics } = reads(example)
    expect(diagnostics).toEqual([])
    expect(config.notify.map(({ kind }) => kind)).toEqual(['desktop', 'webhook', 'ntfy', 'slack'])
  })

  it('[N4] is not a project’s to say', () => {
    const { config, diagnostics } = reads(
      'notify: [ { desktop: true } ]',
      'notify: [ { slack: https://evil.example/x } ]\npublic_url: https://evil.example\n',
    )
    expect(config.notify.map(({ kind }) => kind)).toEqual(['desktop'])
    expect(config.publicUrl).toBeNull()
    expect(diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'error A project cannot say where you are told: `notify`.',
      'error A project cannot say where you are told: `public_url`.',
    ])
  })

  it.each([
    ['{ events: [opened] }', 'error notify.0: `notify.0` names no channel.'],
    ['{ desktop: true, slack: https://x }', 'error notify.0: `notify.0` names two channels.'],
    ['{ slack: hooks.example }', 'error notify.0.slack: `notify.0.slack` is no address.'],
    ['{ slack: "file:///etc/passwd" }', 'error notify.0.slack: `notify.0.slack` is no address.'],
    ['{ ntfy: https://ntfy.sh }', 'error notify.0.ntfy: `notify.0.ntfy` names no topic.'],
    ['{ webhook: https://x }', 'error notify.0: `notify.0` has no secret to sign with.'],
    [
      '{ webhook: https://x, secret_env: A, secret_file: b }',
      'error notify.0: `notify.0` has two places for its secret.',
    ],
    ['{ slack: https://x, token_env: A }', 'error notify.0.token_env: `token_env` means nothing to slack.'],
    [
      '{ slack: http://x.example/secret }',
      'warning notify.0.slack: What is sent to `notify.0.slack` can be read on its way.',
    ],
    ['{ desktop: true, events: [opend] }', 'error notify.0.events.0: "opend" is not a value of `0`.'],
    [
      '{ desktop: true, quiet: { zone: Nowhere/Land, from: "1:00", to: "2:00" } }',
      'error notify.0.quiet: `notify.0.quiet` is in no time zone that is known.',
    ],
    [
      '{ desktop: true, quiet: { zone: UTC, from: "1:00", to: "1:00" } }',
      'error notify.0.quiet: `notify.0.quiet` has no beginning and end.',
    ],
  ])('%s', (entry, says) => {
    expect(messages(`notify:\n  - ${entry}\n`)).toEqual([says])
  })

  it('[N4] never tells an address or a secret of what is wrong', () => {
    const { diagnostics } = reads(
      'notify:\n  - { ntfy: https://ntfy.sh/a/hidden-topic }\n  - { slack: hidden-hook }\n',
    )
    expect(diagnostics).toHaveLength(2)
    expect(JSON.stringify(diagnostics)).not.toContain('hidden')
  })
})

describe('the channels', () => {
  it('are the same after a restart, and their names give nothing away', () => {
    const { config } = reads(`notify:
  - { slack: https://hooks.example/very/secret }
  - { slack: https://hooks.example/very/secret }
  - { ntfy: https://ntfy.example/hidden, for: anna }
`)
    const environment = { searchPath: '', variables: {} }
    const [first, second] = [
      openChannels(config.notify, environment),
      openChannels(config.notify, environment),
    ]
    expect(first).toEqual(second)
    expect(first.map(({ name }) => name)).toEqual([
      'slack at hooks.example',
      'slack at hooks.example',
      'ntfy at ntfy.example for anna',
    ])
    const ids = first.map(({ channel }) => ('id' in channel ? channel.id : ''))
    expect(new Set(ids).size).toBe(3)
    expect(ids.join()).not.toMatch(/secret|hidden/)
  })

  it('say what they lack', () => {
    const { config, place } = reads(`notify:
  - desktop: true
  - { webhook: https://x, secret_env: HOOK }
  - { webhook: https://x, secret_file: gone }
`)
    const problems = (variables: Record<string, string>) =>
      openChannels(config.notify, { searchPath: place.searchPath, variables }, 'linux').map(({ channel }) =>
        'problem' in channel ? channel.problem : channel.kind,
      )
    expect(problems({})).toEqual([
      expect.stringContaining('no screen'),
      'the variable HOOK is not set',
      expect.stringContaining('gone does not exist'),
    ])
    expect(problems({ DISPLAY: ':0', HOOK: 'hello' })).toEqual([
      'notify-send is not installed',
      expect.stringMatching(/^its secret should be whsec_/),
      expect.anything(),
    ])
    place.program('notify-send', 'true')
    place.write('user/gone', `${SECRET}\n`)
    expect(problems({ WAYLAND_DISPLAY: 'w', HOOK: SECRET })).toEqual(['desktop', 'webhook', 'webhook'])
  })

  it('keep their secrets from agents', () => {
    const { config } = reads('notify: [ { webhook: https://x, secret_env: HOOK } ]')
    expect(withoutSecrets({ HOOK: SECRET, PATH: '/bin' }, config.notify)).toEqual({ PATH: '/bin' })
  })
})

describe('signalbox doctor', () => {
  it('tells of channels that could not be told something lately', async () => {
    const journal = createMemoryJournal()
    const rowOf = (key: string, rank: number) => {
      const data = { channel: key, name: 'ntfy at ntfy.sh', decision: key, trouble: `HTTP 403: ${key}` }
      return { model: THREADS, key, facet: 'given-up', rank, data }
    }
    const week = 7 * 86_400_000
    const rows = [rowOf('old', week - 1), rowOf('before', week + 1), rowOf('last', week + 2)]
    await journal.append({
      stream: 'x',
      expected: 0,
      events: [],
      tickets: [],
      retire: [],
      settle: null,
      rows,
    })
    expect(await lostFindings(journal, 2 * week)).toEqual([
      {
        about: 'notices',
        state: 'bad',
        text: 'ntfy at ntfy.sh could not be told of 2 decisions in the last week; last: HTTP 403: last',
      },
    ])
  })
})

describe('signalbox notify test', () => {
  const environmentOf = (configDir: string, variables: Record<string, string>, searchPath = '') =>
    readEnvironment({ ...variables, SIGNALBOX_CONFIG: configDir, PATH: searchPath })

  it('says what came of each', async () => {
    const paths: string[] = []
    const server = createServer((request, response) => {
      paths.push(request.url ?? '')
      response.writeHead(request.url === '/hook' ? 204 : 404).end(`no such thing: ${request.url}`)
      request.resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    const { port } = server.address() as { port: number }
    const place = createPlace({
      user: `notify:
  - desktop: true
  - { webhook: "http://127.0.0.1:${port}/hook", secret_env: HOOK }
  - { slack: "http://127.0.0.1:${port}/services/hidden" }
  - { webhook: "http://127.0.0.1:${port}/other", secret_env: UNSET }
`,
    })
    const shown = place.write('shown', '')
    place.program('notify-send', `printf '%s\\n' "$@" > ${shown}`)
    const paper = openPaper()
    const variables = { HOOK: SECRET, DISPLAY: ':0' }
    const environment = environmentOf(place.configDir, variables, `${place.searchPath}:/usr/bin:/bin`)
    expect(await notifyTest({}, { terminal: paper.terminal, environment })).toBe(EXIT.failed)
    expect(paper.out().trim().split('\n')).toEqual([
      process.platform === 'linux' ? '✓ desktop  shown' : expect.anything(),
      `✓ webhook at 127.0.0.1:${port}  HTTP 204`,
      `✗ slack at 127.0.0.1:${port}  HTTP 404: no such thing: …`,
      `✗ webhook at 127.0.0.1:${port}  the variable UNSET is not set`,
    ])
    expect(paths.sort()).toEqual(['/hook', '/services/hidden'])
  })

  it('says what to do where there is none', async () => {
    const place = createPlace({ user: '' })
    const paper = openPaper()
    const environment = environmentOf(place.configDir, {})
    expect(await notifyTest({}, { terminal: paper.terminal, environment })).toBe(EXIT.usage)
    expect(paper.err()).toContain('Add `notify:` to')
  })
})
