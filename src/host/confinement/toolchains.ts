/**
 * The toolchains of the user that do not lie among the system's folders: found where they usually are, where a variable
 * says, and by the search path. Of each only the folders that hold programs and libraries: tokens lie beside them.
 */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { type Guard, isWithin, realPath, resolveGrant } from './grant.ts'

export interface Toolchain {
  readonly name: string
  readonly readable: readonly string[]
}

interface Known {
  readonly name: string
  /** Says where it is; the user may have it elsewhere. */
  readonly variable?: string
  /** Below the home. */
  readonly places: readonly string[]
  /** What of it is shown; all of it where nothing is said. */
  readonly parts?: readonly string[]
}

const KNOWN: readonly Known[] = [
  { name: 'nvm', variable: 'NVM_DIR', places: ['.nvm'], parts: ['versions', 'alias', 'nvm.sh', 'nvm-exec'] },
  { name: 'fnm', variable: 'FNM_DIR', places: ['.local/share/fnm', '.fnm'] },
  { name: 'volta', variable: 'VOLTA_HOME', places: ['.volta'] },
  { name: 'asdf', variable: 'ASDF_DATA_DIR', places: ['.asdf'] },
  {
    name: 'mise',
    variable: 'MISE_DATA_DIR',
    places: ['.local/share/mise'],
    parts: ['installs', 'shims', 'plugins'],
  },
  { name: 'pnpm', variable: 'PNPM_HOME', places: ['.local/share/pnpm', 'Library/pnpm'] },
  { name: 'bun', variable: 'BUN_INSTALL', places: ['.bun'], parts: ['bin', 'install'] },
  { name: 'deno', variable: 'DENO_INSTALL', places: ['.deno'], parts: ['bin'] },
  { name: 'cargo', variable: 'CARGO_HOME', places: ['.cargo'], parts: ['bin', 'registry', 'git', 'env'] },
  { name: 'rustup', variable: 'RUSTUP_HOME', places: ['.rustup'] },
  { name: 'go', variable: 'GOPATH', places: ['go'], parts: ['bin', 'pkg'] },
  { name: 'go', variable: 'GOROOT', places: [] },
  { name: 'pyenv', variable: 'PYENV_ROOT', places: ['.pyenv'] },
  { name: 'pipx', variable: 'PIPX_HOME', places: ['.local/share/pipx', '.local/pipx'] },
  { name: 'uv', places: ['.local/share/uv'], parts: ['tools', 'python'] },
  { name: 'python', places: ['.local/lib'] },
  { name: 'conda', variable: 'CONDA_PREFIX', places: [] },
  { name: 'venv', variable: 'VIRTUAL_ENV', places: [] },
  { name: 'rbenv', variable: 'RBENV_ROOT', places: ['.rbenv'] },
  { name: 'gems', variable: 'GEM_HOME', places: [], parts: ['bin', 'gems', 'specifications', 'extensions'] },
  {
    name: 'sdkman',
    variable: 'SDKMAN_DIR',
    places: ['.sdkman'],
    parts: ['candidates', 'bin', 'src', 'libexec'],
  },
  { name: 'java', variable: 'JAVA_HOME', places: ['.jdks'] },
  { name: 'maven', places: ['.m2'], parts: ['repository', 'wrapper'] },
  // It insists on writing to its caches: shown read-only they would stop it.
  { name: 'gradle', variable: 'GRADLE_USER_HOME', places: ['.gradle'], parts: ['jdks'] },
  { name: 'dotnet', variable: 'DOTNET_ROOT', places: ['.dotnet'] },
  { name: 'android', variable: 'ANDROID_HOME', places: [] },
  { name: 'flutter', variable: 'FLUTTER_ROOT', places: [] },
]

/** Of a folder that things were installed into, what holds programs and what they need. Never `etc`, never what else is there. */
const OF_A_PREFIX = ['bin', 'lib', 'lib64', 'libexec', 'include', 'share', 'pyvenv.cfg']

