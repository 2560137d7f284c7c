/**
 * pyproject.toml and what stood in its place before. By its lines: which tables there are, and whether a tool is named
 * in it, is all that is asked of it, and nothing of it comes into a command.
 */
import { type FoundCommands, found, type ProjectFiles, type ProjectKind } from './project-kind.ts'

const REQUIREMENTS = ['requirements-dev.txt', 'requirements.txt']
const TEST_FOLDERS = ['tests', 'test']

export const python: ProjectKind = {
  manifests: ['pyproject.toml', 'setup.cfg', 'setup.py', 'requirements.txt', 'pytest.ini', 'conftest.py'],
  probes: [
    'uv.lock',
    'poetry.lock',
    ...REQUIREMENTS,
    'tox.ini',
    'ruff.toml',
    '.ruff.toml',
    'mypy.ini',
    ...TEST_FOLDERS,
    ...TEST_FOLDERS.map((folder) => `${folder}/__init__.py`),
  ],
  commands: (files, manifest) => {
    const project = files.text('pyproject.toml')
    const manager = managerOf(files, project)
    const { setup, runner } = manager
    return {
      ...(setup === null ? {} : { setup: found(setup.run, setup.why, setup.needs) }),
      ...testsOf(files, { project, manifest, runner }),
      ...toolsOf(files, { project, runner }),
    }
  },
}

interface Manager {
  readonly setup: { readonly run: string; readonly why: string; readonly needs: readonly string[] } | null
  /** What a module is run with. */
  readonly runner: string
}

function managerOf(files: ProjectFiles, project: string): Manager {
  const table = (name: string): boolean => hasTable(project, name)
  if (files.has('uv.lock') || table('tool.uv')) {
    const isLocked = files.has('uv.lock')
    const run = isLocked ? 'uv sync --locked' : 'uv sync'
    const why = isLocked ? 'uv.lock' : '[tool.uv] in pyproject.toml'
    // A project that is built is built of its own files.
    const needs = table('build-system') ? [] : ['**/pyproject.toml', ...(isLocked ? ['uv.lock'] : [])]
    return { setup: { run, why, needs }, runner: 'uv run python -m' }
  }
  if (files.has('poetry.lock') || table('tool.poetry')) {
    const why = files.has('poetry.lock') ? 'poetry.lock' : '[tool.poetry] in pyproject.toml'
    // Elsewhere than in the project it would be gone with the home that setup has.
    const run = 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install'
    return { setup: { run, why, needs: [] }, runner: 'poetry run python -m' }
  }
  const listed = REQUIREMENTS.filter((name) => files.has(name))
  const ownDependencies = /^dependencies\s*=\s*\[\s*[^\]\s]/m.test(project)
  if (listed.length === 0 && !ownDependencies) return { setup: null, runner: 'python3 -m' }
  const what = [...(ownDependencies ? ['-e .'] : []), ...listed.map((name) => `-r ${name}`)].join(' ')
  const why = ownDependencies ? 'the dependencies in pyproject.toml' : listed.join(', ')
  const run = `python3 -m venv .venv && .venv/bin/python -m pip install -q ${what}`
  const needs = ownDependencies ? [] : ['requirements*.txt', '**/requirements*.txt']
  return { setup: { run, why, needs }, runner: '.venv/bin/python -m' }
}

interface Asked {
  readonly project: string
  readonly runner: string
}

function testsOf(
  files: ProjectFiles,
  { project, manifest, runner }: Asked & { readonly manifest: string },
): FoundCommands {
  const sign = pytestSign(files, project)
  if (sign !== null) return { test: found(`${runner} pytest`, sign) }
  const folder = TEST_FOLDERS.find((name) => files.has(name))
  if (folder === undefined) return {}
  const top = files.has(`${folder}/__init__.py`) ? ' -t .' : ''
  return {
    test: found(`${runner} unittest discover -s ${folder}${top}`, `${manifest} and the folder ${folder}`),
  }
}

function pytestSign(files: ProjectFiles, project: string): string | null {
  const plain = ['pytest.ini', 'conftest.py'].find((name) => files.has(name))
  if (plain !== undefined) return plain
  if (/\bpytest\b/.test(project)) return 'pytest in pyproject.toml'
  if (hasTable(files.text('setup.cfg'), 'tool:pytest')) return '[tool:pytest] in setup.cfg'
  if (hasTable(files.text('tox.ini'), 'pytest')) return '[pytest] in tox.ini'
  const named = REQUIREMENTS.find((name) => /^pytest\b/m.test(files.text(name)))
  return named === undefined ? null : `pytest in ${named}`
}

function toolsOf(files: ProjectFiles, { project, runner }: Asked): FoundCommands {
  const ruff = signOf(files, project, { table: 'tool.ruff', others: ['ruff.toml', '.ruff.toml'] })
  const mypy = signOf(files, project, { table: 'tool.mypy', others: ['mypy.ini'] })
  return {
    ...(ruff === null ? {} : { lint: found(`${runner} ruff check`, ruff) }),
    ...(mypy === null ? {} : { check: found(`${runner} mypy .`, mypy) }),
  }
}

function signOf(
  files: ProjectFiles,
  project: string,
  { table, others }: { readonly table: string; readonly others: readonly string[] },
): string | null {
  return hasTable(project, table)
    ? `[${table}] in pyproject.toml`
    : (others.find((name) => files.has(name)) ?? null)
}

/** The table itself, or one below it. */
const hasTable = (text: string, name: string): boolean =>
  text.split(/\r?\n/).some((line) => {
    const [, written = ''] = /^\s*\[{1,2}\s*([^\]]+?)\s*\]/.exec(line) ?? []
    return written === name || written.startsWith(`${name}.`)
  })
