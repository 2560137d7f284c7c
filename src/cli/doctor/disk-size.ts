/** How much room a file or folder takes on its disk, as `du` counts it. What agents made of it may be endless: it has a bound. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface MeasuredSize {
  readonly bytes: number
  /** False: there is more than was looked at. */
  readonly isWhole: boolean
}

const MOST_FILES = 200_000
const BLOCK = 512

export async function sizeOf(path: string): Promise<MeasuredSize> {
  let bytes = 0
  let looked = 0
  const left = [path]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (++looked > MOST_FILES) return { bytes, isWhole: false }
    try {
      const found = await lstat(next)
      bytes += found.blocks * BLOCK
      if (found.isDirectory()) for (const name of await readdir(next)) left.push(join(next, name))
    } catch {
      // Gone meanwhile, or not ours to look into.
    }
  }
  return { bytes, isWhole: true }
}
