/** Projects that begin with Signalbox, in real repositories. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMON_AGENTS } from '../../host/ready-agents/ready-agents.ts'
import { preflight } from '../../host/workspace/preflight.ts'
import { createRepository, type Place, temporaryFolder } from '../../host/workspace/repository.fixture.ts'
import { compileSource } from '../../runbook/compile.ts'
import { certify } from '../../runbook/proof/certificate.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readConfig } from '../config/config.ts'
import { readEnvironment } from '../environment.ts'
import { compileFile } from '../runbooks/sources.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { type InitOptions, init } from './init.ts'
import { starterConfig, starterRunbook } from './starter-files.ts'

async function begin(dir: string, options: InitOptions = {}, { searchPath = '', schema = '' } = {}) {
  const paper = openPaper()
  const environment = readEnvironment({ HOME: '/nowhere', PATH: searchPath })
  const code = await init(options, paper.terminal, {
    environment,
    dir,
    ...(schema === '' ? {} : { schema }),
  })
  return { code, out: paper.out(), err: paper.err() }
}

const FILES = ['runbook.yaml', 'config.yaml', 'issues/1.md', '.gitignore'].map((name) => `.signalbox/${name}`)

const compiled = (repo: Place) =>
  compileSource({ file: 'runbook.yaml', text: repo.read('.signalbox/runbook.yaml') }, () => ({
    kind: 'unreadable',
    why: 'is not needed',
  }))

describe('signalbox init', () => {
  it('writes a runbook that passes, a config that is read, an issue and what git ignores', async () => {
    const repo = createRepository()
    const { searchPath, program } = createPlace()
    program('codex-acp', 'true')
    const { code, out, err } = await begin(repo.dir, {}, { searchPath })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const file of FILES) expect(repo.has(file)).toBe(true)
    expect(repo.has('.mcp.json')).toBe(false)
    expect(readConfig({ configDir: repo.dir, repo: repo.dir }).diagnostics).toEqual([])
    expect(repo.read('.signalbox/config.yaml')).toContain('# Found here: codex')
    expect(out).toMatch(
      /^✓ {2}created {2}\.signalbox\/runbook\.yaml {2}the gate is `git diff --check`: better name/m,
    )
    expect(out).toMatch(/^✓ {2}created {2}\.signalbox\/config\.yaml {3}found codex$/m)
    expect(out).toContain('Next: signalbox run runbook --issue 1')
    repo.write('.signalbox/run/notes.md', 'x')
    expect(repo.git('status', '--porcelain', '-uall').split('\n')).toEqual(
      [...FILES].sort().map((file) => `?? ${file}`),
    )
    expect(await preflight({ dir: repo.dir })).toHaveProperty('baseCommit')
  })

  it('[F1] takes a flow that comes with the package, whole, and passes its check there', async () => {
    const repo = createRepository()
    const { code, out } = await begin(repo.dir, { flow: 'issue-to-commit' })
    expect(code).toBe(0)
    expect(repo.has('.signalbox/runbook.yaml')).toBe(false)
    expect(repo.read('.signalbox/issue-to-commit/make.md')).toContain('You write the production code')
    const { program, diagnostics } = await compileFile(join(repo.dir, '.signalbox/issue-to-commit.yaml'))
    expect(diagnostics).toEqual([])
    expect(certify(program!)).toMatchObject({ exact: true, worst: { questions: 0 } })
    expect(out).toContain('created  .signalbox/issue-to-commit.yaml')
    repo.write('.signalbox/issue-to-commit/make.md', 'mine\n')
    await begin(repo.dir, { flow: 'issue-to-commit' })
    expect(repo.read('.signalbox/issue-to-commit/make.md')).toBe('mine\n')
    await begin(repo.dir, { flow: 'issue-to-commit', force: true })
    expect(repo.read('.signalbox/issue-to-commit/make.md')).not.toBe('mine\n')
  })

  it('knows its flows by name, and writes nothing for another', async () => {
    const repo = createRepository()
    const { code, err } = await begin(repo.dir, { flow: 'issue-to-comit' })
    expect([code, err]).toEqual([
      2,
      'error: There is no flow "issue-to-comit"; did you mean "issue-to-commit"?\n',
    ])
    expect(repo.has('.signalbox')).toBe(false)
  })

  it.each(['npm test', 'cargo test', 'pytest', 'go test ./...', 'make test', 'git diff --check'])(
    'the runbook with the gate %s passes without a warning',
    (gate) => {
      const setup =
        gate === 'npm test' ? { run: 'npm ci', needs: ['package.json', 'package-lock.json'] } : null
      const text = starterRunbook({ schema: null, gate, setup })
      const { program, diagnostics } = compileSource({ file: 'r.yaml', text }, () => ({
        kind: 'unreadable',
        why: '',
      }))
      expect(diagnostics).toEqual([])
      expect(program).not.toBeNull()
      if (program === null) return
      expect(certify(program)).toMatchObject({ exact: true })
      expect(JSON.stringify(program)).toContain(JSON.stringify(gate))
      expect(Object.keys(program.steps)).toContain('develop.trial')
      expect(program.setup).toEqual(setup === null ? undefined : { needs: setup.needs })
      expect(text.includes('install what the project needs first')).toBe(setup === null)
    },
  )

  it('points editors to the schema that is installed in the project', async () => {
    const repo = createRepository()
    const schema = join(repo.dir, 'node_modules/signalbox/schema/runbook.schema.json')
    await begin(repo.dir, {}, { schema })
    expect(repo.read('.signalbox/runbook.yaml').split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../node_modules/signalbox/schema/runbook.schema.json',
    )
    expect(compiled(repo).diagnostics).toEqual([])
  })

  it('names no path of this machine in the runbook, which others get too', async () => {
    const repo = createRepository()
    await begin(repo.dir)
    const text = repo.read('.signalbox/runbook.yaml')
    expect(text).not.toContain('yaml-language-server')
    expect(text).not.toContain(process.cwd())
    expect(text).toMatch(/^#\s+signalbox schema /m)
    await begin(repo.dir, { force: true }, { schema: join(repo.dir, 'my tools/schema.json') })
    expect(repo.read('.signalbox/runbook.yaml')).toBe(text)
  })

  it('keeps what is there and says so; --force replaces it, but no issue', async () => {
    const repo = createRepository()
    for (const file of FILES) repo.write(file, `mine\n`)
    const kept = await begin(repo.dir)
    expect(kept.code).toBe(0)
    expect(kept.out).toMatch(/^· {2}kept +\.signalbox\/runbook\.yaml +--force replaces it$/m)
    expect(kept.out).toMatch(/^· {2}kept +\.signalbox\/issues +there are issues: 1$/m)
    for (const file of FILES.slice(0, 3)) expect(repo.read(file)).toBe('mine\n')
    expect(repo.read('.signalbox/.gitignore')).toBe('mine\nrun/\n')
    const again = await begin(repo.dir, { force: true })
    expect(again.out).toMatch(/^✓ {2}replaced +\.signalbox\/runbook\.yaml/m)
    expect(again.out).toMatch(/^· {2}kept +\.signalbox\/\.gitignore/m)
    expect(repo.read('.signalbox/runbook.yaml')).toContain('runbook: 1')
    expect(repo.read('.signalbox/issues/1.md')).toBe('mine\n')
  })

  it('replaces a link with --force, and never writes where it leads', async () => {
    const repo = createRepository()
    repo.write('elsewhere.yaml', 'mine')
    mkdirSync(join(repo.dir, '.signalbox'))
    symlinkSync('../elsewhere.yaml', join(repo.dir, '.signalbox/runbook.yaml'))
    expect((await begin(repo.dir, { force: true })).code).toBe(0)
    expect(repo.read('elsewhere.yaml')).toBe('mine')
    expect(repo.read('.signalbox/runbook.yaml')).toContain('runbook: 1')
  })

  it.each(['.signalbox', '.signalbox/issues'])('[W32] writes nothing behind a link: %s', async (name) => {
    const repo = createRepository({ 'elsewhere/x': 'theirs' })
    if (name.includes('/')) mkdirSync(join(repo.dir, '.signalbox'))
    symlinkSync(join(repo.dir, 'elsewhere'), join(repo.dir, name))
    const { code, err } = await begin(repo.dir, { force: true })
    expect(code).toBe(1)
    expect(err).toContain('lies behind a link')
    expect(readdirSync(join(repo.dir, 'elsewhere'))).toEqual(['x'])
    if (name.includes('/')) expect(readdirSync(join(repo.dir, '.signalbox'))).toEqual(['issues'])
  })

  it('adds no example where the project has issues', async () => {
    const repo = createRepository({ 'TODO/APP-7.md': '# Seven' })
    const { out } = await begin(repo.dir)
    expect(repo.has('.signalbox/issues')).toBe(false)
    expect(out).toContain('there are issues: APP-7')
  })

  it('works from a folder below, and says what to type there', async () => {
    const repo = createRepository()
    const { searchPath, program } = createPlace()
    program('goose', 'true')
    const { out } = await begin(join(repo.dir, 'src'), {}, { searchPath })
    expect(repo.has('.signalbox/runbook.yaml')).toBe(true)
    expect(out).toContain('Next: signalbox run ../.signalbox/runbook.yaml --issue 1')
  })

  it('counts an agent of the user’s own config', async () => {
    const repo = createRepository()
    const { configDir } = createPlace({ user: 'agents: { default: mine, mine: { acp: /opt/mine } }' })
    const paper = openPaper()
    const environment = readEnvironment({ HOME: '/nowhere', SIGNALBOX_CONFIG: configDir })
    await init({}, paper.terminal, { environment, dir: repo.dir })
    expect(paper.out()).toContain('found mine')
    expect(paper.out()).toContain('Next: signalbox run runbook --issue 1')
  })

  it('says how to get an agent where there is none', async () => {
    const { out } = await begin(createRepository().dir)
    expect(out).toContain('no agent was found')
    expect(out).toContain('Next: signalbox agents')
  })

  it('refuses where there is no repository, or only a bare one', async () => {
    const folder = temporaryFolder()
    expect(await begin(folder)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('is not in a git repository'),
    })
    const repo = createRepository()
    repo.git('clone', '-q', '--bare', '.', join(folder, 'bare.git'))
    expect(await begin(join(folder, 'bare.git'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('bare repository'),
    })
    expect(await begin(join(repo.dir, '.git'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('.git folder'),
    })
  })

  it('tells when the folder cannot be made', async () => {
    const repo = createRepository({ '.signalbox': 'a file' })
    const { code, err } = await begin(repo.dir)
    expect(code).toBe(1)
    expect(err).toMatch(/^error: .* lies behind \.signalbox, which is a link or no folder/)
  })
})

describe('signalbox init --mcp', () => {
  const SERVER = { command: 'signalbox', args: ['mcp'] }

  it('writes the file, and adds to one that is there', async () => {
    const repo = createRepository()
    await begin(repo.dir, { mcp: true })
    expect(JSON.parse(repo.read('.mcp.json'))).toEqual({ mcpServers: { signalbox: SERVER } })
    expect((await begin(repo.dir, { mcp: true })).out).toMatch(
      /^· {2}kept +\.mcp\.json +signalbox is in it$/m,
    )
    repo.write('.mcp.json', '{\n    "mcpServers": {\n        "other": { "url":"x" }\n    }\n}')
    expect((await begin(repo.dir, { mcp: true })).out).toMatch(/^✓ {2}changed +\.mcp\.json/m)
    expect(repo.read('.mcp.json')).toContain(
      '    "mcpServers": {\n        "other": { "url":"x" },\n        "signalbox": {',
    )
    expect(JSON.parse(repo.read('.mcp.json'))).toEqual({
      mcpServers: { other: { url: 'x' }, signalbox: SERVER },
    })
  })

  it('warns where agents would not find the command, and says what to do', async () => {
    const repo = createRepository()
    const warning = /^\.mcp\.json starts `signalbox`, which is not on your PATH.*npm link.*"npx"/m
    expect((await begin(repo.dir, { mcp: true })).out).toMatch(warning)
    expect((await begin(repo.dir, { mcp: true })).out).toMatch(warning)
    expect((await begin(repo.dir)).out).not.toMatch(warning)
    const { searchPath, program } = createPlace()
    program('signalbox', 'true')
    expect((await begin(repo.dir, { mcp: true }, { searchPath })).out).not.toMatch(warning)
    repo.write('.mcp.json', '{"mcpServers":{"signalbox":{"command":"npx","args":["signalbox","mcp"]}}}')
    expect((await begin(repo.dir, { mcp: true })).out).not.toMatch(warning)
  })

  it('keeps another entry of that name unless it is forced', async () => {
    const repo = createRepository()
    repo.write('.mcp.json', '{"mcpServers":{"signalbox":{"command":"mine"}},"x":1}')
    expect((await begin(repo.dir, { mcp: true })).out).toContain('it has another "signalbox"')
    await begin(repo.dir, { mcp: true, force: true })
    expect(JSON.parse(repo.read('.mcp.json'))).toEqual({ mcpServers: { signalbox: SERVER }, x: 1 })
  })

  it.each([
    ['{ "a": 1, }', /not JSON/],
    ['', /not JSON/],
    ['[]', /one object/],
    ['{"mcpServers": []}', /`mcpServers` in it should be an object/],
    [Uint8Array.of(0x7b, 0xff, 0x7d), /not UTF-8/],
  ])('refuses %j before it writes anything', async (content, says) => {
    const repo = createRepository()
    repo.write('.mcp.json', content)
    const { code, err } = await begin(repo.dir, { mcp: true, force: true })
    expect(code).toBe(1)
    expect(err).toMatch(says)
    expect(repo.has('.signalbox')).toBe(false)
  })
})

describe('the config that a project begins with', () => {
  it('can be uncommented line by line', () => {
    const place = createPlace({
      project: starterConfig(COMMON_AGENTS).replaceAll(/^ {2}# (?!Found)/gm, '  '),
    })
    expect(readConfig(place)).toMatchObject({
      diagnostics: [],
      config: { limits: { agents: 4, commands: 2 } },
    })
  })
})

describe('the commands of a project', () => {
  it('are its gate and its setup, with what they are taken from', async () => {
    const repo = createRepository({
      'package.json': '{"scripts":{"test":"vitest"}}',
      'pnpm-lock.yaml': '',
      'Cargo.toml': '',
    })
    const { out } = await begin(repo.dir)
    expect(out).toContain(
      'the gate is `pnpm test` (the script "test" of package.json, pnpm by pnpm-lock.yaml)',
    )
    const text = repo.read('.signalbox/runbook.yaml')
    expect(text).toContain('gate: { run: pnpm test, max: 3')
    expect(text).toContain(
      'setup: { run: pnpm install --frozen-lockfile, needs: ["**/package.json", pnpm-lock.yaml], time: 15m }',
    )
    expect(compiled(repo).diagnostics).toEqual([])
  })

  it.each(['test -f "a b" && echo ${HOME}, { x: y } # z', "echo 'it''s' | cat", '!x', '- y'])(
    'are written down as the config says them: %s',
    async (test) => {
      const repo = createRepository({
        '.signalbox/config.yaml': `commands: { test: ${JSON.stringify(test)} }`,
      })
      const { out } = await begin(repo.dir)
      expect(out).toContain(`the gate is \`${test}\` (\`commands\` in the config)`)
      const { program, diagnostics } = compiled(repo)
      expect(diagnostics).toEqual([])
      const step = program?.steps['develop']
      expect(step?.kind === 'agent' ? step.members[0]?.gate?.run : null).toEqual([test])
    },
  )
})
