/** Agents found on a search path of our own, asked for their version and for what they can do. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepsTexts } from '../../host/confinement/keeps/keeps.ts'
import { readyAgent } from '../../host/ready-agents/ready-agents.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readEnvironment } from '../environment.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { agents } from './agents.ts'
import { askVersion } from './program-version.ts'

/** Speaks just enough of the protocol. */
const AGENT = `
if (process.argv.includes('--version')) { console.log('talker 1.2.3\\nmore'); process.exit(0) }
process.stdin.setEncoding('utf8').on('data', (lines) => lines.trim().split('\\n').forEach((line) => {
  const { id, method } = JSON.parse(line)
  const result = method === 'initialize' ? {
    protocolVersion: 1,
    agentInfo: { name: 'talker', version: '1.2.3' },
    agentCapabilities: { loadSession: true, mcpCapabilities: { http: true } },
  } : { sessionId: 's', models: { currentModelId: 'fast-1', availableModels: [] } }
  const answer = process.argv[2] === 'closed' && method === 'session/new'
    ? { error: { code: -32000, message: 'Authentication required' } }
    : { result }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
})).on('end', () => process.exit(0))
`

function setUp(files?: Parameters<typeof createPlace>[0]) {
  const place = createPlace({ project: '', ...files })
  const environment = readEnvironment({
    HOME: place.dir,
    SIGNALBOX_HOME: join(place.dir, 'data'),
    SIGNALBOX_CONFIG: place.configDir,
    PATH: place.searchPath,
  })
  const list = async (options: Parameters<typeof agents>[0] = {}, dir = place.dir) => {
    const paper = openPaper()
    const code = await agents(options, paper.terminal, { environment, dir, patienceMs: 10_000 })
    return { code, out: paper.out() }
  }
  const talker = (name: string, how = ''): string => {
    const script = place.write('talker.cjs', AGENT)
    return place.program(name, `exec ${process.execPath} ${script} ${how} "$@"`)
  }
  return { place, list, talker }
}

