/**
 * package.json: the scripts it has, run by its package manager. Only scripts of known names count, so nothing of the
 * file itself comes into a command.
 */
import {
  type FoundCommand,
  type FoundCommands,
  found,
  type ProjectFiles,
  type ProjectKind,
} from './project-kind.ts'

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const LOCKS: readonly (readonly [string, Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
]

/** What installers read beside manifests and lock. */
const SETTINGS = [
  '.npmrc',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  '.yarnrc.yml',
  '.yarn/**',
  'bunfig.toml',
  'patches/**',
]
const placeOf = (setting: string): string => setting.replace('/**', '')

export const javascript: ProjectKind = {
  manifests: ['package.json'],
  probes: [...LOCKS.map(([lock]) => lock), ...SETTINGS.map(placeOf)],
  commands: (files, manifest) => {
    const read = packageIn(files.text(manifest))
    if (read === null) return {}
    const chosen = managerOf(files, read)
    return { ...scriptsOf(read, chosen), ...setupOf(files, read, chosen) }
  },
}

interface Package {
  readonly scripts: ReadonlyMap<string, string>
  readonly manager: unknown
  readonly hasDependencies: boolean
}

function packageIn(text: string): Package | null {
  const read = parsed(text)
  if (!isObject(read)) return null
  const scripts = isObject(read['scripts']) ? read['scripts'] : {}
  return {
    scripts: new Map(
      Object.entries(scripts).flatMap(([name, body]) =>
        typeof body === 'string' && body.trim() !== '' ? [[name, body] as const] : [],
      ),
    ),
    manager: read['packageManager'],
    hasDependencies: ['dependencies', 'devDependencies'].some((key) => {
      const listed = read[key]
      return isObject(listed) && Object.keys(listed).length > 0
    }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Chosen {
  readonly manager: Manager
  readonly by: string
  /** Null where there is none of this manager. */
  readonly lock: string | null
  /** Yarn before its second version takes other words. */
  readonly isClassic: boolean
}

function managerOf(files: ProjectFiles, { manager: said }: Package): Chosen {
  const [, named, major] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(typeof said === 'string' ? said : '') ?? []
  const locked = LOCKS.find(([lock]) => files.has(lock))
  const manager = (named as Manager | undefined) ?? locked?.[1] ?? 'npm'
  const lock = LOCKS.find(([name, whose]) => whose === manager && files.has(name))?.[0] ?? null
  const isClassic = named === 'yarn' ? Number(major) < 2 : !files.has('.yarnrc.yml')
  const by = named === undefined ? (lock ?? 'default') : '`packageManager`'
  return { manager, by, lock, isClassic }
}

/** Which scripts are what, the first that is there. */
const SCRIPTS = {
  test: ['test'],
  build: ['build'],
  lint: ['lint'],
  check: ['check', 'typecheck', 'type-check', 'types'],
} as const

/** The one that `npm init` writes only fails. */
const NO_TEST = 'no test specified'

function scriptsOf({ scripts }: Package, { manager, by }: Chosen): FoundCommands {
  const made: Record<string, FoundCommand> = {}
  for (const [command, names] of Object.entries(SCRIPTS)) {
    const name = names.find((each) => scripts.has(each) && scripts.get(each)?.includes(NO_TEST) !== true)
    if (name === undefined) continue
    const run = name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}`
    made[command] = found(run, `the script "${name}" of package.json, ${manager} by ${by}`)
  }
  return made
}

function setupOf(files: ProjectFiles, read: Package, chosen: Chosen): FoundCommands {
  const { manager, lock } = chosen
  if (lock === null && !read.hasDependencies) return {}
  const run = lock === null ? INSTALL_UNLOCKED[manager] : installLocked(chosen)
  const why = lock === null ? 'package.json names dependencies, and there is no lock file' : lock
  if (runsOwnScripts(read)) return { setup: found(run, why) }
  const settings = SETTINGS.filter((setting) => files.has(placeOf(setting)))
  const needs = ['**/package.json', ...(lock === null ? [] : [lock]), ...settings]
  return { setup: found(run, why, needs) }
}

const INSTALL_UNLOCKED: Readonly<Record<Manager, string>> = {
  npm: 'npm install --no-package-lock',
  pnpm: 'pnpm install --no-lockfile',
  yarn: 'yarn install',
  bun: 'bun install --no-save',
}

function installLocked({ manager, isClassic }: Chosen): string {
  if (manager === 'npm') return 'npm ci'
  if (manager === 'yarn' && !isClassic) return 'yarn install --immutable'
  return `${manager} install --frozen-lockfile`
}

/** Then installing depends on whatever these read. */
const runsOwnScripts = ({ scripts }: Package): boolean =>
  [...scripts.keys()].some((name) =>
    /^(?:(?:pre|post)?install|(?:pre|post)?prepare|dependencies)$/.test(name),
  )
