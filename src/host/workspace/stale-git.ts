/**
 * A git that a killed host left at work in our worktrees: it has no mark as agents have, because it shares the host's
 * session. It is known by its settings, which nobody types, and by where it works. Only Linux lets us look.
 */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { OUR_SETTING } from './git.ts'

const PATIENCE_MS = 5_000
const AGAIN_MS = 20

/** Ends them and waits until they are gone. Gives back their pids. */
export async function endStaleGit(folders: readonly string[]): Promise<number[]> {
  const stale = await gitsIn(folders)
  for (const pid of stale) endOne(pid)
  const deadline = Date.now() + PATIENCE_MS
  while (stale.length > 0 && Date.now() < deadline && (await gitsIn(folders)).length > 0)
    await pause(AGAIN_MS)
  return stale
}

/** Whether any git, the user's too, works there. */
export const isGitIn = async (folders: readonly string[]): Promise<boolean> =>
  (await gitsIn(folders, 'any')).length > 0

type Whose = 'ours' | 'any'

async function gitsIn(folders: readonly string[], whose: Whose = 'ours'): Promise<number[]> {
  const pids = (await names('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => ((await isAtWork(pid, folders, whose)) ? [pid] : [])),
  )
  return found.flat()
}

async function isAtWork(pid: number, folders: readonly string[], whose: Whose): Promise<boolean> {
  try {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (!words[0]?.endsWith('git') || (whose === 'ours' && !words.includes(OUR_SETTING))) return false
    const places = [await readlink(`/proc/${pid}/cwd`), ...words]
    return places.some((place) =>
      folders.some((folder) => place === folder || place.startsWith(`${folder}/`)),
    )
  } catch {
    return false
  }
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    return []
  }
}

function endOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
