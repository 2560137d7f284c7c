/**
 * Folders of the user's that may be read, shown so that no Unix socket in them answers: not one that is bound later, by a
 * relative path, or renamed. To connect, the kernel looks for the very inode that was bound, and a file of an overlay has
 * another. The overlay is read-only and shows the folder as it is.
 *
 * Perl mounts it in a mount namespace of its own, where bubblewrap then finds it. Where an overlay cannot be mounted (before
 * Linux 5.11, or over another overlay of an overlay), the folder is shown without one.
 */
import { readFileSync } from 'node:fs'
import { isWithin } from './mounts.ts'
import { realPathOf } from './real-path.ts'
import type { Sandbox } from './sandbox.ts'

/** mount, umount2 */
export const MOUNT_CALLS = { x64: [165, 166], arm64: [40, 39] } as const

/** Defines `silence(FOLDER)`; finds the numbers of the calls in `$mount` and `$unmount`. */
export const SILENCE = `
sub silence {
  my ($folder, $kind, $data) = ($_[0], 'overlay', 'size=4k');
  open(my $below, '<', $folder) or return;
  # An overlay that is only read needs two layers, so beneath it lies an empty one.
  my $empty = 'tmpfs';
  syscall($mount, $empty, $folder, $empty, 0, $data) == 0 or return;
  if (open(my $nothing, '<', $folder)) {
    my $layers = 'lowerdir=/proc/self/fd/' . fileno($below) . ':/proc/self/fd/' . fileno($nothing);
    # MS_RDONLY
    return if syscall($mount, $kind, $folder, $kind, 1, $layers) == 0;
  }
  # MNT_DETACH
  syscall($unmount, $folder, 2);
}
`

/** By their real paths; without those that hold what an overlay would not show as it is: other mounts, what may be written or spoken to. */
export function silentFoldersIn({ silent, writable, sockets, home }: Sandbox): string[] {
  const real = (paths: readonly string[]) => paths.flatMap((path) => realPathOf(path) ?? [])
  const folders = real(silent).flatMap(({ path, isDirectory }) => (isDirectory ? [path] : []))
  if (folders.length === 0) return []
  const live = real([...writable, ...sockets, ...(home?.from == null ? [] : [home.from])])
  const others = [...mountPoints(), ...live.map(({ path }) => path)]
  return [...new Set(folders)].filter((folder) => !others.some((at) => at !== folder && isWithin(at, folder)))
}

function mountPoints(): string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .map((at) =>
      at.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))),
    )
}
