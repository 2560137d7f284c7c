/**
 * Folders that an agent writes to, while it may be at work there: opened one name at a time and never through a link, so
 * that whatever is swapped meanwhile, a name in an opened folder leads to that folder's own entry and nowhere else.
 *
 * Linux names what lies in an open folder through /proc. Elsewhere there is only the path, and the look before.
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './file-error.ts'

export interface OpenFolder {
  /** The path of an entry. For reading, renaming or removing it: not to be kept. */
  entry(name: string): string
  /** The path of the folder itself, to be listed. */
  readonly path: string
  /** A folder in this one; `linked` where it is something else. */
  folder(name: string): Promise<OpenFolder | 'missing' | 'linked'>
  close(): Promise<void>
}

/** By names that lead there from a folder which is nobody's to swap. */
export async function openInside(
  root: string,
  names: readonly string[],
): Promise<OpenFolder | 'missing' | 'linked'> {
  let folder = await opened(root)
  for (const name of names) {
    if (typeof folder === 'string') return folder
    const outer: OpenFolder = folder
    try {
      folder = await outer.folder(name)
    } finally {
      // Also where its owner took the right to look into it away.
      await outer.close()
    }
  }
  return folder
}

export const HAS_PROC = process.platform === 'linux'
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

async function opened(path: string): Promise<OpenFolder | 'missing' | 'linked'> {
  let handle: FileHandle
  try {
    handle = await open(path, FOLDER)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'missing'
    if (['ELOOP', 'EMLINK', 'ENOTDIR'].includes(codeOf(error))) return 'linked'
    throw error
  }
  const base = HAS_PROC ? `/proc/self/fd/${handle.fd}` : path
  return {
    path: base,
    entry: (name) => join(base, name),
    folder: (name) => opened(join(base, name)),
    close: () => handle.close(),
  }
}
