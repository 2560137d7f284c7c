/** Which commands projects have, by their files. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROJECT_COMMANDS } from '../../model/project-command.ts'
import { detectCommands, PROBED } from './project-commands.ts'
import type { ProjectFiles } from './project-kind.ts'

type Files = Readonly<Record<string, string | undefined>>

const filesOf = (files: Files): ProjectFiles => ({
  has: (path) => files[path] !== undefined,
  text: (path) => files[path] ?? '',
})

const detect = (files: Files, programs: readonly string[] = []) =>
  detectCommands(filesOf(files), { hasProgram: (name) => programs.includes(name) })

const runs = (files: Files, programs: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(
    Object.entries(detect(files, programs).commands).map(([name, command]) => [name, command.run]),
  )

const scripts = (names: readonly string[], more: object = {}): string =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, `do-${name}`])), ...more })

describe('package.json', () => {
  it.each([
    ['package-lock.json', 'npm', 'npm ci'],
    ['npm-shrinkwrap.json', 'npm', 'npm ci'],
    ['pnpm-lock.yaml', 'pnpm', 'pnpm install --frozen-lockfile'],
    ['yarn.lock', 'yarn', 'yarn install --frozen-lockfile'],
  ])('is run by the manager of its lock file: %s', (lock, manager, setup) => {
    expect(runs({ 'package.json': scripts(['test', 'build', 'lint', 'check']), [lock]: '' })).toEqual({
      setup,
      test: `${manager} test`,
      build: `${manager} run build`,
      lint: `${manager} run lint`,
      check: `${manager} run check`,
    })
  })

  it.each(['bun.lock', 'bun.lockb'])('bun would run its own tests instead of the script: %s', (lock) => {
    expect(runs({ 'package.json': scripts(['test']), [lock]: '' })).toEqual({
      setup: 'bun install --frozen-lockfile',
      test: 'bun run test',
    })
  })

  it('is run by the manager it names, whatever lock files lie around', () => {
    const files = { 'package-lock.json': '', 'yarn.lock': '', '.yarnrc.yml': '' }
    expect(runs({ 'package.json': scripts(['test'], { packageManager: 'pnpm@9.1.0' }), ...files })).toEqual({
      test: 'pnpm test',
    })
    expect(runs({ 'package.json': scripts(['test'], { packageManager: 'yarn@4.5.0' }), ...files })).toEqual({
      setup: 'yarn install --immutable',
      test: 'yarn test',
    })
    expect(
      detect({ 'package.json': scripts(['test'], { packageManager: 'yarn@1.22.0' }), ...files }),
    ).toMatchObject({
      commands: {
        setup: { run: 'yarn install --frozen-lockfile' },
        test: { why: 'the script "test" of package.json, yarn by `packageManager`' },
      },
    })
    expect(runs({ 'package.json': scripts(['test'], { packageManager: 'evil; rm -rf /@1' }) })).toEqual({
      test: 'npm test',
    })
  })

  it('has only the scripts it has, and the one of `npm init` is none', () => {
    const none = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1', lint: ' ' } })
    expect(runs({ 'package.json': none })).toEqual({})
    expect(runs({ 'package.json': '{"scripts":{"test":1}}' })).toEqual({})
    expect(runs({ 'package.json': scripts(['typecheck']) })).toEqual({ check: 'npm run typecheck' })
    for (const text of ['', 'not json', 'null', '[]', '{"scripts":[]}', '{"scripts":null}'])
      expect(runs({ 'package.json': text })).toEqual({})
  })

  it('is set up without a lock file where it names dependencies, and not at all where it has none', () => {
    const manifest = JSON.stringify({ devDependencies: { vitest: '1' } })
    expect(detect({ 'package.json': manifest }).commands.setup).toEqual({
      run: 'npm install --no-package-lock',
      needs: ['**/package.json'],
      why: 'package.json names dependencies, and there is no lock file',
    })
    expect(runs({ 'package.json': '{"dependencies":{}}' })).toEqual({})
    expect(runs({ 'yarn.lock': '' })).toEqual({})
  })

  it('needs all manifests, the lock and what is there of the installer’s settings', () => {
    const files = { 'package.json': scripts(['test']), 'package-lock.json': '{}', '.npmrc': '', patches: '' }
    expect(detect(files).commands.setup?.needs).toEqual([
      '**/package.json',
      'package-lock.json',
      '.npmrc',
      'patches/**',
    ])
  })

  it.each(['prepare', 'postinstall', 'preinstall'])(
    'may need any file where the project runs a script with its setup: %s',
    (name) => {
      const files = { 'package.json': scripts([name]), 'package-lock.json': '{}' }
      expect(detect(files).commands.setup).toMatchObject({ run: 'npm ci', needs: [] })
    },
  )
})