describe('signalbox agents', () => {
  it('lists those that are known, and how to get them', async () => {
    const { code, out } = await setUp().list()
    expect(code).toBe(0)
    expect(out).toMatch(
      /^· {2}claude +acp +· +· +· +· +to get it: npm install -g @agentclientprotocol\/claude-agent-acp$/m,
    )
    expect(out).toContain('Nothing serves `use: default` yet')
  })

  it('[D12] asks a few at a time, and waits for a version as long as a busy machine needs', async () => {
    const { list, place, talker } = setUp()
    const [pids, counts] = [join(place.dir, 'pids'), join(place.dir, 'counts')]
    // Each notes how many of those that were started are there now.
    const noted = `echo $$ >> ${pids}; n=0; for p in $(cat ${pids}); do kill -0 $p 2>/dev/null && n=$((n+1)); done; echo $n >> ${counts}`
    const wait = 'test "$1" = --version && sleep 4'
    for (const name of ['claude-agent-acp', 'codex-acp', 'gemini', 'opencode', 'qwen'])
      place.program(name, `${noted}; ${name === 'gemini' ? wait : 'true'}; exec ${talker('talker')} "$@"`)
    const { out } = await list({ probe: true })
    for (const name of ['claude', 'codex', 'gemini', 'opencode', 'qwen'])
      expect(out).toMatch(new RegExp(`^✓ +${name}.* talker 1\\.2\\.3 +load`, 'm'))
    const most = Math.max(...readFileSync(counts, 'utf8').trim().split('\n').map(Number))
    // Two agents, each asked for its version and for what it can do.
    expect(most).toBeLessThanOrEqual(4)
  })

  it('[X6] starts no program that a project names', async () => {
    const { list, place } = setUp({ project: 'agents: { codex: { acp: ../tool } }' })
    const tool = place.write('project/tool', `#!/bin/sh\ntouch ${join(place.dir, 'started')}\n`)
    chmodSync(tool, 0o755)
    execFileSync('git', ['init', '-q', place.repo])
    for (const options of [{}, { probe: true }])
      expect((await list(options, place.repo)).out).toContain('This project names its program')
    expect(existsSync(join(place.dir, 'started'))).toBe(false)
  })

  it('shows what is installed first, with path, version and which one is the default', async () => {
    const { list, talker, place } = setUp({
      user: 'agents: { mine: { acp: mine-acp }, plain: { command: plain-agent }, fast: codex, fake: { scripted: a.json } }',
    })
    const codex = talker('codex-acp')
    place.program('mine-acp', 'exit 3')
    const plain = place.program('plain-agent', `echo >  ${join(place.dir, 'started')}`)
    place.write('user/a.json', '{}')
    const { code, out } = await list()
    expect(code).toBe(0)
    const lines = out.split('\n')
    expect(lines[0]).toMatch(/^ {3}AGENT +DRIVER +VERSION +SESSIONS +MCP +MODEL +WHERE$/)
    const column = lines[0]!.indexOf('WHERE')
    expect(lines.slice(1, 6).map((line) => line.slice(0, column).trim().split(/ {2,}/))).toEqual([
      ['✓', 'codex (default)', 'acp', 'talker 1.2.3', '-', '-', '-'],
      ['✓', 'mine', 'acp', '·', '-', '-', '-'],
      ['✓', 'plain', 'command', '·', '·', '·', '·'],
      ['✓', 'fast', 'acp', '·', '·', '·', '·'],
      ['✓', 'fake', 'scripted', '·', '·', '·', '·'],
    ])
    expect(lines.slice(1, 6).map((line) => line.slice(column))).toEqual([
      codex,
      join(place.searchPath, 'mine-acp'),
      plain,
      'stands for codex',
      join(place.configDir, 'a.json'),
    ])
    const { default: byDefault, agents: rows } = JSON.parse((await list({ json: true })).out)
    expect(byDefault).toBe('codex')
    expect(rows[0]).toEqual({
      keeps: keepsTexts(readyAgent('codex')!.keeps),
      passes: ['OPENAI_*', 'CODEX_*', 'AZURE_OPENAI_*'],
      name: 'codex',
      driver: 'acp',
      isDefault: true,
      standsFor: null,
      path: codex,
      install: 'npm install -g @agentclientprotocol/codex-acp',
      model: null,
      modelBy: 'protocol',
      version: 'talker 1.2.3',
      probe: null,
      askedAt: null,
      lacks: [expect.stringContaining('no price')],
    })
    expect(out).toContain('Where a `-` stands, nothing is known yet')
    expect(out).toMatch(/^ {2}plain {2}A plain command has none of the tools/m)
    expect(existsSync(join(place.dir, 'started'))).toBe(false)
  })

  it('[D12] --probe tells what they answered, who did not, and what will not work', async () => {
    const { list, talker, place } = setUp()
    talker('codex-acp')
    talker('kimi', 'closed')
    place.program('gemini', 'echo "no account" >&2; exit 4')
    const { out } = await list({ probe: true })
    expect(out).toMatch(/^✓ {2}codex \(default\) +acp +talker 1\.2\.3 +load +http +fast-1 +\//m)
    expect(out).toMatch(/^✗ gemini {2}\S+gemini ended with exit code 4: no account$/m)
    const lacks = out.slice(out.indexOf('What does not work')).split('\n')
    expect(lacks.slice(1, 5)).toEqual([
      '  codex  No session/resume: an earlier session is loaded, which tells all of it again and takes longer.',
      '         No session/close: its process is ended without a word.',
      '         It tells tokens and no price: its runs are unpriced, and a limit in dollars does not hold it.',
      '  kimi   It needs a login: run `kimi login`.',
    ])
    const { agents: rows } = JSON.parse((await list({ probe: true, json: true })).out)
    expect(rows[0]).toMatchObject({
      probe: { name: 'talker', resumes: 'load', mcpHttp: true, model: 'fast-1' },
    })
    expect(rows[1]).toMatchObject({
      name: 'gemini',
      probe: { kind: 'ended', problem: expect.stringContaining('no account') },
    })
    expect(rows[2]).toMatchObject({ name: 'kimi', probe: { noSession: { kind: 'login' } } })
    expect(rows[3].probe).toBeNull()
  })

  it('remembers what they answered, until the program is another', async () => {
    const { list, talker, place } = setUp()
    talker('codex-acp')
    await list({ probe: true })
    const asked = await list()
    expect(asked.out).toMatch(/^✓ {2}codex .* load +http +fast-1 /m)
    expect(asked.out).toMatch(/^Asked on \d{4}-\d\d-\d\d; signalbox agents --probe asks again\.$/m)
    talker('codex-acp', 'closed')
    expect((await list()).out).toMatch(/^✓ {2}codex .* - +- +- /m)
    place.write('data/agents.json', '{"half')
    expect((await list()).code).toBe(0)
  })

  it('does not take the version of an interpreter for that of the agent', async () => {
    const { list, talker } = setUp({ user: `agents: { mine: { acp: "${process.execPath} ../talker.cjs" } }` })
    talker('codex-acp')
    expect((await list()).out).toMatch(/^✓ {2}mine +acp +· +- /m)
  })

  it('tells what is wrong in a config, and fails', async () => {
    const { list } = setUp({ user: 'agents: { mine: { acpp: x } }' })
    const { code, out } = await list()
    expect(code).toBe(1)
    expect(out).toMatch(/config\.yaml:1:19 error\[unknown-key\]/)
    expect(out).toMatch(/^✗ .*config\.yaml: 1 error/m)
  })
})

describe('the version of a program', () => {
  it.each([
    ['the first line, in one piece', 'echo; printf "v1\\033[2J\\nsecond"', 'v1⟨U+001B⟩[2J'],
    ['none where it fails', 'echo oops; exit 1', null],
    ['none where it says nothing', 'true', null],
    ['none where it reads its input and leaves', 'cat', null],
  ])('is %s', async (_what, script, version) => {
    const program = createPlace().program('it', script)
    expect(await askVersion({ program, env: { PATH: '/usr/bin:/bin' } })).toBe(version)
  })

  it('is not waited for, nor is what holds its output', async () => {
    const env = { PATH: '/usr/bin:/bin' }
    const place = createPlace()
    const slow = place.program('slow', 'sleep 600')
    const leaver = place.program('leaver', 'sleep 600 & echo 1.0')
    const beganAt = performance.now()
    expect(await askVersion({ program: slow, env, patienceMs: 200 })).toBeNull()
    expect(await askVersion({ program: leaver, env, patienceMs: 1_000 })).toBe('1.0')
    expect(performance.now() - beganAt).toBeLessThan(15_000)
  })
})
