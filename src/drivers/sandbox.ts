/** What a process may touch, and the bubblewrap command line that makes it so. */
import { spawn } from 'node:child_process'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Sandbox {
  /** The bubblewrap program. */
  readonly bwrap: string
  /** Directories and files that may be written to. */
  readonly writable: readonly string[]
  /** Made read-only again inside something writable: a repository's hooks and config. */
  readonly readOnly: readonly string[]
  /** Out of sight altogether: Signalbox's own data and tokens. What is writable or read-only inside stays visible. */
  readonly hidden: readonly string[]
  readonly network: boolean
}

export interface ResolvedSandbox extends Sandbox {
  /** Hidden too, but a file cannot be covered like a directory. */
  readonly hiddenFiles: readonly string[]
}

export interface Sandboxed {
  readonly argv: readonly string[]
  readonly cwd: string
  /** Whether bubblewrap itself will run as root. */
  readonly asRoot: boolean
}

/** Where bubblewrap tells how the program fared. The program itself does not have it. */
export const STATUS_FD = 3

/**
 * The whole file system is read-only, /tmp is private, and the longest path that says something about a place has
 * the word there: a worktree inside hidden data is visible, hooks inside a worktree are read-only, tokens inside a
 * worktree are hidden. All paths must exist and be free of links: see `resolveSandbox`.
 */
export function sandboxArgv(sandbox: ResolvedSandbox, { argv, cwd, asRoot }: Sandboxed): string[] {
  const spoken = mountsOf(sandbox)
  // A working directory that nobody spoke of must be there all the same.
  const ground = inOrder(spoken).findLast(({ path }) => isWithin(cwd, path))?.kind
  const isLost = ground === 'empty' || ground === 'tmp'
  const mounts = inOrder(isLost ? [...spoken, { kind: 'readOnly', path: cwd }] : spoken)
  return [
    sandbox.bwrap,
    ...mounts.flatMap(mountArgs),
    // Only now that what is visible inside has its place.
    ...mounts.flatMap(({ kind, path }) => (kind === 'empty' ? ['--remount-ro', path] : [])),
    ...(asRoot ? UNPRIVILEGED : []),
    ...['--unshare-pid', '--die-with-parent', '--new-session', '--json-status-fd', String(STATUS_FD)],
    ...(sandbox.network ? [] : ['--unshare-net']),
    ...['--chdir', cwd, '--', ...argv],
  ]
}

/** Root outside is an ordinary user inside: the same owner of the same files, but with no power over anything else. */
const UNPRIVILEGED = [
  ...['--unshare-user', '--uid', '1000', '--gid', '1000'],
  ...['--cap-drop', 'ALL', '--disable-userns'],
]

interface Mount {
  readonly kind: 'root' | 'dev' | 'proc' | 'tmp' | 'empty' | 'masked' | 'writable' | 'readOnly'
  readonly path: string
}

/** Of two that speak of one path, the later one counts. */
function mountsOf({ hidden, hiddenFiles, writable, readOnly }: ResolvedSandbox): Mount[] {
  const all = (kind: Mount['kind'], paths: readonly string[]) => paths.map((path): Mount => ({ kind, path }))
  const base: Mount[] = [
    { kind: 'root', path: '/' },
    { kind: 'dev', path: '/dev' },
    { kind: 'proc', path: '/proc' },
    { kind: 'tmp', path: '/tmp' },
  ]
  return [
    ...base,
    ...all('empty', hidden),
    ...all('masked', hiddenFiles),
    ...all('writable', writable),
    ...all('readOnly', readOnly),
  ]
}

/** What is outer comes first, so that what is inner covers it; of two on one path only the last. */
function inOrder(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map((mount) => [mount.path, mount]))
  return [...last.values()].sort((one, other) => depthOf(one.path) - depthOf(other.path))
}

const depthOf = (path: string) => path.split('/').filter((part) => part !== '').length

const isWithin = (path: string, outer: string) =>
  outer === '/' || path === outer || path.startsWith(`${outer}/`)

