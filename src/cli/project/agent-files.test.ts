/** What agents outside of runs are told: written, written again, and taken out, among what people have there. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRepository, type Place } from '../../host/workspace/repository.fixture.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readEnvironment } from '../environment.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { AGENTS_WITH_FILES } from './agent-files.ts'
import { type InitOptions, init } from './init.ts'

const ALL = Object.fromEntries(AGENTS_WITH_FILES.map((name) => [name, true]))
const ENTRIES = ['.mcp.json', '.codex/config.toml', '.gemini/settings.json', 'opencode.json']
const RULES = ['.claude/skills/signalbox/SKILL.md', 'AGENTS.md', 'GEMINI.md']

async function begin(repo: Place, options: InitOptions) {
  const paper = openPaper()
  const { searchPath, program } = createPlace()
  program('signalbox', 'true')
  const environment = readEnvironment({ HOME: '/nowhere', PATH: searchPath })
  const code = await init(options, paper.terminal, { environment, dir: repo.dir })
  return { code, out: paper.out(), err: paper.err() }
}

/** All there is beside what `init` writes anyway. */
const files = (repo: Place): Record<string, string> =>
  Object.fromEntries(
    readdirSync(repo.dir, { recursive: true, withFileTypes: true })
      .filter((found) => found.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(repo.dir.length + 1))
      .filter((name) => !/^\.(?:git|signalbox)\//.test(name))
      .map((name) => [name, repo.read(name)]),
  )

const THEIRS: Readonly<Record<string, string>> = {
  '.mcp.json': '{\n    "mcpServers": {\n        "other": { "url":"x" }\n    }\n}',
  '.codex/config.toml': 'model = "gpt" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = "x"',
  '.gemini/settings.json': '{\n  // my theme\n  "theme": "x", // of all\n}\n',
  'opencode.jsonc': '{ /* mine */ "mcp": {} }\n',
  'AGENTS.md': '# Rules\n\nBe kind.',
  'GEMINI.md': '',
  '.claude/settings.json': '{}',
}

describe('signalbox init for agents', () => {
  it('[V16] writes an entry and the rules where each looks for them', async () => {
    const repo = createRepository()
    const { code, out } = await begin(repo, ALL)
    expect(code).toBe(0)
    expect(out).toMatch(/^✓ {2}created +\.codex\/config\.toml +agents outside of runs can ask you$/m)
    expect(out).toMatch(/^✓ {2}created +\.signalbox\/runbook\.yaml/m)
    expect(JSON.parse(repo.read('.mcp.json'))).toEqual({
      mcpServers: { signalbox: { command: 'signalbox', args: ['mcp'] } },
    })
    expect(JSON.parse(repo.read('.gemini/settings.json'))).toEqual(JSON.parse(repo.read('.mcp.json')))
    expect(JSON.parse(repo.read('opencode.json'))).toEqual({
      mcp: { signalbox: { type: 'local', command: ['signalbox', 'mcp'], enabled: true } },
    })
    expect(repo.read('.codex/config.toml')).toContain(
      '[mcp_servers.signalbox]\ncommand = "signalbox"\nargs = ["mcp"]\n',
    )
    for (const file of RULES) expect(repo.read(file)).toContain('**Never answer a decision**')
    expect(repo.read('.claude/skills/signalbox/SKILL.md')).toMatch(
      /^---\nname: signalbox\ndescription: .+\n---\n/,
    )
  })

  it('[V16] twice is once, and removing leaves nothing of it', async () => {
    const repo = createRepository()
    const before = files(repo)
    await begin(repo, ALL)
    const once = files(repo)
    const again = await begin(repo, ALL)
    expect(files(repo)).toEqual(once)
    expect(again.out).toMatch(/^· {2}kept +AGENTS\.md +signalbox is in it$/m)
    const removed = await begin(repo, { ...ALL, remove: true })
    expect(removed.code).toBe(0)
    expect(removed.out).toMatch(/^✓ {2}removed +\.claude\/skills\/signalbox\/SKILL\.md/m)
    expect(files(repo)).toEqual(before)
    for (const folder of ['.claude', '.codex', '.gemini']) expect(repo.has(folder)).toBe(false)
    expect((await begin(repo, { ...ALL, remove: true })).code).toBe(0)
  })

  it('[V16] leaves what people have there as it is, and puts it back to the byte', async () => {
    const repo = createRepository(THEIRS)
    const before = files(repo)
    expect((await begin(repo, ALL)).code).toBe(0)
    const once = files(repo)
    for (const [name, text] of Object.entries(THEIRS)) {
      if (name.endsWith('.md') || name.endsWith('.toml')) expect(once[name]?.startsWith(text)).toBe(true)
      if (!name.startsWith('.claude')) expect(once[name]).toContain('signalbox')
    }
    expect(once['.gemini/settings.json']).toContain('"theme": "x", // of all\n  "mcpServers": {')
    expect(once['opencode.json']).toBeUndefined()
    await begin(repo, ALL)
    expect(files(repo)).toEqual(once)
    expect((await begin(repo, { ...ALL, remove: true })).code).toBe(0)
    expect(files(repo)).toEqual(before)
  })

  it('adds no runbook to those that are there', async () => {
    const repo = createRepository({ '.signalbox/mine.yaml': 'runbook: 1\n' })
    const { out } = await begin(repo, { claude: true })
    expect(out).toContain('.mcp.json')
    expect(out).not.toContain('runbook.yaml')
  })

  it('keeps rules that another agent still reads', async () => {
    const repo = createRepository()
    await begin(repo, { codex: true, opencode: true })
    await begin(repo, { codex: true, remove: true })
    expect(repo.has('.codex')).toBe(false)
    expect(repo.read('AGENTS.md')).toContain('## Signalbox')
    await begin(repo, { opencode: true, remove: true })
    expect(repo.has('AGENTS.md')).toBe(false)
  })

  it('keeps another entry of that name, and what was changed in the skill', async () => {
    const repo = createRepository({
      '.gemini/settings.json': '{"mcpServers":{"signalbox":{"command":"mine"}}}',
      '.codex/config.toml': 'mcp_servers.signalbox.command = "mine"\n',
      '.claude/skills/signalbox/SKILL.md': 'mine\n',
    })
    const before = files(repo)
    for (const remove of [false, true]) {
      const { out } = await begin(repo, { gemini: true, codex: true, claude: true, remove })
      expect(out).toMatch(/kept +\.gemini\/settings\.json +.*another/)
      expect(out).toMatch(/kept +\.claude\/skills\/signalbox\/SKILL\.md +it was changed; --force/)
      for (const name of Object.keys(before)) expect(repo.read(name)).toBe(before[name])
    }
  })

  it.each([
    ['.mcp.json', '{ "a": 1, }', /\.mcp\.json is left alone, and so is everything else: it is not JSON/],
    ['.gemini/settings.json', '{ "mcpServers": [] }', /`mcpServers` in it should be an object/],
    ['.gemini/settings.json', '// {\n', /it is not JSON/],
    ['opencode.json', '[]', /one object/],
    ['.codex/config.toml', 'a = """\n', /it is not TOML \(line 1\)/],
    ['.codex/config.toml', 'mcp_servers = { a = { command = "x" } }\n', /written on one line/],
    ['AGENTS.md', '<!-- signalbox: begin -->\n', /one is missing or stands twice/],
    ['GEMINI.md', Uint8Array.of(0xff), /not UTF-8/],
  ])('[V16] %s of %j is told of, and nothing is written', async (file, content, says) => {
    const repo = createRepository()
    repo.write(file, content)
    const before = files(repo)
    const { code, err } = await begin(repo, { ...ALL, force: true })
    expect(code).toBe(1)
    expect(err).toMatch(says)
    expect(files(repo)).toEqual(before)
    expect(repo.has('.signalbox')).toBe(false)
  })

  it.each([...ENTRIES, ...RULES, '.claude', '.gemini'])('[V16] refuses a link: %s', async (file) => {
    const repo = createRepository({ 'elsewhere/x': '{}' })
    mkdirSync(join(repo.dir, file, '..'), { recursive: true })
    symlinkSync(join(repo.dir, file.includes('.', 1) ? 'elsewhere/x' : 'elsewhere'), join(repo.dir, file))
    const { code, err } = await begin(repo, { ...ALL, force: true })
    expect(code).toBe(1)
    expect(err).toMatch(/it is a link|it lies behind a link/)
    expect(repo.read('elsewhere/x')).toBe('{}')
    expect(repo.has('.signalbox')).toBe(false)
  })

  it('removes nothing where nobody is named', async () => {
    const { code, err } = await begin(createRepository(), { remove: true })
    expect(code).toBe(2)
    expect(err).toContain('Say whose files')
  })
})
