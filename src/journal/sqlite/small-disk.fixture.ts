/**
 * A disk of its own, so small that it is full at a word: a real one, mounted in a temporary folder. It needs root, and a
 * kernel that lets it; where that is not so, `openSmallDisk` says why.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface SmallDisk {
  readonly dir: string
  /** Leaves not a byte. */
  fill(): void
  /** All that `fill` took is free again. */
  empty(): void
  becomes(what: 'ro' | 'rw'): void
}

/** Why there can be none here; null where there can. */
export const whyNoSmallDisk: string | null = reasonAgainst()

export function openSmallDisk({ megabytes }: { readonly megabytes: number }): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-disk-'))
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'signalbox-test', dir)
  const ballast = join(dir, 'ballast')
  onTestFinished(() => {
    execFileSync('umount', ['-l', dir])
    rmSync(dir, { recursive: true })
  })
  return {
    dir,
    fill: () => fill(ballast),
    empty: () => rmSync(ballast, { force: true }),
    becomes: (what) => mount('-o', `remount,${what}`, dir),
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}

function fill(file: string): void {
  const descriptor = openSync(file, 'a')
  let size = 64 * 1024
  try {
    while (size > 0)
      try {
        writeSync(descriptor, Buffer.alloc(size))
      } catch {
        size = Math.floor(size / 2)
      }
  } finally {
    closeSync(descriptor)
  }
}

function reasonAgainst(): string | null {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-disk-'))
  try {
    mount('-t', 'tmpfs', '-o', 'size=1m', 'signalbox-test', dir)
    execFileSync('umount', [dir])
    return null
  } catch (error) {
    return `no file system can be mounted here: ${String(error).split('\n')[0]}`
  } finally {
    rmSync(dir, { recursive: true })
  }
}
