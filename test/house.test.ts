/**
 * The house rules are really enforced: a house with our settings and hardly anything in it gets pages that break them, and each
 * tool must complain of exactly those. That our own house is clean is what `npm run checks` says.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from './command.fixture.ts'

/** `types` knows the pure areas only, and no world; `everything` all pages, with one. */
type Tool = 'biome' | 'types' | 'everything' | 'borders'

interface Probe {
  readonly page: string
  readonly text: string
}

const probe = (area: string, name: string, text: string): Probe => ({
  page: `src/${area}/probe-${name}.ts`,
  text,
})

const CLEAN = 'export const twice = (count: number): number => count * 2\n'
const PURE = ['model', 'runbook', 'engine', 'attention', 'rehearsal', 'tracker']
const clean = ['cli', ...PURE].map((area) => probe(area, 'clean', CLEAN))
/** What the outside may do, and tests may anywhere. */
const allowed = [
  probe(
    'cli',
    'allowed',
    "import { readFileSync } from 'node:fs'\nimport { Command } from 'commander'\nexport const a = [Date.now(), readFileSync, Command, process.pid]\n",
  ),
  probe(
    'host/tracker',
    'allowed',
    "import { mkdir } from 'node:fs/promises'\nimport { existsSync } from 'node:fs'\nexport const a = [mkdir, existsSync]\n",
  ),
  {
    page: 'src/cli/notify/probe-allowed.ts',
    text: 'export const a = fetch\n',
  },
  {
    page: 'src/engine/probe-allowed.test.ts',
    text: "import { rehearse } from '../rehearsal/rehearse.ts'\nexport const a = [Date.now(), rehearse]\n",
  },
]

const impure: [expression: string, probes: Probe[]][] = [
  'Date.now()',
  'new Date()',
  'new Date(0)',
  'Date()',
  'Math.random()',
  'performance.now()',
].map((expression, index) => [
  expression,
  PURE.map((area) => probe(area, `impure-${index}`, `export const a = () => ${expression}\n`)),
])

const worldly: [what: string, probes: Probe[]][] = [
  ['node:fs', "import { readFileSync } from 'node:fs'\nexport const a = readFileSync\n"],
  ['a dynamic node:fs', "export const a = () => import('node:fs')\n"],
  ['setTimeout', 'export const a = () => setTimeout(() => {}, 1)\n'],
  ['process', 'export const a = process.env\n'],
  ['console', 'export const a = () => console.log(1)\n'],
  ['fetch', "export const a = () => fetch('x')\n"],
  ['Buffer', "export const a = Buffer.from('x')\n"],
].map(([what = '', text = ''], index) => [what, PURE.map((area) => probe(area, `worldly-${index}`, text))])

/** Where hosts are asked. Notices go to servers of others, and are given up after a while. */
const asking = ['cli', 'drivers/scripted', 'mcp'].map((area) =>
  probe(area, 'fetch', "export const a = () => fetch('x')\n"),
)

/** In a room where a repository names paths. */
const opening = [
  "import { readFileSync } from 'node:fs'\nexport const a = readFileSync\n",
  "import { open } from 'node:fs/promises'\nexport const a = open\n",
  "import { writeFile as put } from 'fs/promises'\nexport const a = put\n",
  "import fs from 'node:fs'\nexport const a = fs\n",
  "import * as fs from 'node:fs'\nexport const a = fs\n",
].flatMap((text, index) =>
  ['cli/project', 'cli/runbooks', 'host/issue', 'host/repository', 'host/tracker', 'http'].map((room) =>
    probe(room, `opening-${index}`, text),
  ),
)

const importing = (area: string, what: string, index: number): Probe =>
  probe(area, `border-${index}`, `import * as all from '${what}'\nexport const a = all\n`)