function mountArgs({ kind, path }: Mount): string[] {
  switch (kind) {
    case 'root':
    case 'readOnly':
      return ['--ro-bind', path, path]
    case 'writable':
      return ['--bind', path, path]
    case 'dev':
      return ['--dev', path]
    case 'proc':
      return ['--proc', path]
    case 'tmp':
    case 'empty':
      return ['--tmpfs', path]
    case 'masked':
      return ['--ro-bind', '/dev/null', path]
  }
}

/** Without what does not exist, and by the real paths: bubblewrap can mount on neither nothing nor a link. */
export function resolveSandbox(sandbox: Sandbox): ResolvedSandbox {
  const real = (paths: readonly string[]) => paths.map(realPath).filter((path) => path !== null)
  const hidden = real(sandbox.hidden)
  const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  return {
    ...sandbox,
    writable: real(sandbox.writable),
    readOnly: real(sandbox.readOnly),
    hidden: hidden.filter(isDirectory),
    hiddenFiles: hidden.filter((path) => !isDirectory(path)),
  }
}

/** The command line for here and now. */
export function sandboxCommand(sandbox: Sandbox, { argv, cwd }: Omit<Sandboxed, 'asRoot'>): string[] {
  const asRoot = process.getuid?.() === 0
  return sandboxArgv(resolveSandbox(sandbox), { argv, cwd: realPath(cwd) ?? cwd, asRoot })
}

/** Temporary files are kept where the user keeps them, if that can be written to in here; else in /tmp, which always can. */
export function sandboxEnvironment(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const mounts = inOrder(mountsOf(resolveSandbox(sandbox)))
  const isLost = (path: string): boolean => {
    const real = realPath(path)
    return real === null || mounts.findLast((mount) => isWithin(real, mount.path))?.kind !== 'writable'
  }
  const lost = ['TMPDIR', 'TMP', 'TEMP'].filter((name) => env[name] !== undefined && isLost(env[name]))
  return lost.length === 0 ? env : { ...env, ...Object.fromEntries(lost.map((name) => [name, '/tmp'])) }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

const TRIAL_MS = 10_000

/** Whether bubblewrap is here and works: many containers have it and forbid what it needs. */
export async function findSandbox(
  searchPath: string = process.env['PATH'] ?? '',
): Promise<{ readonly bwrap: string } | { readonly why: string }> {
  const bwrap = searchPath
    .split(delimiter)
    .map((dir) => join(dir, 'bwrap'))
    .find(isExecutable)
  if (bwrap === undefined) return { why: 'bubblewrap (bwrap) is not installed.' }
  const nothing: Sandbox = { bwrap, writable: [], readOnly: [], hidden: [], network: true }
  const trouble = await troubleWith(sandboxCommand(nothing, { argv: ['/bin/sh', '-c', ':'], cwd: '/' }))
  return trouble === null ? { bwrap } : { why: `bubblewrap (${bwrap}) does not work here: ${trouble}` }
}

async function troubleWith([program = '', ...args]: readonly string[]): Promise<string | null> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], detached: true })
  const end = () => killGroup(child.pid)
  const timer = setTimeout(end, TRIAL_MS)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdio[STATUS_FD]?.on('data', () => {})
  // Where it fails half-way it may leave a part of itself behind.
  child.once('exit', end)
  const trouble = await new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (code) => resolve(code === 0 ? null : stderr.trim() || 'it did not end well.'))
  })
  clearTimeout(timer)
  return trouble
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Why the program in the sandbox was not started, from what bubblewrap told; null if it was. */
export function sandboxTrouble({
  status,
  stderr,
}: {
  readonly status: string
  readonly stderr: string
}): string | null {
  if (status.includes('"exit-code"')) return null
  const [, program, reason] = /^bwrap: execvp (.*): (.*)$/m.exec(stderr) ?? []
  if (program === undefined) return `The sandbox could not be set up (${stderr.trim()}).`
  if (reason === 'No such file or directory') return `The program ${program} was not found.`
  return `The program ${program} could not be started in the sandbox (${reason}).`
}
