/** Config files on disk, the user's and the project's: what they come to, and what is told of wrong ones. */

import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_KEEPS } from '../../host/confinement/keeps/keeps.ts'
import { DEFAULT_RULES } from '../../host/confinement/rules.ts'
import { COMMON_AGENTS } from '../../host/ready-agents/ready-agents.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { createPlace, type Place } from './config.fixture.ts'
import { programFor, readConfig } from './config.ts'

const runsAsRoot = process.getuid?.() === 0

const reads = (files: Parameters<typeof createPlace>[0]) => {
  const place = createPlace(files)
  return { place, ...readConfig(place), use: programIn(place) }
}

const programIn = (place: Place) => (name: string) => programFor(readConfig(place).config, place)(name)

const lines = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(
    ({ at, severity, code, message }) => `${at.line}:${at.column} ${severity}[${code}] ${message}`,
  )

const ready = (name: string) => COMMON_AGENTS.find((each) => each.name === name)

describe('the config', () => {
  it('has defaults where there are no files', () => {
    const { config, diagnostics } = reads({})
    expect(diagnostics).toEqual([])
    expect(config).toEqual({
      agents: {},
      commands: {},
      sandbox: DEFAULT_RULES,
      limits: { agents: 4, commands: 2 },
      people: {},
      notify: [],
      publicUrl: null,
      holdMs: 5000,
      dayLimits: { costUsd: null, tokens: null },
      issues: null,
    })
  })

  it('[L22] says the commands of a project: the project’s own word before the user’s', () => {
    const user = 'commands: { test: "make test", lint: make lint }\n'
    const project =
      'commands: { test: npm test -- --run, setup: { run: npm ci, needs: [package-lock.json] } }\n'
    expect(reads({ user, project })).toMatchObject({
      config: {
        commands: {
          test: { run: 'npm test -- --run', needs: [] },
          lint: { run: 'make lint', needs: [] },
          setup: { run: 'npm ci', needs: ['package-lock.json'] },
        },
      },
      diagnostics: [],
    })
  })

  it('[L22] takes no command that is empty or unknown', () => {
    const { config, diagnostics } = reads({
      project: 'commands: { test: " ", tets: x, setup: { needs: [a] }, lint: [a] }',
    })
    expect(config.commands).toEqual({})
    expect(lines(diagnostics)).toEqual([
      expect.stringMatching(/unknown-key.*`tets`/),
      expect.stringMatching(/wrong-type.*lint/),
      expect.stringMatching(/config.*`commands.setup` is empty/),
      expect.stringMatching(/config.*`commands.test` is empty/),
    ])
  })

  it('[A21] says what all runs of a day may use, from the user’s own file', () => {
    const said = 'limits: { agents: 3, per_day: { cost: 20, tokens: 1000000 } }\n'
    expect(reads({ user: said })).toMatchObject({
      config: { limits: { agents: 3 }, dayLimits: { costUsd: 20, tokens: 1_000_000 } },
      diagnostics: [],
    })
    const project = reads({ user: 'limits: { per_day: { cost: 20 } }\n', project: said })
    expect(project.config.dayLimits).toEqual({ costUsd: 20, tokens: null })
    expect(lines(project.diagnostics)).toEqual([
      '1:22 error[config] A project cannot say what all runs may use in a day.',
    ])
  })

  it('[Q28] says how long an answer can be taken back, from the user’s own file', () => {
    expect(reads({ user: 'answers: { hold: 0s }\n' })).toMatchObject({
      config: { holdMs: 0 },
      diagnostics: [],
    })
    const long = reads({ user: 'answers: { hold: 2m }\n' })
    expect(long.config.holdMs).toBe(5000)
    expect(lines(long.diagnostics)).toEqual(['1:18 error[config] An answer can be held for at most 1m.'])
    const project = reads({ project: 'answers: { hold: 1m }\n' })
    expect(project.config.holdMs).toBe(5000)
    expect(lines(project.diagnostics)).toEqual(['1:1 error[config] A project cannot say how you answer.'])
  })

  it('lists people from the user’s own file, and from no project', () => {
    const people = 'people: { maria: { groups: [leads, ops] }, jo: { may: [steer] } }\n'
    expect(reads({ user: people })).toMatchObject({
      config: {
        people: { maria: { groups: ['leads', 'ops'], may: [] }, jo: { groups: [], may: ['steer'] } },
      },
      diagnostics: [],
    })
    for (const user of [undefined, 'people: { jo: {} }\n']) {
      const { config, diagnostics } = reads({ ...(user === undefined ? {} : { user }), project: people })
      expect(Object.keys(config.people)).toEqual(user === undefined ? [] : ['jo'])
      expect(lines(diagnostics)).toEqual(['1:1 error[config] A project cannot say who may answer.'])
    }
    expect(reads({ user: 'people: { "a b": {}, jo: { groups: 1 }, ok: {} }\n' }).config.people).toEqual({
      ok: { groups: [], may: [] },
    })
  })

  it.each(['', '# nothing yet\n', 'agents:\n  # default: claude\nsandbox:\nlimits:\n', '{}', '---\n'])(
    'takes a file that says nothing: %j',
    (project) => {
      const { config, diagnostics } = reads({ project })
      expect(diagnostics).toEqual([])
      expect(config.limits).toEqual({ agents: 4, commands: 2 })
    },
  )

  it('lets the project win, entry by entry', () => {
    const { config, use } = reads({
      user: 'agents: { default: codex, mine: { acp: user-agent }, only: { acp: o } }\nlimits: { agents: 8 }\n',
      project: 'agents: { default: mine, mine: { acp: project-agent } }\nlimits: { commands: 1 }\n',
    })
    expect(config.limits).toEqual({ agents: 8, commands: 1 })
    expect(use('default')?.argv).toEqual(['project-agent'])
    expect(use('only')?.argv).toEqual(['o'])
  })

  it('reads only the user’s file outside of a project', () => {
    const place = createPlace({ user: 'limits: { agents: 3 }', project: 'limits: { agents: 9 }' })
    expect(readConfig({ ...place, repo: null }).config.limits.agents).toBe(3)
  })
})

