/**
 * Ids of issues that are taken in a repository, whoever took them and in whichever checkout: a file each, in the git
 * directory that all checkouts share. A run's say which change took them, so that doing it twice takes them once.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, isMissing } from '../workspace/file-error.ts'

/** Within a git directory. */
export const CLAIMS = ['signalbox', 'issue-ids'] as const

export async function claimedIds(gitDir: string): Promise<string[]> {
  try {
    return await readdir(join(gitDir, ...CLAIMS))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Those that somebody else has. */
export async function claimIds(
  gitDir: string,
  { ids, by }: { readonly ids: readonly string[]; readonly by: string },
): Promise<string[]> {
  const folder = join(gitDir, ...CLAIMS)
  if (ids.length > 0) await mkdir(folder, { recursive: true })
  const taken: string[] = []
  for (const id of ids) if (!(await claimed(join(folder, id), by))) taken.push(id)
  return taken
}

async function claimed(file: string, by: string): Promise<boolean> {
  try {
    await writeFile(file, by, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return (await readFile(file, 'utf8')) === by
  }
}