const BORDERS: [area: string, what: string, rule: string][] = [
  ['engine', '../rehearsal/rehearse.ts', 'engine-imports-down'],
  ['engine', '../runbook/compile.ts', 'engine-imports-down'],
  ['engine', '../cli/files.ts', 'engine-imports-down'],
  ['engine', '../attention/policy.ts', 'engine-imports-down'],
  ['attention', '../runbook/compile.ts', 'attention-imports-down'],
  ['attention', '../host/machine/clock.ts', 'attention-imports-down'],
  ['model', '../runbook/language/shape.ts', 'model-imports-down'],
  ['model', '../engine/state.ts', 'model-imports-down'],
  ['runbook', '../engine/decide.ts', 'runbook-imports-down'],
  ['runbook', '../rehearsal/path.ts', 'runbook-imports-down'],
  ['rehearsal', '../cli/terminal/terminal.ts', 'rehearsal-imports-down'],
  ['tracker', '../engine/decide.ts', 'tracker-imports-down'],
  ['engine', 'node:crypto', 'pure-areas-touch-no-node'],
  ['engine', 'yaml', 'yaml-lives-in-runbook'],
  ['runbook', 'commander', 'commander-lives-in-cli'],
  ['rehearsal', 'jiti', 'jiti-lives-in-cli'],
  ['cli', '@noble/hashes/sha2.js', '@noble/hashes-lives-in-model'],
  ['http', 'zod', 'zod-lives-in-model/api'],
  ['web/inbox', '../../host/machine/clock.ts', 'web-imports-down'],
  ['web/inbox', '../board/board-screen.ts', 'web-screens-stand-alone'],
  ['web/inbox', '../app/shell.ts', 'web-screens-stand-alone'],
  ['web/live', '../inbox/inbox-screen.ts', 'web-live-imports-down'],
  ['web/ui', '../live/live.ts', 'web-ui-imports-down'],
  ['web/action', '../live/live.ts', 'web-action-imports-down'],
  ['web/ui', 'node:fs', 'pure-areas-touch-no-node'],
  ['cli', '../web/ui/time.ts', 'nobody-imports-web'],
  ['cli', 'fast-check', 'no-dev-dependency-in-the-product'],
  ['cli', './nowhere.ts', 'resolvable'],
  ['cli/runbooks', '../files.ts', 'named-files-have-one-reader'],
]
const borders = BORDERS.map(([area, what, rule], index) => ({
  area,
  what,
  rule,
  ...importing(area, what, index),
}))
/** What they would import. */
const furniture: Probe[] = BORDERS.filter(([, what]) => what.startsWith('../')).map(([area, what]) => ({
  page: join('src', area, what),
  text: 'export const rehearse = 1\n',
}))
const dynamic = probe('host/tracker', 'dynamic', "export const a = () => import('node:fs')\n")
const circle = ['a', 'b'].map((name) =>
  probe('cli', `circle-${name}`, `export * from './probe-circle-${name === 'a' ? 'b' : 'a'}.ts'\n`),
)

const all: Probe[] = [
  ...furniture,
  ...clean,
  ...allowed,
  ...impure.flatMap(([, probes]) => probes),
  ...worldly.flatMap(([, probes]) => probes),
  ...asking,
  ...borders,
  ...opening,
  dynamic,
  ...circle,
]

const house = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-house-')))
/** What each tool says of each page. */
const said: Record<Tool, Map<string, string[]>> = {
  biome: new Map(),
  types: new Map(),
  everything: new Map(),
  borders: new Map(),
}
const exits: Partial<Record<Tool, number | null>> = {}

beforeAll(async () => {
  const settings = [
    'biome.json',
    '.gitignore',
    'package.json',
    'tsconfig.json',
    'tsconfig.pure.json',
    '.dependency-cruiser.cjs',
    'scripts/purity.grit',
    'scripts/named-files.grit',
  ]
  for (const name of settings) cpSync(name, join(house, name))
  symlinkSync(resolve('node_modules'), join(house, 'node_modules'))
  for (const { page, text } of all) {
    mkdirSync(dirname(join(house, page)), { recursive: true })
    writeFileSync(join(house, page), text)
  }
  await Promise.all([
    askBiome(),
    askTypes('types', 'tsconfig.pure.json'),
    askTypes('everything', 'tsconfig.json'),
    askBorders(),
  ])
})

afterAll(() => rmSync(house, { recursive: true, force: true }))

const tool = (name: string, ...args: string[]) => run(resolve(`node_modules/.bin/${name}`), args, house)

function note(by: Tool, page: string, complaint: string): void {
  said[by].set(page, [...(said[by].get(page) ?? []), complaint])
}

async function askBiome(): Promise<void> {
  const { code, out } = await tool('biome', 'lint', 'src', '--reporter=json', '--max-diagnostics=none')
  exits.biome = code
  const { diagnostics } = JSON.parse(out) as {
    diagnostics: { severity: string; message: string; location: { path: string } }[]
  }
  for (const { severity, message, location } of diagnostics)
    if (severity === 'error') note('biome', location.path, message)
}

async function askTypes(by: 'types' | 'everything', project: string): Promise<void> {
  const { code, out } = await tool('tsc', '-p', project, '--pretty', 'false')
  exits[by] = code
  for (const [, page = '', complaint = ''] of out.matchAll(/^(\S+)\(\d+,\d+\): error (.*)$/gm))
    note(by, page, complaint)
}

async function askBorders(): Promise<void> {
  // The modules are linked in, and a rule knows them by their path from here.
  const { out } = await tool(
    'depcruise',
    'src',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    '--preserve-symlinks',
  )
  const { summary } = JSON.parse(out) as {
    summary: { error: number; violations: { from: string; rule: { name: string; severity: string } }[] }
  }
  exits.borders = summary.error
  for (const { from, rule } of summary.violations)
    if (rule.severity === 'error') note('borders', from, rule.name)
}

