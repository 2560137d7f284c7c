/** A copy of a file or folder of the user's, within limits: regular files and folders, and nothing that links name. */
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const MAX_COPIED_BYTES = 64 * 1024 * 1024
const MAX_COPIED_ENTRIES = 10_000

export async function copyWithin(
  from: string,
  to: string,
): Promise<{ readonly bytes: number } | { readonly why: string }> {
  let bytes = 0
  let entries = 0
  const copy = async (source: string, target: string): Promise<string | null> => {
    const found = await lstat(source)
    entries += 1
    if (entries > MAX_COPIED_ENTRIES) return `it has more than ${MAX_COPIED_ENTRIES} files`
    if (found.isDirectory()) {
      await mkdir(target, { mode: 0o700 })
      for (const name of await readdir(source)) {
        const why = await copy(join(source, name), join(target, name))
        if (why !== null) return why
      }
      return null
    }
    if (!found.isFile()) return null
    bytes += found.size
    if (bytes > MAX_COPIED_BYTES) return `it has more than ${MAX_COPIED_BYTES / 1024 / 1024} MiB`
    await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    return null
  }
  const why = await copy(from, to)
  if (why === null) return { bytes }
  await rm(to, { recursive: true, force: true })
  return { why }
}
