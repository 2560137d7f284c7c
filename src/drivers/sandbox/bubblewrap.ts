/** The bubblewrap command line that makes a view. */
import type { Mount } from './mounts.ts'
import { FILTER_FD, type SandboxWords, SETTINGS_FD, STATUS_FD } from './sandboxed-command.ts'
import type { View } from './view.ts'

export interface BubblewrapOptions {
  readonly program: string
  readonly view: View
  /** Whom root, as which bubblewrap will run, is inside; null: it will not run as root. */
  readonly root: 'ordinary' | 'root' | null
  /** Whether it keeps the network that it is started in. */
  readonly network: boolean
  /** Whether it reads a filter of system calls. */
  readonly filtered: boolean
  readonly argv: readonly string[]
}

export function bubblewrapArgv(options: BubblewrapOptions): string[] {
  const { program, view, root, network, filtered, argv } = options
  const { mounts, cwd } = view
  return [
    program,
    ...mounts.flatMap(mountArgs),
    // Only now that what is visible inside has its place.
    ...mounts.flatMap(({ kind, at }) => (kind === 'empty' || kind === 'dev' ? ['--remount-ro', at] : [])),
    ...(root === null ? [] : unprivileged(root === 'root' ? '0' : '1000')),
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
    ...(network ? [] : ['--unshare-net']),
    ...['--json-status-fd', String(STATUS_FD), '--args', String(SETTINGS_FD)],
    ...(filtered ? ['--seccomp', String(FILTER_FD)] : []),
    ...['--chdir', cwd, '--', ...argv],
  ]
}

/** Root outside is the same owner of the same files inside, but with no power over anything else. */
const unprivileged = (id: string): string[] => [
  ...['--unshare-user', '--uid', id, '--gid', id],
  ...['--cap-drop', 'ALL', '--disable-userns'],
]

function mountArgs(mount: Mount): string[] {
  switch (mount.kind) {
    case 'bind':
      return [mount.access === 'write' ? '--bind' : '--ro-bind', mount.from, mount.at]
    case 'empty':
      // The root is there, and is empty, before anything is mounted.
      return mount.at === '/' ? [] : ['--tmpfs', mount.at]
    case 'temporary':
      return [...(mount.bytes === null ? [] : ['--size', String(mount.bytes)]), '--tmpfs', mount.at]
    case 'masked':
      return ['--ro-bind', '/dev/null', mount.at]
    case 'link':
      return ['--symlink', mount.text, mount.at]
    case 'folder':
      return ['--dir', mount.at]
    case 'dev':
      return ['--dev', mount.at]
    case 'proc':
      return ['--proc', mount.at]
  }
}

/** Why the program in the sandbox was not started, from what bubblewrap told; null if it was. */
export function bubblewrapTrouble({
  status,
  stderr,
}: Pick<SandboxWords, 'status' | 'stderr'>): string | null {
  if (status.includes('"exit-code"')) return null
  const [, program, reason] = /^bwrap: execvp (.*): (.*)$/m.exec(stderr) ?? []
  if (program === undefined) return `The sandbox could not be set up (${stderr.trim()}).`
  if (reason === 'No such file or directory') return `The program ${program} was not found.`
  return `The program ${program} could not be started in the sandbox (${reason}).`
}
