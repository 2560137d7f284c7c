/** Homes as people have them, on a real disk. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { createGuard } from './grant.ts'
import { findToolchains, partsOfProgram } from './toolchains.ts'

function homeWith(...files: string[]) {
  const home = temporaryFolder()
  const at = (path: string): string => join(home, path)
  const guard = createGuard({ ours: [at('.local/share/signalbox')], agentsWrite: [at('.claude')] })
  for (const file of files) {
    mkdirSync(dirname(at(file)), { recursive: true })
    writeFileSync(at(file), '')
  }
  const find = (variables: Readonly<Record<string, string>> = {}) =>
    findToolchains({ userHome: home, variables }, guard).map(({ name, readable }) => [
      name,
      ...readable.map((path) => path.replace(`${home}/`, '~/')),
    ])
  const link = (target: string, path: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true })
    symlinkSync(at(target), at(path))
  }
  return { home, at, find, link }
}

describe('[X3] the toolchains of a home', () => {
  it('are found where they usually are, without the tokens beside them', () => {
    const { find } = homeWith(
      '.nvm/versions/node/v20/bin/node',
      '.cargo/bin/cargo',
      '.cargo/registry/x',
      '.cargo/credentials.toml',
      '.cargo/config.toml',
      '.rustup/toolchains/x',
      '.m2/repository/x',
      '.m2/settings.xml',
      '.local/share/uv/tools/x',
      '.local/share/uv/credentials/x',
      'go/pkg/mod/x',
      'go/src/private/x',
      '.gradle/gradle.properties',
      '.npmrc',
      '.ssh/id',
      '.config/gh/hosts.yml',
    )
    expect(find()).toEqual([
      ['nvm', '~/.nvm/versions'],
      ['cargo', '~/.cargo/bin', '~/.cargo/registry'],
      ['rustup', '~/.rustup'],
      ['go', '~/go/pkg'],
      ['uv', '~/.local/share/uv/tools'],
      ['maven', '~/.m2/repository'],
    ])
  })

  it('are found where a variable says', () => {
    const { find, at } = homeWith('tools/rust/toolchains/x', 'jdk/bin/java')
    expect(find({ RUSTUP_HOME: at('tools/rust'), JAVA_HOME: at('jdk'), PYENV_ROOT: 'relative' })).toEqual([
      ['rustup', '~/tools/rust'],
      ['java', '~/jdk'],
    ])
  })

  it('are found by the search path, with what a program there needs and nothing more', () => {
    const { find, at } = homeWith(
      'npm/bin/x',
      'npm/lib/node_modules/pkg/index.js',
      'npm/etc/npmrc',
      '.docker/bin/docker',
      '.docker/config.json',
      '.local/bin/mine',
      '.local/share/keyrings/x',
      'bin/script',
    )
    const PATH = [
      at('npm/bin'),
      at('.docker/bin'),
      at('.local/bin'),
      at('bin'),
      '/usr/bin',
      'relative',
      at('gone'),
    ]
    expect(find({ PATH: PATH.join(':') })).toEqual([
      ['PATH', '~/npm/bin', '~/npm/lib', '~/.docker/bin', '~/.local/bin', '~/bin'],
    ])
  })

  it('are followed through the links of the search path', () => {
    const { find, at, link } = homeWith(
      'apps/kimi/bin/kimi',
      'apps/kimi/lib/x',
      'apps/kimi/pyvenv.cfg',
      'apps/kimi/token',
      'src/tool/run.sh',
      'src/tool/.env',
      'global/node_modules/agent/cli.js',
      'global/node_modules/dependency/index.js',
    )
    link('apps/kimi/bin/kimi', '.local/bin/kimi')
    link('src/tool/run.sh', '.local/bin/tool')
    link('global/node_modules/agent/cli.js', '.local/bin/agent')
    link('gone', '.local/bin/gone')
    expect(find({ PATH: at('.local/bin') })).toEqual([
      [
        'PATH',
        '~/.local/bin',
        '~/global/node_modules',
        '~/apps/kimi/bin',
        '~/apps/kimi/lib',
        '~/apps/kimi/pyvenv.cfg',
        '~/src/tool/run.sh',
      ],
    ])
  })

  it('[X4] are never where an agent’s own links lead', () => {
    const { find, at, link } = homeWith('.ssh/id', '.claude/local/bin/claude', '.local/bin/mine')
    link('.ssh/id', '.claude/local/bin/planted')
    link('.claude/local/bin/planted', '.local/bin/through')
    link('.ssh', '.claude/rust')
    const variables = {
      PATH: `${at('.claude/local/bin')}:${at('.local/bin')}`,
      RUSTUP_HOME: at('.claude/rust'),
    }
    expect(find(variables)).toEqual([['PATH', '~/.local/bin']])
  })

  it('are never the home itself, or what holds it, whatever a variable or the search path says', () => {
    const { find, home } = homeWith('bin/x', '.ssh/id')
    expect(find({ JAVA_HOME: home, RUSTUP_HOME: dirname(home), PATH: `${home}:${dirname(home)}:/` })).toEqual(
      [],
    )
  })
})

describe('what a program is made of', () => {
  it.each([
    ['/h/.nvm/versions/lib/node_modules/@a/agent/dist/index.js', ['/h/.nvm/versions/lib/node_modules']],
    ['/h/x/node_modules/.pnpm/a@1/node_modules/a/cli.js', ['/h/x/node_modules']],
    ['/h/src/agent/agent', ['/h/src/agent/agent']],
    ['/usr/bin/agent', []],
  ])('%s', (file, expected) => {
    expect(partsOfProgram(file, { userHome: '/h', variables: {} })).toEqual(expected)
  })
})
