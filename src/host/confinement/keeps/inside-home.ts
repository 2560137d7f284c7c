/**
 * Writing in a private home. An agent writes there too, so a link, a pipe or a folder may stand at any place: folders are
 * entered without following links, and whatever stands in the way is removed.
 */
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename, unlink } from 'node:fs/promises'
import { isMissing } from '../../workspace/file-error.ts'
import { type OpenFolder, openInside } from '../../workspace/inside.ts'
import { removeFolder } from '../../workspace/remove-folder.ts'
import { writeNew } from '../../workspace/write-new.ts'

/** The folder of these names in the home, made where it is missing. The caller closes it. */
export async function makeFolderInside(home: string, names: readonly string[]): Promise<OpenFolder> {
  let folder = await openInside(home, [])
  if (typeof folder === 'string') throw new Error(`${home} is not a folder.`)
  for (const name of names) {
    const outer: OpenFolder = folder
    try {
      folder = await enter(home, outer, name)
    } finally {
      await outer.close()
    }
  }
  return folder
}

async function enter(home: string, folder: OpenFolder, name: string): Promise<OpenFolder> {
  const found = await folder.folder(name)
  if (typeof found !== 'string') return found
  await removeEntry(home, folder, name)
  await mkdir(folder.entry(name), { mode: 0o700 })
  const made = await folder.folder(name)
  if (typeof made === 'string') throw new Error(`${name} in ${home} was replaced while it was made.`)
  return made
}

/** Replaces whatever is there. In one step, so that an agent that reads it finds the one or the other. */
export async function putFile(home: string, names: readonly string[], bytes: Uint8Array): Promise<void> {
  const folder = await makeFolderInside(home, names.slice(0, -1))
  try {
    const name = names.at(-1)!
    const fresh = `.${name}.${randomUUID()}`
    await writeNew(folder.entry(fresh), bytes, 0o600)
    await rename(folder.entry(fresh), folder.entry(name)).catch(async (error: unknown) => {
      // A folder stands there.
      if (!isInTheWay(error)) throw error
      await removeEntry(home, folder, name)
      await rename(folder.entry(fresh), folder.entry(name))
    })
  } finally {
    await folder.close()
  }
}

const isInTheWay = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(String(error.code))

export async function removeInside(home: string, names: readonly string[]): Promise<void> {
  const folder = await openInside(home, names.slice(0, -1))
  if (typeof folder === 'string') return
  try {
    await removeEntry(home, folder, names.at(-1)!)
  } finally {
    await folder.close()
  }
}

/** A folder is moved out of the agent's reach first, and only then looked into. */
async function removeEntry(home: string, folder: OpenFolder, name: string): Promise<void> {
  try {
    const found = await lstat(folder.entry(name))
    if (!found.isDirectory()) return await unlink(folder.entry(name))
    const aside = `${home}.${randomUUID()}`
    await rename(folder.entry(name), aside)
    await removeFolder(aside)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
