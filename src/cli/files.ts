/**
 * Reads files of the user's own: regular ones of a sane size, also behind a link of theirs. What a repository names is read by
 * `host/inside/read-inside.ts`.
 */
import { readFileSync, statSync } from 'node:fs'
import { MAX_FILE_BYTES } from '../host/inside/read-inside.ts'

export type BytesRead =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly why: string }

export function readBytes(path: string): BytesRead {
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return unreadable('is a folder, not a file')
    if (!stat.isFile()) return unreadable('is not a regular file')
    if (stat.size > MAX_FILE_BYTES)
      return unreadable(
        `has ${Math.ceil(stat.size / 1024)} KiB; at most ${MAX_FILE_BYTES / 1024} KiB are read`,
      )
    return { kind: 'bytes', bytes: readFileSync(path) }
  } catch (error) {
    return unreadable(whyNot(error))
  }
}

const unreadable = (why: string): { kind: 'unreadable'; why: string } => ({ kind: 'unreadable', why })

function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by you'
  if (code === 'ELOOP') return 'is a link that leads to itself'
  return `cannot be read (${code || String(error)})`
}
