/** Takes a folder away whole, or not at all as far as anybody can see: renamed first, so that a crash leaves no half. */
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, isMissing } from './file-error.ts'

export async function removeFolder(path: string): Promise<void> {
  const aside = `${path}.removed`
  await removeTree(aside)
  try {
    await rename(path, aside)
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  await removeTree(aside)
}

async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    // Package caches are sometimes made of folders without write permission.
    if (!['EACCES', 'EPERM'].includes(codeOf(error))) throw error
    await makeWritable(path)
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function makeWritable(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return
  await chmod(path, 0o700)
  for (const name of await readdir(path)) await makeWritable(join(path, name))
}
