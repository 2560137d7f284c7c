/**
 * The one writer of what a repository, an issue branch or a config names: a file reached from open folder to open folder,
 * written whole or not at all. Folders on the way are made; a link on the way is refused.
 */
import { randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, realpath, rename, rmdir, unlink } from 'node:fs/promises'
import { codeOf, isMissing } from '../workspace/file-error.ts'
import { type OpenFolder, openInside } from '../workspace/inside.ts'
import { writeNew } from '../workspace/write-new.ts'
import type { NotInside, Place } from './place.ts'

export interface Writing {
  readonly content: string | Uint8Array
  readonly mode: number
  /** What becomes of a file that is there. One that replaces it has its rights; a link is replaced, never followed. */
  readonly existing: 'kept' | 'replaced'
}

/** `there`: a file is, and was kept. */
export async function writeInside(
  place: Place,
  { content, mode, existing }: Writing,
): Promise<'written' | 'there' | NotInside> {
  const name = place.names.at(-1)
  if (name === undefined) return { why: 'is a folder, not a file' }
  const folder = await makeFolders({ ...place, names: place.names.slice(0, -1) })
  if ('why' in folder) return folder
  try {
    if (existing === 'kept') {
      await writeNew(folder.entry(name), content, mode)
      return 'written'
    }
    const draft = folder.entry(`.${name.slice(0, 100)}.${randomUUID()}`)
    await writeNew(draft, content, mode)
    try {
      const found = await lstat(folder.entry(name)).catch(() => null)
      if (found?.isFile() === true) await chmod(draft, found.mode & 0o777)
      await rename(draft, folder.entry(name))
    } catch (error) {
      await unlink(draft)
      throw error
    }
    return 'written'
  } catch (error) {
    if (existing === 'kept' && codeOf(error) === 'EEXIST') return 'there'
    throw error
  } finally {
    await folder.close()
  }
}

/** The folder, made where it is missing. To be closed. */
export async function makeFolders({ root, names }: Place): Promise<OpenFolder | NotInside> {
  let at = await openInside(await realpath(root), [])
  for (const [depth, name] of names.entries()) {
    if (typeof at === 'string') break
    const inner: OpenFolder | 'missing' | 'linked' = await madeIn(at, name)
    if (inner === 'linked')
      return {
        why: `lies behind ${names.slice(0, depth + 1).join('/')}, which is a link or no folder. Put a folder there`,
      }
    at = inner
  }
  return typeof at === 'string' ? { why: `lies below ${root}, which is no folder` } : at
}

/** Closes the outer one. */
async function madeIn(folder: OpenFolder, name: string): Promise<OpenFolder | 'missing' | 'linked'> {
  try {
    await mkdir(folder.entry(name)).catch((error: unknown) => {
      if (!['EEXIST', 'EISDIR'].includes(codeOf(error))) throw error
    })
    return await folder.folder(name)
  } finally {
    await folder.close()
  }
}

/** With the folders that nothing else is in. What a link leads to stays. */
export async function removeInside(place: Place): Promise<void> {
  for (let names = place.names; names.length > 0; names = names.slice(0, -1)) {
    const folder = await openInside(await realpath(place.root), names.slice(0, -1))
    if (typeof folder === 'string') return
    const entry = folder.entry(names.at(-1)!)
    try {
      await (names === place.names ? unlink(entry) : rmdir(entry))
    } catch (error) {
      if (names === place.names && !isMissing(error)) throw error
      return
    } finally {
      await folder.close()
    }
  }
}
