/** What a stranger gets without a clone: the package, installed in an empty folder. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScratch } from './command.fixture.ts'
import { type Exchange, exchangesIn, masked, openShell } from './console-page.fixture.ts'
import { type Installed, installPackage, packedFiles } from './package.fixture.ts'

describe('the package', () => {
  const files = packedFiles()

  it('[V13] holds docs and examples, and whatever a page in it links to', () => {
    expect(files).toEqual(expect.arrayContaining(['README.md', 'docs/language.md', 'examples/01-hello.yaml']))
    const broken = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((page) =>
        linksIn(page)
          .filter((place) => !isIn(place))
          .map((place) => `${page}: ${place}`),
      )
    expect(broken).toEqual([])
  })

  const isIn = (place: string): boolean =>
    files.includes(place) || files.some((file) => file.startsWith(`${place.replace(/\/$/, '')}/`))

  it('[V13] brings the licence of the package that its command has in itself', () => {
    expect(files).toContain('dist/licences/yaml')
  })

  it('[V13] would be published without a warning', () => {
    const { stderr } = spawnSync('npm', ['publish', '--dry-run', '--ignore-scripts', '--loglevel=warn'], {
      encoding: 'utf8',
    })
    const warnings = stderr
      .split('\n')
      .filter((line) => line.startsWith('npm warn') || line.startsWith('npm error'))
      // About whoever runs this, not about the package.
      .filter((line) => !/Unknown (?:user|env|project) config|requires you to be logged in/.test(line))
    expect(warnings).toEqual([])
  })
})

/** Where the links of a page lead, from the top of the package; addresses and places in the same page left out. */
function linksIn(page: string): string[] {
  const prose = readFileSync(page, 'utf8')
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/`[^`]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    .map((link) => normalize(join(dirname(page), link)))
}

describe('the command', () => {
  const scratch = openScratch()
  afterAll(scratch.close)

  it('[V13] says in a sentence that a Node is too old, in words that any Node can read', async () => {
    const old = scratch.write(
      'old.cjs',
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })",
    )
    const { status, stderr } = spawnSync(process.execPath, ['-r', old, 'bin/signalbox', 'ps'], {
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toBe(
      'error: Signalbox needs Node 20.19 or later, and this is Node 18.20.8. Install a newer one (nodejs.org, nvm, fnm, volta), then try again.\n',
    )
    const text = readFileSync('bin/signalbox', 'utf8').replace(/^#!.*/, '')
    await expect(transform(text, { target: 'es5' })).resolves.toMatchObject({ warnings: [] })
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
    expect(engines.node).toBe('>=20.19')
  })
})

/** Seconds of work; the disk of a busy machine makes minutes of it. */
const INSTALL_MS = 300_000

describe('the installed package', () => {
  let installed: Installed
  beforeAll(() => {
    installed = installPackage()
  }, INSTALL_MS)
  afterAll(() => installed.close())
  const setting = () => {
    const { bin, home } = installed
    const PATH = `${bin}:${process.env['PATH']}`
    const env = {
      ...process.env,
      HOME: home,
      TMPDIR: home,
      PATH,
      GIT_CONFIG_GLOBAL: '/dev/null',
      NO_COLOR: '1',
    }
    return { bin, home, env }
  }

  it(
    '[V13] runs the demo from an empty folder',
    () => {
      const { bin, home, env } = setting()
      const told = execFileSync(join(bin, 'signalbox'), ['demo', '--answer', 'recommended'], {
        cwd: home,
        env,
        encoding: 'utf8',
      })
      expect(told).toContain('✓ ended as done')
      expect(told).toContain('the whole story SIGNALBOX_HOME=')
    },
    INSTALL_MS,
  )

  it(
    '[V13] does in the first hour what its page says, and prints what stands there',
    async () => {
      const { home, env } = setting()
      const page = 'docs/first-hour.md'
      const written = readFileSync(page, 'utf8')
      const shell = openShell({ cwd: home, env })
      const [, shownId = ''] = /signalbox\/greet-(\w{8})/.exec(written) ?? []
      let id = shownId
      const seen: Exchange[] = []
      for (const { command, printed } of exchangesIn(page)) {
        const told = await shell.run(command.replaceAll(shownId, id))
        id = /signalbox\/greet-(\w{8})/.exec(told)?.[1] ?? id
        const real = told.replaceAll(id, shownId)
        seen.push({ command, printed: real })
        if (process.env['SHOW_PAGE'] === undefined)
          expect([command, masked(real, home)]).toEqual([command, masked(printed, home)])
      }
      shell.close()
      if (process.env['SHOW_PAGE'] !== undefined)
        writeFileSync(process.env['SHOW_PAGE'], JSON.stringify(seen))
    },
    INSTALL_MS,
  )
})
