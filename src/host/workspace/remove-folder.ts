/**
 * Takes a folder away whole, or not at all as far as anybody can see: renamed first, so that a crash leaves no half.
 *
 * By the system's own `rm`, which goes from open folder to open folder: a path can be too long to be named, and a folder
 * can be swapped for a link between two looks at it.
 */
import { execFile } from 'node:child_process'
import type { Stats } from 'node:fs'
import { lstat, rename, unlink } from 'node:fs/promises'
import { isMissing } from './file-error.ts'
import { GitFailure } from './git.ts'

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
  const found = await lookAt(path)
  if (found === null) return
  // Starting `rm` takes longer than removing a file.
  if (!found.isDirectory()) return unlink(path)
  if ((await done('rm', ['-rf', '--', path])) === null) return
  // Package caches are sometimes made of folders without write permission.
  await done('chmod', ['-R', 'u+rwx', '--', path])
  const problem = await done('rm', ['-rf', '--', path])
  if (problem !== null) throw new GitFailure(`${path} could not be removed: ${problem}`)
}

const lookAt = (path: string): Promise<Stats | null> =>
  lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })

/** Null when all went well, else what was said. */
const done = (program: string, args: readonly string[]): Promise<string | null> =>
  new Promise((resolve) =>
    execFile(program, args, (error, _stdout, stderr) =>
      resolve(error === null ? null : stderr.trim().slice(-500) || error.message),
    ),
  )
