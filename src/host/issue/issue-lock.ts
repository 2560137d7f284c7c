/**
 * One at a time changes the issues of a repository, wherever its worktrees are: whoever makes the lock's file goes on. It is
 * held for as long as a few files take to write; one that stands much longer was left by somebody who died.
 */
import { randomUUID } from 'node:crypto'
import { lstat, readFile, unlink, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, isMissing } from '../workspace/file-error.ts'
import { writeNew } from '../workspace/write-new.ts'

const LEFT_BEHIND_MS = 20_000
const AGAIN_MS = 10

export async function withLock<T>(file: string, act: () => Promise<T>): Promise<T> {
  const release = await take(file)
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
      await writeNew(file, token, 0o666)
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

/** By one at a time, who looks again: whoever looked before another took it anew would take it from them. */
async function clearIfLeft(file: string): Promise<void> {
  if (!(await isLeft(file))) return
  const clearing = `${file}.clearing`
  try {
    await writeFile(clearing, '', { flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (await isLeft(clearing)) await unlinkIfThere(clearing)
    return
  }
  try {
    if (await isLeft(file)) await unlinkIfThere(file)
  } finally {
    await unlinkIfThere(clearing)
  }
}

async function isLeft(file: string): Promise<boolean> {
  // Of the name itself: a link that leads nowhere would stand for ever.
  const found = await lstat(file).catch(orMissing)
  return found !== null && Date.now() - found.mtimeMs >= LEFT_BEHIND_MS
}

const unlinkIfThere = (file: string): Promise<unknown> => unlink(file).catch(orMissing)

function orMissing(error: unknown): null {
  if (!isMissing(error)) throw error
  return null
}
