/**
 * One at a time changes the issues of a repository, wherever its worktrees are: whoever makes the lock's file goes on. It is
 * held for as long as a few files take to write; one that stands much longer was left by somebody who died.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, isMissing } from '../workspace/file-error.ts'

const LEFT_BEHIND_MS = 20_000
const AGAIN_MS = 10

export async function withLock<T>(folder: string | null, act: () => Promise<T>): Promise<T> {
  const release = folder === null ? null : await take(join(folder, 'issues.lock'))
  try {
    return await act()
  } finally {
    await release?.()
  }
}

/** Null where nothing can be written: what cannot be locked there cannot be raced for either. */
async function take(file: string): Promise<(() => Promise<void>) | null> {
  const token = randomUUID()
  for (;;) {
    try {
      await writeFile(file, token, { flag: 'wx' })
      return async () => {
        if ((await readFile(file, 'utf8').catch(() => '')) === token) await unlink(file)
      }
    } catch (error) {
      if (['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error))) return null
      if (codeOf(error) !== 'EEXIST') throw error
    }
    await clearIfLeft(file)
    await pause(AGAIN_MS)
  }
}

async function clearIfLeft(file: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs < LEFT_BEHIND_MS) return
    const aside = `${file}.${randomUUID()}`
    await rename(file, aside)
    await unlink(aside)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
