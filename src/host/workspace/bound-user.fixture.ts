/** Somebody whom the rights of files bind: who tests as root becomes another for a while, in this process. */
import { chownSync } from 'node:fs'

const NOBODY = 65534
export const runsAsRoot = process.getuid?.() === 0

/** The folders given are theirs. */
export async function asBoundUser<T>(folders: readonly string[], act: () => Promise<T>): Promise<T> {
  if (!runsAsRoot) return act()
  for (const folder of folders) chownSync(folder, NOBODY, NOBODY)
  process.setegid!(NOBODY)
  process.seteuid!(NOBODY)
  try {
    return await act()
  } finally {
    process.seteuid!(0)
    process.setegid!(0)
  }
}
