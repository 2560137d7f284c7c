/** How much room there is where something is kept. Programs seldom say that they failed for lack of it: the file system does. */
import { accessSync, constants, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageFailure } from '../../model/storage-failure.ts'

interface Room {
  readonly freeBytes: number
  readonly totalBytes: number
  /** No more files can be made, whatever their size. */
  readonly isOutOfFiles: boolean
  readonly isReadOnly: boolean
}

/** Less than this is none: nothing that is worth doing fits in. */
const LEAST_BYTES = 1024 * 1024
/** With less than this, a program may well have found none: what it had written by then is gone with it. */
const LITTLE_BYTES = 64 * LEAST_BYTES

/** Of the folder, or of the nearest one around it that is there; null where nobody can tell. */
export function roomIn(dir: string): Room | null {
  try {
    const { bavail, bsize, blocks, files, ffree } = statfsSync(dir)
    return {
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      isOutOfFiles: files > 0 && ffree === 0,
      isReadOnly: isReadOnly(dir),
    }
  } catch {
    const around = dirname(dir)
    return around === dir ? null : roomIn(around)
  }
}

export function whyNoRoom(dirs: readonly string[]): StorageFailure | null {
  for (const dir of dirs) {
    const room = roomIn(dir)
    const why = room === null ? null : lackOf(room)
    if (why !== null)
      return new StorageFailure(`Nothing can be written to ${dir}: ${why}.`, { code: 'cannot-write' })
  }
  return null
}

/** Why it is likely that a program which says so was let down by the disk; null where there is room enough. */
export function whyLittleRoom(dirs: readonly string[]): StorageFailure | null {
  for (const dir of dirs) {
    const free = roomIn(dir)?.freeBytes ?? LITTLE_BYTES
    if (free >= LITTLE_BYTES) continue
    const left = `only ${Math.floor(free / LEAST_BYTES)} MiB are left`
    return new StorageFailure(`Nothing can be written to ${dir}, it seems: ${left}.`, {
      code: 'cannot-write',
      knownBy: 'words and little room',
    })
  }
  return null
}

export function lackOf({ freeBytes, isOutOfFiles, isReadOnly: readOnly }: Room): string | null {
  if (readOnly) return 'its disk can only be read'
  if (freeBytes < LEAST_BYTES) return 'its disk is full'
  return isOutOfFiles ? 'its disk has no room for another file' : null
}

function isReadOnly(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS'
  }
}