export interface Machine {
  readonly userHome: string
  readonly variables: Readonly<Record<string, string>>
}

/** All paths are there, none lies among the system's folders, and no agent had a hand in where they lead. */
export function findToolchains(machine: Machine, guard: Guard): readonly Toolchain[] {
  const known = KNOWN.flatMap((each) => knownAt(each, machine, guard))
  const shown = known.flatMap(({ readable }) => readable)
  const isShown = (path: string): boolean => shown.some((each) => isWithin(path, each))
  const onPath = (machine.variables['PATH'] ?? '')
    .split(':')
    .filter((folder) => isAbsolute(folder) && isThere(folder))
    .filter((folder) => !isOfSystem(folder) && !isShown(folder) && !isTooWide(folder, machine))
    .flatMap((folder) => [folder, ...prefixOf(folder, machine), ...linkedFrom(folder, machine, guard)])
    .filter((path) => !isShown(path) && !isTooWide(path, machine) && isSound(path, guard))
  const readable = onPath.filter((path) => !onPath.some((other) => other !== path && isWithin(path, other)))
  return readable.length === 0 ? known : [...known, { name: 'PATH', readable: [...new Set(readable)] }]
}

function knownAt({ name, variable, places, parts }: Known, machine: Machine, guard: Guard): Toolchain[] {
  const told = variable === undefined ? undefined : machine.variables[variable]
  const roots = [
    ...(told !== undefined && isAbsolute(told) ? told.split(':') : []),
    ...places.map((place) => join(machine.userHome, place)),
  ]
  const paths = roots
    .filter((root) => !isOfSystem(root))
    .flatMap((root) => (parts === undefined ? [root] : parts.map((part) => join(root, part))))
  const readable = [...new Set(paths)].filter((path) => isSound(path, guard) && !isTooWide(path, machine))
  return readable.length === 0 ? [] : [{ name, readable }]
}

/** What a program is made of that lies here: the packages it is one of, or the folder it was installed into. */
export function partsOfProgram(file: string, machine: Machine): readonly string[] {
  const modules = /^.*?\/node_modules(?=\/)/.exec(file)?.[0]
  const paths = modules === undefined ? [file, ...prefixOf(dirname(file), machine)] : [modules]
  return paths.filter((path) => !isOfSystem(path) && !isTooWide(path, machine))
}

/** The rest of the folder that programs in a `bin` were installed into. `~/.local` is none: it holds everybody's data. */
function prefixOf(bin: string, machine: Machine): string[] {
  const root = dirname(bin)
  const isPrefix =
    basename(bin) === 'bin' && root !== join(machine.userHome, '.local') && !isTooWide(root, machine)
  return isPrefix ? OF_A_PREFIX.map((part) => join(root, part)).filter(isThere) : []
}

const MOST_LINKS = 2000

/** Search paths are full of links to where things really are. */
function linkedFrom(folder: string, machine: Machine, guard: Guard): string[] {
  const real = realPath(folder)
  if (real === null) return []
  return namesIn(real)
    .slice(0, MOST_LINKS)
    .map((name) => join(real, name))
    .flatMap((path) => {
      const grant = resolveGrant(path, guard)
      return grant.kind === 'granted' ? [grant.real] : []
    })
    .filter((target) => !isWithin(target, real) && !isOfSystem(target) && statSync(target).isFile())
    .flatMap((target) => partsOfProgram(target, machine))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const isSound = (path: string, guard: Guard): boolean => resolveGrant(path, guard).kind === 'granted'

const isThere = (path: string): boolean => realPath(path) !== null

/** The home, or what holds it: nothing that is found by itself may be that. */
const isTooWide = (path: string, { userHome }: Machine): boolean =>
  isWithin(userHome, path) || isWithin(realPath(userHome) ?? userHome, path)

/** What a sandbox shows of the system anyhow. */
export const SYSTEM_FOLDERS =
  '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /snap /System /Library'.split(' ')

const isOfSystem = (path: string): boolean => SYSTEM_FOLDERS.some((folder) => isWithin(path, folder))
