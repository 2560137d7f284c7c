/**
 * A worktree that git was killed in making, before git itself can tell of it. One empty file there and every git that
 * looks for worktrees gives up, in the whole repository.
 */
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isMissing } from './file-error.ts'
import { gitLine } from './git.ts'
import { linkedGitDir } from './git-dir.ts'
import { removeFolder } from './remove-folder.ts'

/** All that lie in this folder. Only to be called when nobody is making one there. */
export async function clearAllHalfMade(worktrees: string): Promise<void> {
  for (const name of await namesIn(worktrees)) {
    const path = join(worktrees, name)
    // One that cannot be looked at is for its own run to tell of.
    await clearOne(path).catch(() => undefined)
  }
}

async function clearOne(path: string): Promise<void> {
  const admin = await linkedGitDir(path)
  if (admin !== null && (await isOf(admin, path)) && (await isHalfMade(admin))) await clear(admin, path)
}

/** Only to be called when nobody is making a worktree at that path. */
export async function clearHalfMade({ repo, path }: { repo: string; path: string }): Promise<void> {
  const all = resolve(repo, await gitLine(['rev-parse', '--git-common-dir'], { cwd: repo }), 'worktrees')
  for (const name of await namesIn(all)) {
    const admin = join(all, name)
    if ((await isOf(admin, path)) && (await isHalfMade(admin))) await clear(admin, path)
  }
}

/** Taken out of git's sight at one stroke: what is left of it after a crash must not stand in the way again. */
async function clear(admin: string, path: string): Promise<void> {
  const aside = join(admin, '../..', 'signalbox-half-made')
  await rm(aside, { recursive: true, force: true })
  await rename(admin, aside)
  await rm(aside, { recursive: true, force: true })
  const left = await namesIn(path)
  if (left.length === 1 && left[0] === '.git') await removeFolder(path)
}

/** Where it was killed before it wrote down the path, its name tells: that of the folder, numbered if it was taken. */
async function isOf(admin: string, path: string): Promise<boolean> {
  const link = await lineIn(join(admin, 'gitdir'))
  if (link !== '') return resolve(admin, link) === join(path, '.git')
  const [folder, name] = [basename(path), basename(admin)]
  return name.startsWith(folder) && /^\d*$/.test(name.slice(folder.length))
}

/** git locks it until all is there. Without that lock there may be work in it, whatever became of these files. */
async function isHalfMade(admin: string): Promise<boolean> {
  if (!['', 'initializing'].includes(await lineIn(join(admin, 'locked'), 'none'))) return false
  const files = ['gitdir', 'HEAD', 'commondir'].map((file) => lineIn(join(admin, file)))
  return (await Promise.all(files)).includes('')
}

const lineIn = async (file: string, otherwise = ''): Promise<string> =>
  (await unlessMissing(readFile(file, 'utf8'), otherwise)).trim()

const namesIn = (folder: string): Promise<string[]> => unlessMissing(readdir(folder), [])

const unlessMissing = <T>(reading: Promise<T>, otherwise: T): Promise<T> =>
  reading.catch((error: unknown) => {
    if (isMissing(error)) return otherwise
    throw error
  })