describe('a house under our rules', () => {
  it('keeps quiet about clean pages, and about what tests and the outside may do', () => {
    for (const by of ['biome', 'types', 'everything', 'borders'] as const) {
      expect(exits[by]).toBeGreaterThan(0)
      for (const { page } of [...furniture, ...clean, ...allowed])
        expect([by, page, said[by].get(page) ?? []]).toEqual([by, page, []])
    }
  })

  it.each(impure)('refuses %s in a pure area', (_expression, probes) => {
    for (const { page } of probes)
      expect([page, said.biome.get(page)]).toEqual([
        page,
        [expect.stringContaining('Pure areas read no clock and no chance')],
      ])
  })

  it('asks no host with fetch', () => {
    for (const { page } of asking)
      expect([page, said.biome.get(page)]).toEqual([page, ['Do not use the global variable fetch.']])
  })

  it.each(worldly)('knows no %s in a pure area', (_what, probes) => {
    for (const { page } of probes) {
      expect([page, said.types.get(page)]).toEqual([page, [expect.stringContaining('Cannot find name')]])
      // Elsewhere it is known, so it is the border that is felt here.
      expect([page, said.everything.get(page)]).toEqual([page, undefined])
    }
  })

  it.each(borders)('lets $area import no $what: $rule', ({ page, rule }) => {
    expect(said.borders.get(page)).toContain(rule)
  })

  it('[W36] opens no file where a repository names paths', () => {
    for (const { page } of opening)
      expect([page, said.biome.get(page)]).toEqual([
        page,
        [expect.stringContaining('A repository may name this file')],
      ])
    expect(said.borders.get(dynamic.page)).toContain('named-files-by-no-dynamic-import')
  })

  it('has no circles', () => {
    expect(circle.flatMap(({ page }) => said.borders.get(page) ?? [])).toContain('no-circular')
  })
})

const pagesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    /\.(tsx?|css)$/.test(name) ? [join(folder, name)] : [],
  )

describe('the house itself', () => {
  it('[W36] allows only pages that are there to open files beside the one reader', () => {
    const { overrides } = JSON.parse(readFileSync('biome.json', 'utf8')) as {
      overrides: { includes: string[] }[]
    }
    const allowed = overrides
      .flatMap(({ includes }) => includes)
      .flatMap((each) => {
        const [, folder, names, name] = /^!(src\/[\w/-]+\/)(?:\{([\w,-]+)\}|([\w-]+))\.ts$/.exec(each) ?? []
        return folder === undefined ? [] : (names ?? name ?? '').split(',').map((one) => `${folder}${one}.ts`)
      })
    expect(allowed.length).toBeGreaterThan(5)
    expect(allowed.filter((page) => !existsSync(page))).toEqual([])
  })

  it('has no place where anything could go', () => {
    const dumps = /(^|\/)(utils?|helpers?|common|shared|lib|misc|types|managers?|services?)(\.tsx?|\/)/
    expect(pagesIn('src').filter((page) => dumps.test(page))).toEqual([])
  })

  it('has no page over 400 lines', () => {
    const long = ['src', 'test']
      .flatMap(pagesIn)
      .filter((page) => readFileSync(page, 'utf8').split('\n').length > 401)
    expect(long).toEqual([])
  })

  it('names its pages in kebab-case', () => {
    expect(['src', 'test'].flatMap(pagesIn).filter((page) => /[^a-z0-9./-]/.test(page))).toEqual([])
  })

  it('pins every dependency to one version', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+$/)
  })

  it('locks versions and hashes, and no host to fetch from', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { resolved?: string }>
    }
    expect(
      Object.entries(packages).flatMap(([name, { resolved }]) => (resolved === undefined ? [] : [name])),
    ).toEqual([])
  })

  it.skipIf(!existsSync('.git'))('names no registry in any tracked file', async () => {
    const address = ['https:', '//registry'].join('')
    const { out } = await run('git', ['ls-files', '-z'])
    const tracked = out.split('\0').filter((name) => name !== '' && existsSync(name))
    expect(tracked.length).toBeGreaterThan(50)
    expect(tracked.filter((name) => readFileSync(name, 'utf8').includes(address))).toEqual([])
  })
})

describe('SPEC.md', () => {
  it('promises nothing that no test cites', () => {
    const rules = [...readFileSync('SPEC.md', 'utf8').matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(
      ([, rule]) => rule!,
    )
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
    const tests = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts'], {
      encoding: 'utf8',
    })
    const cited = tests
      .trim()
      .split('\n')
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    expect(rules.filter((rule) => !cited.includes(`[${rule}]`))).toEqual([])
  })
})
