/**
 * The profile that macOS's `sandbox-exec` holds a program to. Written after public profiles and tested as text; it has
 * not been run by those who wrote it. Of several rules that fit, the last counts, so what is inner comes later.
 *
 * Other than a sandbox on Linux: everybody sees what exists (names and sizes, not contents), the loopback address is the
 * machine's, so a program reaches no server of its own there, other addresses of this machine are reached where the network
 * is on, the keychain is out of reach, and neither processes nor memory are bounded.
 */
import { dirname } from 'node:path'
import { groundOf, isWithin, type Mount } from './mounts.ts'

export interface ProfileOptions {
  /** In order, outer ones first. */
  readonly mounts: readonly Mount[]
  /** Where it may make Unix sockets: a folder of its own for temporary files. */
  readonly temporary: string
  readonly sockets: readonly string[]
  /** Ports of this machine that may be reached. */
  readonly ports: readonly number[]
  /** Whether every other machine may be reached. */
  readonly isWide: boolean
}

export function seatbeltProfile({ mounts, temporary, sockets, ports, isWide }: ProfileOptions): string {
  return [
    '(version 1)',
    '(deny default)',
    ...PROCESS,
    '; files',
    // The loader reads the root folder itself, and every path is looked up from there.
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/"))',
    ...mounts.flatMap((mount, index) => rulesFor(mount, mounts.slice(0, index))),
    ...DEVICES,
    '; network',
    ...networkRules(ports, isWide),
    ...[temporary].map((path) => `(allow network-bind network-inbound network-outbound ${subpath(path)})`),
    ...sockets.map((path) => `(allow network-outbound ${literal(path)})`),
    '',
  ].join('\n')
}

function rulesFor(mount: Mount, before: readonly Mount[]): string[] {
  const ground = groundOf(before, mount.at)
  const guards = isWritable(ground) ? stay(mount.at, ground?.at ?? '/') : []
  switch (mount.kind) {
    case 'bind':
      return mount.access === 'write'
        ? [`(allow file-read* file-write* ${subpath(mount.at)})`]
        : [
            `(allow file-read* ${subpath(mount.at)})`,
            ...(isWritable(ground) ? [`(deny file-write* ${subpath(mount.at)})`] : []),
            ...guards,
          ]
    case 'empty':
    case 'masked':
      return mount.at === '/' ? [] : [`(deny file-read* file-write* ${subpath(mount.at)})`, ...guards]
    case 'link':
      return [`(allow file-read* ${literal(mount.at)})`]
    case 'temporary':
    case 'folder':
    case 'dev':
    case 'proc':
      return []
  }
}

const isWritable = (mount: Mount | undefined) => mount?.kind === 'bind' && mount.access === 'write'

/** Rules go by paths: what is held must not be moved to another, nor anything around it. */
function stay(path: string, top: string): string[] {
  const around: string[] = []
  for (let folder = dirname(path); folder !== top && isWithin(folder, top); folder = dirname(folder))
    around.push(folder)
  return [...around, top].map((folder) => `(deny file-write-unlink ${literal(folder)})`)
}

function networkRules(ports: readonly number[], isWide: boolean): string[] {
  return [
    ...(isWide ? WIDE : []),
    ...ports.map((port) => `(allow network-outbound (remote tcp "localhost:${port}"))`),
  ]
}

const WIDE = [
  '(allow network-outbound (remote ip))',
  // Whoever listens here may do anything that it is asked for. A rule knows this machine by no other address.
  '(deny network-outbound (remote ip "localhost:*"))',
  '(allow network-bind network-inbound (local ip))',
  // Names are resolved over this one.
  '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  '(allow system-socket)',
]

const PROCESS = [
  '; processes: their own affairs, and what every program asks of the system',
  '(allow process-exec process-fork)',
  '(allow process-info* (target same-sandbox))',
  '(allow signal (target same-sandbox))',
  '(allow mach-priv-task-port (target same-sandbox))',
  '(allow file-map-executable)',
  '(allow dynamic-code-generation)',
  '(allow sysctl-read)',
  // Arguments and environment of every other process of the user.
  '(deny sysctl-read (sysctl-name "kern.procargs2"))',
  '(allow user-preference-read)',
  '(allow ipc-posix-sem ipc-posix-shm)',
  `(allow mach-lookup ${[
    ...['com.apple.bsd.dirhelper', 'com.apple.fonts', 'com.apple.FontObjectsServer'],
    ...['com.apple.logd', 'com.apple.system.logger', 'com.apple.system.notification_center'],
    ...['com.apple.system.opendirectoryd.libinfo', 'com.apple.system.opendirectoryd.membership'],
    ...['com.apple.trustd', 'com.apple.trustd.agent', 'com.apple.SystemConfiguration.configd'],
  ]
    .map((name) => `(global-name "${name}")`)
    .join(' ')})`,
]

const DEVICES = [
  '(allow file-read* file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
  '(allow file-read* (literal "/dev/random") (literal "/dev/urandom") (subpath "/dev/fd"))',
  '(allow file-write-data (subpath "/dev/fd"))',
  '(allow pseudo-tty)',
  '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))',
]

const subpath = (path: string) => `(subpath ${quoted(path)})`
const literal = (path: string) => `(literal ${quoted(path)})`
const quoted = (path: string) => `"${path.replace(/[\\"]/g, '\\$&')}"`