describe('an agent of the config', () => {
  it('is described in full', () => {
    const { use, diagnostics } = reads({
      user: `agents:\n  mine: { acp: "my-agent --acp 'a b'", env: { KEY: value, N: "1" }, keeps: ["~/.mine"], permissions: allow }\n  script: { command: "my-script --quiet", prompt: file }\n`,
    })
    expect(diagnostics).toEqual([])
    expect(use('mine')).toEqual({
      name: 'mine',
      driver: 'acp',
      argv: ['my-agent', '--acp', 'a b'],
      prompt: 'stdin',
      env: { KEY: 'value', N: '1' },
      keeps: { ...NO_KEEPS, copied: ['~/.mine'] },
      permissions: 'allow',
      install: '',
    })
    expect(use('script')).toMatchObject({ driver: 'command', argv: ['my-script', '--quiet'], prompt: 'file' })
  })

  it('changes parts of a ready entry', () => {
    const { use, diagnostics } = reads({
      user: 'agents: { claude: { permissions: ask, env: { A: a }, passes: [AWS_PROFILE] } }',
    })
    expect(diagnostics).toEqual([])
    const passes = [...ready('claude')!.passes!, 'AWS_PROFILE']
    expect(use('claude')).toEqual({ ...ready('claude'), permissions: 'ask', env: { A: 'a' }, passes })
  })

  it('replaces the program of a ready entry, which keeps its settings where it did', () => {
    const { use } = reads({ user: 'agents: { claude: { acp: /opt/claude-acp } }' })
    expect(use('claude')).toMatchObject({
      argv: ['/opt/claude-acp'],
      keeps: ready('claude')?.keeps,
      install: '',
    })
  })

  it('names programs and scripts relative to its file, or to the home folder', () => {
    const place = createPlace({
      project:
        'agents: { fake: { scripted: scripts/agent.json }, near: { acp: ../bin/agent }, home: { acp: ~/bin/agent } }',
    })
    place.write('project/.signalbox/scripts/agent.json', '{}')
    expect(readConfig(place).diagnostics).toEqual([])
    const use = programIn(place)
    expect(use('fake')).toMatchObject({
      driver: 'scripted',
      argv: ['--script', join(place.repo, '.signalbox/scripts/agent.json')],
    })
    expect(use('near')?.argv).toEqual([join(place.repo, 'bin/agent')])
    expect(use('home')?.argv).toEqual([join(homedir(), 'bin/agent')])
  })

  it('is told when its script is missing', () => {
    const { diagnostics } = reads({ project: 'agents: { fake: { scripted: gone.json } }' })
    expect(lines(diagnostics)).toEqual([
      expect.stringMatching(/^1:29 warning\[config\] The script \/.*gone\.json does not exist/),
    ])
  })
})