describe('a Python project', () => {
  const PYTEST = '[tool.pytest.ini_options]\n'

  it.each([
    [{ 'uv.lock': '' }, 'uv sync --locked', 'uv run python -m pytest'],
    [
      { 'poetry.lock': '' },
      'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install',
      'poetry run python -m pytest',
    ],
    [{}, undefined, 'python3 -m pytest'],
    [
      { 'requirements.txt': 'flask\n' },
      'python3 -m venv .venv && .venv/bin/python -m pip install -q -r requirements.txt',
      '.venv/bin/python -m pytest',
    ],
  ])('is run by its manager: %j', (files, setup, test) => {
    const found = runs({ 'pyproject.toml': PYTEST, ...files })
    expect(found['setup']).toBe(setup)
    expect(found['test']).toBe(test)
  })

  it('is installed where it names what it depends on', () => {
    const project = `[project]\nname = "x"\ndependencies = [\n  "flask",\n]\n${PYTEST}`
    expect(detect({ 'pyproject.toml': project }).commands).toMatchObject({
      setup: { run: 'python3 -m venv .venv && .venv/bin/python -m pip install -q -e .', needs: [] },
      test: { run: '.venv/bin/python -m pytest' },
    })
    expect(runs({ 'pyproject.toml': '[project]\ndependencies = []\n' })).toEqual({})
  })

  it.each([
    [{ 'pytest.ini': '' }, 'python3 -m pytest'],
    [{ 'conftest.py': '' }, 'python3 -m pytest'],
    [{ 'setup.cfg': '[metadata]\n[tool:pytest]\n' }, 'python3 -m pytest'],
    [{ 'setup.py': '', 'tox.ini': '[pytest]\n' }, 'python3 -m pytest'],
    [{ 'pyproject.toml': '', tests: '' }, 'python3 -m unittest discover -s tests'],
    [{ 'setup.py': '', test: '', 'test/__init__.py': '' }, 'python3 -m unittest discover -s test -t .'],
    [{ 'pyproject.toml': '' }, undefined],
    [{ tests: '' }, undefined],
  ])('is tested as its files say: %j', (files, test) => {
    expect(runs(files)['test']).toBe(test)
  })

  it('is linted and checked by tools that it configures', () => {
    expect(
      runs({ 'pyproject.toml': '[tool.ruff.lint]\nselect = []\n[tool.mypy]\n', 'uv.lock': '' }),
    ).toMatchObject({ lint: 'uv run python -m ruff check', check: 'uv run python -m mypy .' })
    expect(runs({ 'pyproject.toml': '# [tool.ruff]\n[tool.ruffian]\n' })).toEqual({})
  })
})

describe('other toolchains', () => {
  it.each([
    [{ 'Cargo.toml': '' }, { test: 'cargo test', check: 'cargo check --all-targets' }],
    [{ 'Cargo.toml': '[workspace]\n' }, { test: 'cargo test --workspace', build: 'cargo build --workspace' }],
    [{ 'go.mod': 'module x' }, { test: 'go test ./...', build: 'go build ./...', check: 'go vet ./...' }],
    [{ 'go.mod': '', '.golangci.yml': '' }, { lint: 'golangci-lint run' }],
    [{ 'pom.xml': '' }, { test: 'mvn -B test' }],
    [{ 'pom.xml': '', mvnw: '' }, { test: './mvnw -B test' }],
    [{ 'build.gradle.kts': '' }, { test: 'gradle test' }],
    [{ 'settings.gradle': '', gradlew: '' }, { test: './gradlew test' }],
    [{ Makefile: 'all:\n\techo\n\ntest: all\n\techo\n' }, { test: 'make test' }],
    [{ GNUmakefile: 'lint :: x\n' }, { lint: 'make lint' }],
  ])('%j', (files, expected) => {
    expect(runs(files)).toMatchObject(expected)
  })

  it('a Makefile has only the targets it has', () => {
    expect(runs({ Makefile: 'tests: x\ntest := 1\ncheck ::= 2\n\tlint: x\n' })).toEqual({})
  })

  it('nothing is known of a folder that says nothing', () => {
    expect(detect({})).toEqual({ commands: {}, manifests: [] })
  })
})

