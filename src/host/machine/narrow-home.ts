/**
 * What Signalbox keeps is its user's alone, also in a folder that they made with wider rights: each file and folder of
 * ours in it is narrowed, and the folder itself, which may hold other things, is left as it is.
 */
import { chmodSync, lstatSync } from 'node:fs'
import { basename } from 'node:path'
import { codeOf } from '../workspace/file-error.ts'
import type { Home } from './home.ts'

/** Gives back the names of what others could read until now. */
export function narrowHome(home: Home): string[] {
  const { dir: _, ...ours } = home
  return Object.values(ours)
    .flatMap((path) => (path === home.database ? [path, `${path}-wal`, `${path}-shm`] : [path]))
    .filter(narrowed)
    .map((path) => basename(path))
}

const OTHERS = 0o077

function narrowed(path: string): boolean {
  try {
    const found = lstatSync(path)
    // What a link leads to is not ours to change, nor what belongs to somebody else.
    if (found.isSymbolicLink() || found.uid !== process.getuid?.() || (found.mode & OTHERS) === 0)
      return false
    chmodSync(path, found.mode & 0o700)
    return true
  } catch (error) {
    if (codeOf(error) === '') throw error
    return false
  }
}
