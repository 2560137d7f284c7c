/**
 * The one reader of what a repository, an issue branch, a runbook or a config names: a regular file of a sane size, reached
 * from open folder to open folder, so that no link leads elsewhere, also one that is laid while it is read.
 *
 * At once and not later: a runbook or a config is a few small files, and whoever compiles it has nothing else to do.
 */
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeFrom, codeOf, isMissing } from '../workspace/file-error.ts'
import { HAS_PROC } from '../workspace/inside.ts'
import type { NotInside, Place } from './place.ts'

/** `why` is a predicate, to stand after the path. */
export interface Unreadable extends NotInside {
  readonly kind: 'missing' | 'link' | 'behind a link' | 'other'
}

/** Larger than any runbook, prompt or config. */
export const MAX_FILE_BYTES = 512 * 1024

export interface ReadLimit {
  readonly maxBytes: number
  /** What becomes of a larger one. */
  readonly beyond?: 'refused' | 'cut'
}

export function readInside(place: Place, limit: ReadLimit): { readonly bytes: Uint8Array } | Unreadable {
  const name = place.names.at(-1)
  if (name === undefined) return unreadable('is a folder, not a file')
  return within(place, place.names.slice(0, -1), (folder) => {
    // A pipe must not make us wait for its writer.
    const file = openSync(
      join(folder, name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    try {
      return bytesOf(file, limit)
    } finally {
      closeSync(file)
    }
  })
}

/** What a folder holds; empty where there is none. */
export function entriesInside(place: Place): readonly Dirent[] {
  const listed = within(place, place.names, (folder) => readdirSync(folder, { withFileTypes: true }))
  return 'why' in listed ? [] : listed
}

/** What has this name; null where nothing has. */
export function kindInside(place: Place): 'file' | 'folder' | 'link' | 'behind a link' | 'other' | null {
  const name = place.names.at(-1)
  if (name === undefined) return 'folder'
  const found = within(place, place.names.slice(0, -1), (folder) => lstatSync(join(folder, name)))
  if ('why' in found) return found.kind === 'missing' ? null : found.kind
  if (found.isSymbolicLink()) return 'link'
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY

function within<T>(
  place: Place,
  folders: readonly string[],
  act: (folder: string) => T | Unreadable,
): T | Unreadable {
  let open = -1
  let path = ''
  let at = 0
  try {
    path = realpathSync(place.root)
    open = openSync(path, FOLDER)
    for (; at < folders.length; at++) {
      path = join(HAS_PROC ? `/proc/self/fd/${open}` : path, folders[at]!)
      const inner = openSync(path, FOLDER | constants.O_NOFOLLOW)
      closeSync(open)
      open = inner
    }
    return act(HAS_PROC ? `/proc/self/fd/${open}` : path)
  } catch (error) {
    const folder = at < folders.length ? folders.slice(0, at + 1).join('/') : null
    return whyNot(error, { folder, isLink: isLinked(error, path) })
  } finally {
    if (open >= 0) closeSync(open)
  }
}

function bytesOf(
  file: number,
  { maxBytes, beyond = 'refused' }: ReadLimit,
): { readonly bytes: Uint8Array } | Unreadable {
  const found = fstatSync(file)
  if (found.isDirectory()) return unreadable('is a folder, not a file')
  if (!found.isFile()) return unreadable('is not a regular file')
  // One more than there are: it may grow while it is read.
  const buffer = Buffer.alloc(Math.min(found.size, maxBytes) + 1)
  let length = 0
  for (let read = -1; read !== 0 && length < buffer.length; length += read)
    read = readSync(file, buffer, length, buffer.length - length, length)
  if (length <= maxBytes) return { bytes: buffer.subarray(0, length) }
  if (beyond === 'cut') return { bytes: buffer.subarray(0, maxBytes) }
  const kib = Math.ceil(Math.max(found.size, length) / 1024)
  return unreadable(`has ${kib} KiB; at most ${maxBytes / 1024} KiB are read`)
}

const unreadable = (why: string, kind: Unreadable['kind'] = 'other'): Unreadable => ({ why, kind })

/** `folder`: the one on the way that could not be opened; null where it was the file itself. */
function whyNot(
  error: unknown,
  { folder, isLink }: { readonly folder: string | null; readonly isLink: boolean },
): Unreadable {
  const code = codeFrom(error)
  if (isLink && folder === null)
    return unreadable('is a link, which is not followed. Put the file itself there', 'link')
  if (isLink)
    return unreadable(
      `lies behind a link (${folder}), which is not followed. Put the folder itself there`,
      'behind a link',
    )
  if (isMissing(error)) return unreadable('does not exist', 'missing')
  if (code === 'ENXIO') return unreadable('is not a regular file')
  if (code === 'EACCES' || code === 'EPERM') return unreadable('may not be read by you')
  return unreadable(`cannot be read (${code})`)
}

/** A folder that is a link is no folder to the system, as a file is none. */
const isLinked = (error: unknown, path: string): boolean =>
  ['ELOOP', 'EMLINK'].includes(codeOf(error)) ||
  (codeOf(error) === 'ENOTDIR' && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
