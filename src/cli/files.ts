/** Reads what the user names: regular files of a sane size, as UTF-8, with a sentence for everything else. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import type { FileRead } from '../runbook/compile/scope.ts'

const LARGEST = 512 * 1024

export type BytesRead =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly why: string }

export function readBytes(path: string): BytesRead {
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return unreadable('is a folder, not a file')
    if (!stat.isFile()) return unreadable('is not a regular file')
    if (stat.size > LARGEST)
      return unreadable(`has ${Math.ceil(stat.size / 1024)} KiB; at most ${LARGEST / 1024} KiB are read`)
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

/** A file that a runbook names, relative to the runbook. */
export function readBeside(path: string, from: string): FileRead {
  const file = isAbsolute(path) ? path : join(dirname(from), path)
  const read = readBytes(file)
  if (read.kind === 'unreadable') return read
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(read.bytes)
    return { kind: 'text', text, file: isAbsolute(path) ? path : relativeTo(file) }
  } catch {
    return unreadable('is not UTF-8 text')
  }
}

/** As a person would name it from where they stand. */
function relativeTo(file: string): string {
  const near = relative(process.cwd(), file)
  return near.startsWith('..') ? file : near
}