describe('the program for a name', () => {
  it('is a ready entry, a configured one, or none', () => {
    const { use } = reads({})
    expect(use('codex')).toEqual(ready('codex'))
    for (const name of ['nobody', '', 'constructor', '__proto__']) expect(use(name)).toBeNull()
  })

  it('is found through other names', () => {
    const { use, diagnostics } = reads({ user: 'agents: { default: dev, dev: best, best: { acp: a } }' })
    expect(diagnostics).toEqual([])
    expect(use('default')?.name).toBe('best')
  })

  it('is by default the first of the ready ones that is installed', () => {
    const place = createPlace({ user: 'agents: { other: default, gemini: { acp: own-gemini } }' })
    expect(readConfig(place).diagnostics).toEqual([])
    const use = programIn(place)
    expect(use('default')).toBeNull()
    place.program('goose', 'true')
    expect(use('default')?.name).toBe('goose')
    place.program('own-gemini', 'true')
    expect(use('default')?.name).toBe('gemini')
    expect(use('other')?.name).toBe('gemini')
  })

  it('is none for names that go round in a circle', () => {
    const { use, diagnostics } = reads({ user: 'agents:\n  a: b\n  b: a\n  default: default\n  claude: a\n' })
    expect(lines(diagnostics)).toEqual([
      '2:6 error[config] `agents.a` stands for itself in the end.',
      '3:6 error[config] `agents.b` stands for itself in the end.',
      '4:12 error[config] `agents.default` stands for itself in the end.',
      '5:11 error[config] `agents.claude` stands for itself in the end.',
    ])
    for (const name of ['a', 'b', 'default', 'claude']) expect(use(name)).toBeNull()
  })
})

describe('what is wrong in a config', () => {
  it.each([
    ['agnets: {}', '1:1 error[unknown-key] `agnets` is not a key of a config.', 'Did you mean "agents"?'],
    [
      'agents: { x: { acpp: a } }',
      '1:16 error[unknown-key] `acpp` is not a key of `agents.x`.',
      'Did you mean "acp"?',
    ],
    ['agents: { x: 5 }', '1:14 error[wrong-type] `agents.x` should be text or a map, not 5.', undefined],
    ['agents: [a]', '1:9 error[wrong-type] `agents` should be a map of agents, not a list.', undefined],
    ['agents: { 1x: a }', '1:11 error[bad-name] "1x" cannot name an agent: it starts with "1".', undefined],
    [
      'agents: { constructor: { acp: a } }',
      '1:11 error[bad-name] "constructor" cannot name an agent.',
      undefined,
    ],
    ['agents: { x: { permissions: ask } }', '1:14 error[config] `agents.x` names no program.', undefined],
    ['agents: { x: { acp: a, command: b } }', '1:24 error[config] `agents.x` names two programs.', undefined],
    [
      'agents: { x: { acp: "a \'b" } }',
      "1:21 error[config] The quotation mark ' is never closed.",
      undefined,
    ],
    [
      'agents: { x: { acp: a, prompt: file } }',
      '1:24 error[config] `prompt` is for plain commands.',
      undefined,
    ],
    [
      'agents: { x: { acp: a, env: { K: 1.10 } } }',
      '1:34 error[config] `agents.x.env.K` should be text.',
      undefined,
    ],
    [
      'agents: { x: { acp: a, env: { "a b": c } } }',
      '1:31 error[config] "a b" cannot name a variable.',
      undefined,
    ],
    ['agents: { x: { acp: a, env: [K] } }', '1:29 error[config] `agents.x.env` should be a map.', undefined],
    [
      'agents: { x: cluade }',
      '1:14 error[config] There is no agent "cluade"; did you mean "claude"?',
      undefined,
    ],
    [
      'agents: { claude: { permissions: alow } }',
      '1:34 error[unknown-value] "alow" is not a value of `permissions`.',
      'Did you mean "allow"?',
    ],
    [
      'sandbox: { use: of }',
      '1:17 error[unknown-value] "of" is not a value of `use`.',
      'Did you mean "off"?',
    ],
    [
      'sandbox: { network: maybe }',
      '1:21 error[unknown-value] "maybe" is not a value of `network`.',
      undefined,
    ],
    [
      'limits: { agents: 0 }',
      '1:19 error[wrong-type] `limits.agents` should be from 1 to 64, not 0.',
      undefined,
    ],
    [
      'limits: { agents: 1.5 }',
      '1:19 error[wrong-type] `limits.agents` should be a whole number, not 1.5.',
      undefined,
    ],
    ['just text', '1:1 error[wrong-type] The file should be a map, not the text "just text".', undefined],
    ['a: [', expect.stringMatching(/error\[yaml-syntax\]/), undefined],
    ['limits: {}\nlimits: {}', expect.stringMatching(/^2:1 error\[duplicate-key\]/), undefined],
  ])('%s', (project, expected, help) => {
    const { diagnostics, place } = reads({ project })
    expect(lines(diagnostics)).toEqual([expected])
    expect(diagnostics[0]?.file).toBe(join(place.repo, '.signalbox/config.yaml'))
    if (help !== undefined) expect(diagnostics[0]?.help).toBe(help)
  })

  it('does not take the rest with it', () => {
    const { config, use } = reads({
      project:
        'agents: { x: { acp: 5 }, y: { acp: why } }\nsandbox: { use: required, netwrok: false }\nlimits: { agents: 99, commands: 3 }\n',
    })
    expect(use('x')).toBeNull()
    expect(use('y')?.argv).toEqual(['why'])
    expect(config.sandbox.use).toBe('required')
    expect(config.limits).toEqual({ agents: 4, commands: 3 })
  })

  it('warns of what only a shell would do', () => {
    const { diagnostics, use } = reads({ project: 'agents: { x: { acp: a && b } }' })
    expect(lines(diagnostics)).toEqual([
      '1:21 warning[config] There is no shell here: "&&" is passed on as it stands.',
    ])
    expect(use('x')?.argv).toEqual(['a', '&&', 'b'])
  })
})

