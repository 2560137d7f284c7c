/**
 * An index of our own beside the real one, so that looking at a worktree changes nothing that its user or agent sees.
 */

import { randomUUID } from 'node:crypto'
import { copyFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './file-error.ts'
import { bytesOfAll, namesOf, someNames } from './file-name.ts'
import { GitFailure, type GitOptions, git, gitOutput, sentenceOf } from './git.ts'
import { gitDirOf } from './git-dir.ts'

export const PRIVATE_INDEX = 'signalbox-index'

export async function withPrivateIndex<T>(path: string, use: (index: GitOptions) => Promise<T>): Promise<T> {
  const file = join(await gitDirOf(path), `${PRIVATE_INDEX}-${randomUUID()}`)
  try {
    return await use({ cwd: path, env: { GIT_INDEX_FILE: file } })
  } finally {
    await rm(file, { force: true })
    await rm(`${file}.lock`, { force: true })
  }
}

/** Begins with what the real index knows: what is tracked, and which files need not be read again. */
export async function seedFromReal(index: GitOptions): Promise<void> {
  const file = index.env?.['GIT_INDEX_FILE'] ?? ''
  const real = join(file, '..', 'index')
  let existed = true
  try {
    await copyFile(real, file)
    // A copy that looked younger than the original would make git trust files that were written in the same instant.
    const { mtimeMs } = await stat(real)
    const writtenAt = Math.floor(mtimeMs / 1000) - 1
    await utimes(file, writtenAt, writtenAt)
  } catch (error) {
    if (!isMissing(error)) throw error
    existed = false
  }
  if ((await git(['ls-files', '-z'], index)).code === 0 && existed) return
  await rm(file, { force: true })
  await gitOutput(['read-tree', 'HEAD'], index)
}

/**
 * Everything that is not ignored goes into the index. Gives back folders that are repositories of their own without
 * a commit, which git can not take.
 */
export async function stageAll(index: GitOptions): Promise<string[]> {
  await revealHidden(index)
  const args = ['add', '-A', '--ignore-errors']
  const added = await git(args, index)
  if (added.code === 0) return []
  if (added.code !== 1) throw new GitFailure(sentenceOf(args, added))
  const left = namesOf(await gitOutput(['ls-files', '-z', '-o', '-m', '--exclude-standard'], index))
  const unread = left.filter((name) => !name.endsWith('/'))
  if (unread.length > 0 || left.length === 0)
    throw new GitFailure(`git cannot take ${someNames(unread)}: ${added.stderr.trim().slice(0, 500)}`)
  return left.map((name) => name.slice(0, -1))
}

/** Files marked "assume unchanged" or "skip" would change without anybody noticing. */
async function revealHidden(index: GitOptions): Promise<void> {
  const listed = namesOf(await gitOutput(['ls-files', '-v', '-z'], index))
  const marked = (tag: RegExp): string[] =>
    listed.filter((line) => tag.test(line)).map((line) => line.slice(2))
  await unmark(index, '--no-assume-unchanged', marked(/^[a-z]/))
  const skipped = marked(/^S/i)
  if (skipped.length === 0) return
  const sparse = await git(['config', '--bool', 'core.sparseCheckout'], index)
  if (sparse.stdout.trim() !== 'true') await unmark(index, '--no-skip-worktree', skipped)
}

async function unmark(index: GitOptions, flag: string, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await gitOutput(['update-index', flag, '-z', '--stdin'], {
      ...index,
      input: bytesOfAll(names.map((name) => `${name}\0`)),
    })
}
