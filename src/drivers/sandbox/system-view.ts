/**
 * What of a system every program may read: what it is made of, and nothing of what its users and services keep. Looked
 * up once in a while, because it takes some milliseconds.
 */
import { accessSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from './mounts.ts'
import { entryAt, realPathOf } from './real-path.ts'

const FOLDERS = [
  ...['/usr', '/usr/local', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt'],
  // Where other systems keep theirs.
  ...[
    '/nix/store',
    '/nix/var/nix/profiles',
    '/run/current-system',
    '/gnu/store',
    '/snap',
    '/var/lib/snapd/snap',
  ],
  // What programs look up about the machine: processors, memory limits, fonts, certificates, packages.
  ...['/sys/devices/system', '/sys/fs/cgroup', '/var/cache/fontconfig', '/var/lib/ca-certificates'],
  ...[
    '/var/lib/dpkg',
    '/var/lib/rpm',
    '/var/lib/texmf',
    '/var/lib/alternatives',
    '/var/lib/gems',
    '/var/lib/ghc',
  ],
]

/** Often links to what services keep elsewhere, and needed by every program that speaks to the network. */
const FILES = ['/etc/resolv.conf', '/etc/hosts', '/etc/localtime', '/etc/mtab']

/** To the kernel root owns its settings in a sandbox, too: they can only be read, or are not there. */
const SETTINGS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs']
const SWITCHES = ['/proc/acpi', '/proc/scsi', '/proc/mtrr', '/proc/latency_stats', '/proc/asound']

const FRESH_MS = 60_000
let seen: { readonly view: readonly Mount[]; readonly at: number } | null = null

export function systemView(): readonly Mount[] {
  if (seen === null || performance.now() - seen.at > FRESH_MS)
    seen = { view: readSystem(), at: performance.now() }
  return seen.view
}

function readSystem(): Mount[] {
  const mounts: Mount[] = []
  for (const path of [...FOLDERS, ...FILES]) {
    const real = realPathOf(path)
    if (real === null || real.path.startsWith('/proc/')) continue
    for (const { at, text } of real.links) mounts.push({ kind: 'link', at, text })
    mounts.push({ kind: 'bind', at: real.path, from: real.path, access: 'read' })
  }
  return [...mounts, ...privateIn('/etc')]
}

/** What has to be put over a fresh /proc, where the host is root: nobody else could write there. */
export function kernelView(): readonly Mount[] {
  kernel ??=
    process.getuid?.() === 0
      ? [
          ...SETTINGS.filter(exists).map((at): Mount => ({ kind: 'bind', at, from: at, access: 'read' })),
          ...SWITCHES.filter(exists).map((at): Mount => ({ kind: isFolder(at) ? 'empty' : 'masked', at })),
        ]
      : []
  return kernel
}

let kernel: readonly Mount[] | null = null

const exists = (path: string) => entryAt(path) !== null
const isFolder = (path: string) => entryAt(path)?.isDirectory() ?? false

/**
 * What we may read and not everybody: password hashes, keys of the machine. Root in a sandbox is nobody to the kernel but
 * still the owner of these.
 */
function privateIn(folder: string): Mount[] {
  const mounts: Mount[] = []
  for (const name of entriesOf(folder)) {
    const at = join(folder, name)
    const entry = entryAt(at)
    if (entry === null || entry.isSymbolicLink()) continue
    const isOpen = (entry.mode & 0o004) !== 0 || !mayRead(at)
    if (entry.isDirectory()) {
      if (isOpen) mounts.push(...privateIn(at))
      else mounts.push({ kind: 'empty', at })
    } else if (!isOpen && entry.size > 0) mounts.push({ kind: 'masked', at })
  }
  return mounts
}

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