describe('a config file that cannot be read', () => {
  it.each([
    ['a folder', (file: string) => mkdirSync(file), /is a folder, not a file/],
    ['a link to itself', (file: string) => symlinkSync(file, file), /is a link that leads to itself/],
    ['a link to nowhere', (file: string) => symlinkSync('gone', file), /does not exist/],
  ])('%s is told', (_what, make, says) => {
    const place = createPlace({ user: 'limits: { agents: 5 }', project: '' })
    const file = join(place.repo, '.signalbox/sub/config.yaml')
    place.write('project/.signalbox/sub/x', '')
    make(file)
    const { config, diagnostics } = readConfig({ configDir: join(place.repo, '.signalbox/sub'), repo: null })
    expect(lines(diagnostics)).toEqual([expect.stringMatching(says)])
    expect(config.limits.agents).toBe(4)
  })

  it('a huge or a binary one is told', () => {
    const place = createPlace()
    place.write('user/config.yaml', '#'.repeat(600 * 1024))
    place.write('project/.signalbox/config.yaml', Uint8Array.of(0x6c, 0xff, 0xfe, 0))
    expect(lines(readConfig(place).diagnostics)).toEqual([
      expect.stringMatching(/unreadable.* has 600 KiB; at most 512 KiB are read/),
      '1:2 error[not-utf8] The byte 0xFF is not UTF-8.',
    ])
  })

  it('aliases of aliases are cut short', () => {
    const bomb = [
      'a: &a [x]',
      ...'bcdefghij'
        .split('')
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(', ')}]`),
    ]
    const { diagnostics } = reads({ project: bomb.join('\n') })
    expect(lines(diagnostics)).toEqual([expect.stringMatching(/error\[too-large\]/)])
  })

  it.skipIf(runsAsRoot)('one that may not be read is told', () => {
    const place = createPlace({ user: 'limits: {}' })
    chmodSync(join(place.configDir, 'config.yaml'), 0)
    expect(lines(readConfig(place).diagnostics)).toEqual([expect.stringMatching(/may not be read by you/)])
  })

  it('[D19] takes a model for an agent, and nothing that could be an option for one', () => {
    const good = createPlace({ user: 'agents: { claude: { model: claude-sonnet-4-5 } }' })
    const { config } = readConfig({ configDir: good.configDir, repo: null })
    expect(config.agents['claude']).toMatchObject({ model: 'claude-sonnet-4-5', argv: ['claude-agent-acp'] })
    const bad = createPlace({ user: 'agents: { claude: { model: "--yolo x" } }' })
    expect(readConfig({ configDir: bad.configDir, repo: null }).diagnostics).toMatchObject([
      { message: '"--yolo x" cannot be the name of a model.' },
    ])
  })
})
