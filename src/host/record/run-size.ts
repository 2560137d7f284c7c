/** How much disk the files of a run take. Links count as themselves. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export async function sizeOnDisk(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return 0
  const own = found.blocks * 512
  if (!found.isDirectory()) return own
  const names = await readdir(path).catch(() => [])
  return own + (await sizeOnDisk(names.map((name) => join(path, name))))
}