describe('several at once', () => {
  const files = {
    'package.json': scripts(['lint']),
    'package-lock.json': '',
    'Cargo.toml': '',
    'pyproject.toml': '[tool.pytest.ini_options]\n',
    'uv.lock': '',
  }

  it('each command is of the first that has it, and setup is of all', () => {
    const { commands, manifests } = detect(files)
    expect(manifests).toEqual(['package.json', 'Cargo.toml', 'pyproject.toml'])
    expect(commands).toMatchObject({
      lint: { run: 'npm run lint' },
      test: { run: 'cargo test', why: 'Cargo.toml' },
      setup: {
        run: 'npm ci && uv sync --locked',
        needs: ['**/package.json', 'package-lock.json', '**/pyproject.toml', 'uv.lock'],
        why: 'package-lock.json; uv.lock',
      },
    })
  })

  it('what one of them needs of all files, all of them need', () => {
    expect(detect({ ...files, 'pyproject.toml': '[build-system]\n' }).commands.setup?.needs).toEqual([])
  })
})

describe('flake.nix', () => {
  const flake = { 'flake.nix': '{ outputs = x: { devShells.default = 1; }; }' }

  it('has everything run in its shell, where nix is installed', () => {
    const files = { ...flake, 'package.json': scripts(['test']), 'package-lock.json': '' }
    expect(runs(files)).toMatchObject({ test: 'npm test' })
    expect(detect(files, ['nix']).commands).toMatchObject({
      test: { run: 'nix develop -c npm test' },
      setup: {
        run: 'nix develop -c npm ci',
        needs: ['**/package.json', 'package-lock.json', 'flake.nix', 'flake.lock', '**/*.nix'],
      },
    })
    expect(runs({ ...files, 'flake.nix': '{ outputs = x: { }; }' }, ['nix'])).toMatchObject({
      test: 'npm test',
    })
  })

  it('gives what takes a shell to one', () => {
    const files = { ...flake, 'pyproject.toml': '[tool.pytest]', 'requirements.txt': '' }
    expect(runs(files, ['nix'])['setup']).toBe(
      "nix develop -c sh -c 'python3 -m venv .venv && .venv/bin/python -m pip install -q -r requirements.txt'",
    )
  })
})

describe('a command', () => {
  it('[L21] has no word of any file in it, whatever stands there', () => {
    const evil = 'zq$(touch x);`zq`&&"zq\'\n'
    const text = fc.oneof(
      fc.constant(''),
      fc.constant(evil),
      fc
        .constantFrom('test', 'lint', evil)
        .map((name) =>
          JSON.stringify({ packageManager: `npm@1${evil}`, scripts: { [name]: evil, test: evil } }),
        ),
      fc.constant(`[workspace]\n[tool.pytest]\n[tool.uv.${evil}]\ndependencies = ["${evil}"]\n`),
      fc.constant(`test: ${evil}\nlint${evil}: x\n`),
    )
    const files = fc.dictionary(fc.constantFrom(...PROBED), text)
    fc.assert(
      fc.property(files, (there) => {
        for (const run of Object.values(runs(there, ['nix']))) {
          expect(run).not.toContain('zq')
          expect(run).toMatch(/^[\w ./=&':-]+$/)
        }
        expect(
          Object.keys(detect(there).commands).every((name) => PROJECT_COMMANDS.includes(name as 'test')),
        ).toBe(true)
      }),
    )
  })
})
