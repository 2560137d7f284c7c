/**
 * What of a system every program may read: what it is made of, and nothing of what its users and services keep.
 */
import { concealedIn, prepareConcealed } from './concealed.ts'
import { isWithin, type Mount } from './mounts.ts'
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

/** Made for everybody by what fills them, and too large to look through. */
const PUBLIC = [
  '/nix/store',
  '/gnu/store',
  '/snap',
  '/var/lib/snapd/snap',
  '/sys/devices/system',
  '/sys/fs/cgroup',
]
/** Where people write settings. What else there is in /usr was unpacked from packages. */
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
  const { looked, settled } = foldersToLook()
  return [...concealedIn('rights', looked), ...concealedIn('names', settled)]
}

/** To be awaited before the first sandbox, which would have to wait for it otherwise. False: it cannot be looked through. */
export async function prepareSystemView(): Promise<boolean> {
  const { looked, settled } = foldersToLook()
  const done = await Promise.all([prepareConcealed('rights', looked), prepareConcealed('names', settled)])
  return done.every(Boolean)
}

function foldersToLook(): { readonly looked: readonly string[]; readonly settled: readonly string[] } {
  const real = (paths: readonly string[]): string[] => {
    const found = new Set(paths.flatMap((path) => realPathOf(path)?.path ?? []))
    return [...found].filter((path) => ![...found].some((other) => other !== path && isWithin(path, other)))
  }
  return { looked: real(FOLDERS.filter((path) => !PUBLIC.includes(path))), settled: real(SETTLED) }
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
