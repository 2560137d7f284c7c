/** Trials of scripted agents: one that does everything right, and some that do not. */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NO_KEEPS } from '../../host/confinement/keeps/keeps.ts'
import type { AgentProgram } from '../../host/session/agent-program.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readConfig } from '../config/config.ts'
import { readEnvironment } from '../environment.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import type { CommandSetting } from '../wiring.ts'
import { testAgent, tryOut } from './trial.ts'
import { NO_SCRIPTS } from './trial-project.ts'

const DECISION = {
  headline: 'Which format?',
  question: 'YAML or JSON?',
  options: [
    { key: 'yaml', label: 'YAML' },
    { key: 'json', label: 'JSON' },
  ],
  recommended: 'yaml',
}
const READY = { answer: { decision: 'ready' }, via: 'mcp' }
const ASK = { tool: { name: 'create_decision', arguments: DECISION } }
const WRITE = { write: { path: 'notes/format.txt', text: 'json\n' } }

type Turns = readonly (readonly object[])[]

function setUp({ user }: { readonly user?: string } = {}) {
  const place = createPlace(user === undefined ? {} : { user })
  const environment = readEnvironment({
    PATH: process.env['PATH'],
    HOME: place.dir,
    SIGNALBOX_HOME: join(place.dir, 'data'),
    SIGNALBOX_CONFIG: place.configDir,
    MY_API_KEY: 'sesame-open-yourself',
  })
  const paper = openPaper()
  const setting: CommandSetting = {
    environment,
    version: '0',
    terminal: paper.terminal,
    signal: new AbortController().signal,
  }
  /** Without the time. */
  const lines = (): string[] =>
    paper
      .out()
      .split('\n')
      .map((line) => line.replace(/^ +[\d.]+ \w+ {2}/, ''))
  return { place, setting, paper, lines }
}

async function tried(turns: { readonly hello: Turns; readonly choose: Turns }, limitMs = 60_000) {
  const { place, setting, paper, lines } = setUp()
  const sessions = Object.entries(turns).map(([step, each]) => ({ when: { step }, turns: each }))
  const script = place.write('script.json', JSON.stringify({ sessions }))
  const program: AgentProgram = {
    name: 'subject',
    driver: 'scripted',
    argv: ['--script', script],
    prompt: 'stdin',
    env: {},
    keeps: NO_KEEPS,
    permissions: 'auto',
    install: '',
  }
  const { config } = readConfig({ configDir: place.configDir, repo: null })
  const trace = join(place.dir, 'trace')
  const { variables } = setting.environment
  const code = await tryOut({ program, config, limitMs, scripts: NO_SCRIPTS, trace, variables }, setting)
  const kept = /Everything is kept in (\S+);/.exec(paper.out())?.[1]
  if (kept !== undefined) {
    expect(existsSync(kept)).toBe(true)
    onTestFinished(() => rmSync(kept, { recursive: true, force: true }))
  }
  return { code, lines: lines(), kept, trace, err: paper.err() }
}

describe('a trial of an agent', () => {
  it('tells each behaviour as it is shown, in order, and leaves nothing', async () => {
    const { code, lines, kept } = await tried({
      hello: [[{ usage: { costUsd: 0.02, tokens: 100 } }, READY]],
      choose: [
        [ASK, { say: 'I wait.' }],
        [WRITE, { say: 'FINISHED' }],
      ],
    })
    expect(lines).toEqual([
      expect.stringMatching(/^✓ starts, and begins a session {2}\S/),
      '✓ lists the tools',
      '✓ answers through report_outcome',
      '✓ raises a decision where a person should choose  Which format?',
      '· is answered: json',
      '✓ is given the answer as its next prompt',
      '✓ does what was picked  it wrote "json"',
      '✓ writes within its boundary',
      '',
      'It took 3 prompts, $0.02.',
      'It does all that Signalbox needs of an agent.',
      '',
    ])
    expect(code).toBe(0)
    expect(kept).toBeUndefined()
  })

  it('tells what was not seen, and what was done otherwise', async () => {
    const { code, lines, kept } = await tried({
      hello: [[{ answer: { decision: 'ready' }, via: 'message' }]],
      choose: [[WRITE, { write: { path: 'README.md', text: 'mine' } }, { say: 'I took JSON.' }]],
    })
    expect(code).toBe(1)
    expect(lines).toContain(
      '✗ answers through report_outcome  it answered in its last message, which is taken too',
    )
    expect(lines).toContain('✗ raises a decision where a person should choose  it chose by itself')
    expect(lines).toContain('✗ writes within its boundary  it wrote README.md, which was undone')
    expect(lines).toContain('✗ does what was picked  was not seen')
    expect(lines.some((line) => line.startsWith('Not all of it was seen.'))).toBe(true)
    expect(kept).toBeDefined()
  })

  it('tells why it went no further', async () => {
    const { code, lines } = await tried({ hello: [[{ say: 'Hm.' }, { crash: 3 }]], choose: [[]] })
    expect(code).toBe(1)
    expect(lines.find((line) => line.startsWith('!'))).toMatch(/^! It went no further: failed: .*exit code 3/)
    expect(lines).toContain('It took 1 prompt, and it tells neither tokens nor price.')
  })

  it('ends in time', async () => {
    const { code, lines } = await tried({ hello: [[{ hang: true }]], choose: [[]] }, 3_000)
    expect(code).toBe(1)
    expect(lines).toContain('! The time was over: --time gives it more.')
  })

  it('[D11] keeps both wires in order, and no secret', async () => {
    const { trace } = await tried({
      hello: [[{ say: 'The key is sesame-open-yourself.' }, READY]],
      choose: [[ASK, { run: 'env' }], [WRITE]],
    })
    const [file] = readdirSync(trace)
    const text = readFileSync(join(trace, file!), 'utf8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const said = lines.map(({ wire, direction, message: { method } }) => `${wire} ${direction} ${method}`)
    for (const [earlier, later] of [
      ['acp out initialize', 'acp out session/new'],
      ['acp out session/new', 'mcp in tools/list'],
      ['mcp in tools/list', 'acp out session/prompt'],
      ['acp out session/prompt', 'mcp in tools/call'],
    ] as const)
      expect(said.indexOf(earlier), said.join('\n')).toBeLessThan(said.indexOf(later))
    expect(new Set(lines.map(({ who }) => who))).toEqual(new Set(['hello.0', 'choose.0']))
    expect(text).toContain('The key is ***.')
    expect(text).not.toContain('sesame')
    expect(text).not.toMatch(/Bearer (?!\*\*\*)/)
  })
})

describe('signalbox agents test', () => {
  it.each([
    ['one that nobody knows', 'cladue', 2, 'There is no agent "cladue"; did you mean "claude"?'],
    ['a plain command', 'plain', 2, 'plain is a plain command'],
    ['one that is not there', 'mine', 2, 'mine is not installed: there is no no-such-program.'],
    ['one, where nobody can be asked', 'here', 2, '--yes says that your model may be used'],
  ])('refuses %s', async (_what, name, code, says) => {
    const { setting, paper } = setUp({
      user: `agents: { plain: { command: sh }, mine: { acp: no-such-program }, here: { acp: "${process.execPath} x.js" } }`,
    })
    expect(await testAgent(name, {}, setting)).toBe(code)
    expect(paper.err()).toContain(says)
  })
})
