/** What agents left in the run's folder, to be kept when the worktree is gone. Nothing is followed out of it. */
import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import type { Confined } from './confined.ts'
import { codeOf, isMissing } from './file-error.ts'
import { shown, textOf } from './file-name.ts'
import { twiceForRoom } from './for-room.ts'
import type { Ground } from './ground.ts'
import { type OpenFolder, openInside } from './inside.ts'
import { RUN_DIR } from './run-folder.ts'

export interface Artifacts {
  /** Names are relative to the run's folder, with slashes, in order. */
  readonly kept: { readonly name: string; readonly bytes: Uint8Array }[]
  readonly refused: { readonly name: string; readonly why: string }[]
}

export async function collectArtifacts(request: {
  readonly worktree: string
  /** The run's folder in it. */
  readonly dir: string
  /** Of one file. */
  readonly maxBytes: number
  readonly maxFiles: number
  /** Of all together; eight times as much as one by default. */
  readonly totalBytes?: number
}): Promise<Artifacts> {
  const { worktree, dir, maxBytes, maxFiles } = request
  const kept: Artifacts['kept'] = []
  const refused: Artifacts['refused'] = []
  const refuse = (name: string, why: string): void => {
    if (refused.length < maxFiles) refused.push({ name, why })
  }
  const folder = await openInside(worktree, dir.split('/'))
  if (typeof folder === 'string') return { kept, refused }

  let bytesLeft = request.totalBytes ?? maxBytes * 8
  for await (const { name, kind, path } of walk(folder)) {
    if (name === '.gitignore') continue
    if (kind === 'unreadable') refuse(name, 'its folder cannot be read')
    else if (kind !== 'file') refuse(name, kind === 'link' ? 'it is a link' : 'it is not a regular file')
    else if (kept.length >= maxFiles) refuse(name, `there are more than ${maxFiles} files`)
    else {
      const read = await readRegular(path, Math.min(maxBytes, bytesLeft))
      if ('why' in read) refuse(name, read.why)
      else {
        kept.push({ name, bytes: read.bytes })
        bytesLeft -= read.bytes.length
      }
    }
  }
  return { kept, refused }
}

/** Into the worktree's folder, from within the agent's sandbox: whatever it made of that folder, nothing else is reached. */
export async function bringArtifacts({
  ground,
  artifacts,
  confined,
}: {
  readonly ground: Ground
  readonly artifacts: Artifacts['kept']
  readonly confined: Confined
}): Promise<void> {
  for (const { name, bytes } of artifacts)
    await twiceForRoom([ground.dir], () =>
      confined({
        ground,
        writes: 'agent',
        argv: ['sh', '-c', 'mkdir -p -- "${1%/*}" && cat > "$1"', 'bring', `${RUN_DIR}/${name}`],
        input: bytes,
      }),
    )
}

/** A regular file of at most so many bytes; it may change while it is read. */
export async function readRegular(
  file: string,
  maxBytes: number,
): Promise<{ bytes: Uint8Array } | { why: string }> {
  try {
    // A pipe must not make us wait for its writer.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await handle.stat()
      if (!found.isFile()) return { why: found.isDirectory() ? 'it is a folder' : 'it is not a regular file' }
      if (found.size > maxBytes) return { why: tooLarge(found.size, maxBytes) }
      const buffer = Buffer.alloc(Number(found.size) + 1)
      let length = 0
      for (;;) {
        const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
        length += bytesRead
        if (bytesRead === 0 || length === buffer.length) break
      }
      if (length === buffer.length) return { why: 'it was still being written' }
      return { bytes: buffer.subarray(0, length) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (isMissing(error)) return { why: MISSING }
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ELOOP' || code === 'EMLINK') return { why: 'it is a link' }
    if (code === 'ENXIO') return { why: 'it is not a regular file' }
    if (code !== '') return { why: `it cannot be read (${code})` }
    throw error
  }
}

export const MISSING = 'it is not there'

const tooLarge = (bytes: number, most: number): string => `it has ${bytes} bytes; at most ${most} are taken`

interface Found {
  readonly name: string
  readonly kind: 'file' | 'link' | 'other' | 'unreadable'
  /** For as long as the next one is not asked for. */
  readonly path: string
}

const DEEPEST = 32

/** Closes the folder. */
async function* walk(folder: OpenFolder, under = '', depth = 0): AsyncGenerator<Found> {
  try {
    for (const { entry, text } of await entriesOf(folder)) {
      const name = `${under}${shown(text)}`
      const path = folder.entry(text)
      // A name that is not text cannot be kept under its name.
      if (shown(text) !== text) yield { name, kind: 'other', path }
      else if (entry.isDirectory() && depth < DEEPEST) {
        const inner = await folder.folder(text)
        if (typeof inner === 'string') yield { name, kind: 'unreadable', path }
        else yield* walk(inner, `${name}/`, depth + 1)
      } else yield { name, kind: entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other', path }
    }
  } catch (error) {
    if (codeOf(error) === '') throw error
    yield { name: under, kind: 'unreadable', path: '' }
  } finally {
    await folder.close()
  }
}

async function entriesOf({ path }: OpenFolder): Promise<{ entry: Dirent<Buffer>; text: string }[]> {
  const entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' })
  const named = entries.map((entry) => ({ entry, text: textOf(entry.name) }))
  return named.sort((a, b) => (a.text < b.text ? -1 : 1))
}

/** Those that were not there before, or said something else. */
export function newSince(before: Artifacts['kept'], now: Artifacts['kept']): Artifacts['kept'] {
  const known = new Map(before.map(({ name, bytes }) => [name, bytes]))
  return now.filter(({ name, bytes }) => {
    const was = known.get(name)
    return was === undefined || !Buffer.from(was).equals(bytes)
  })
}
