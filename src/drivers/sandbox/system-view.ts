/**
 * What of a system every program may read: what it is made of, and nothing of what its users and services keep.
 */
import { concealedIn, prepareConcealed } from './concealed.ts'
import type { Mount } from './mounts.ts'
import { entryAt, realPathOf } from './real-path.ts'
import type { Sandbox } from './sandbox.ts'

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

/** What a program is started with. Nobody keeps anything of theirs there, so nothing has to be looked for. */
const LIBRARIES = [
  ...['/lib', '/lib32', '/lib64', '/libx32', '/usr/lib', '/usr/lib32', '/usr/lib64', '/bin/sh'],
  ...['/etc/ld.so.cache', '/etc/localtime', '/nix/store', '/gnu/store'],
]

/** Often links to what services keep elsewhere, and needed by every program that speaks to the network. */
const FILES = ['/etc/resolv.conf', '/etc/hosts', '/etc/localtime', '/etc/mtab']

/** To the kernel root owns its settings in a sandbox, too: they can only be read, or are not there. */
const SETTINGS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs']
const SWITCHES = ['/proc/acpi', '/proc/scsi', '/proc/mtrr', '/proc/latency_stats', '/proc/asound']

/** Where people write. The rest was unpacked from packages, which everybody can read, and takes long to look through. */
const SETTLED = ['/etc', '/opt', '/usr/local', '/usr/etc']

export function systemView(system: Sandbox['system']): readonly Mount[] {
  const mounts: Mount[] = []
  for (const path of system === 'whole' ? [...FOLDERS, ...FILES] : LIBRARIES) {
    const real = realPathOf(path)
    if (real === null || real.path.startsWith('/proc/')) continue
    for (const { at, text } of real.links) mounts.push({ kind: 'link', at, text })
    mounts.push({ kind: 'bind', at: real.path, from: real.path, access: 'read' })
  }
  return mounts
}

export function concealedOfSystem(): readonly Mount[] {
  const folders = settledFolders()
  return [...concealedIn('rights', folders), ...concealedIn('names', folders)]
}

/** To be awaited before the first sandbox, which would have to wait for it otherwise. False: it cannot be looked through. */
export async function prepareSystemView(): Promise<boolean> {
  const folders = settledFolders()
  const done = await Promise.all([prepareConcealed('rights', folders), prepareConcealed('names', folders)])
  return done.every(Boolean)
}

const settledFolders = (): readonly string[] => [
  ...new Set(SETTLED.flatMap((path) => realPathOf(path)?.path ?? [])),
]

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
