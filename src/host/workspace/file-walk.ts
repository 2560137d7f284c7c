/**
 * Every file below a folder in which agents may be at work: from open folder to open folder, through no link, also where
 * rights forbid it. What cannot be opened is told and passed by.
 *
 * However deep folders nest, only so many are open: the first ones, so that what an agent moves in its own ground never costs
 * another's, and the last ones. Those between are gone back to through the folder below, and must be the ones they were.
 */
import { readdir } from 'node:fs/promises'
import { codeFrom, isAway } from './file-error.ts'
import { openFolder, type RawPath, type UnlockedFolder } from './open-anyway.ts'

export type FileWalkStep =
  /** Its path and name can be asked for until the next step is taken. */
  | { readonly kind: 'file'; readonly path: Buffer; readonly name: () => string }
  | { readonly kind: 'unopened'; readonly name: string; readonly code: string }
  /** Not all of this folder was gone through. */
  | { readonly kind: 'moved'; readonly name: string }

/** The folder itself may be a link no more than anything in it. */
export async function* walkFiles(root: string): AsyncGenerator<FileWalkStep> {
  const levels: Level[] = []
  try {
    yield* enter(levels, { path: root, name: Buffer.from(root) })
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const name = level.folders.pop()
      if (name === undefined) yield* leave(levels)
      else yield* enter(levels, { path: entryOf(level.folder!, name), name })
    }
  } finally {
    for (const { folder } of levels) await folder?.close()
  }
}

interface Level {
  readonly name: Buffer
  readonly identity: string
  /** Null while too many others are open; never of the last one. */
  folder: UnlockedFolder | null
  /** Names of those not yet gone into. */
  readonly folders: Buffer[]
}

const FIRST_OPEN = 16
const LAST_OPEN = 16

async function* enter(
  levels: Level[],
  { path, name }: { readonly path: RawPath; readonly name: Buffer },
): AsyncGenerator<FileWalkStep> {
  const folder = await openFolder(path).catch(codeFrom)
  if (typeof folder === 'string') {
    if (!isAway(folder)) yield { kind: 'unopened', name: pathOf(levels, name), code: folder }
    return
  }
  const level: Level = { name, identity: folder.identity, folder, folders: [] }
  levels.push(level)
  const spare = levels.length - 1 - LAST_OPEN
  if (spare >= FIRST_OPEN) await closeLevel(levels[spare]!)
  const entries = await readdir(folder.path, { withFileTypes: true, encoding: 'buffer' }).catch(codeFrom)
  if (typeof entries === 'string') {
    yield { kind: 'unopened', name: pathOf(levels), code: entries }
    return
  }
  for (const entry of entries)
    if (entry.isDirectory()) level.folders.push(entry.name)
    else if (entry.isFile())
      yield { kind: 'file', path: entryOf(folder, entry.name), name: () => pathOf(levels, entry.name) }
}

async function* leave(levels: Level[]): AsyncGenerator<FileWalkStep> {
  const done = levels.pop()!
  const above = levels.at(-1)
  if (above !== undefined && above.folder === null) above.folder = await reopened(above, done.folder!)
  await closeLevel(done)
  for (let lost = levels.at(-1); lost !== undefined && lost.folder === null; lost = levels.at(-1)) {
    if (lost.folders.length > 0) yield { kind: 'moved', name: pathOf(levels) }
    levels.pop()
  }
}

async function reopened({ identity }: Level, below: UnlockedFolder): Promise<UnlockedFolder | null> {
  const folder = await openFolder(entryOf(below, Buffer.from('..'))).catch(codeFrom)
  if (typeof folder === 'string') return null
  if (folder.identity === identity) return folder
  await folder.close()
  return null
}

async function closeLevel(level: Level): Promise<void> {
  await level.folder?.close()
  level.folder = null
}

const entryOf = (folder: UnlockedFolder, name: Buffer): Buffer =>
  Buffer.concat([folder.path, Buffer.from('/'), name])

const pathOf = (levels: readonly Level[], ...last: readonly Buffer[]): string =>
  [...levels.map(({ name }) => name), ...last].map((name) => name.toString()).join('/')
