/**
 * The folders of a worktree that belong to Signalbox and its agents, never to the project's history.
 *
 * git has no exclude file of a single worktree (info/exclude is shared by all checkouts), and the project's own
 * .gitignore is not ours to change. So each of these folders ignores itself.
 */
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './file-error.ts'
import type { Problem } from './problem.ts'

const RUN_FOLDER = '.signalbox/run'
const IGNORED_FOLDERS = [RUN_FOLDER, '.vibe']

export async function ensureRunFolders(worktree: string): Promise<Problem | null> {
  for (const folder of IGNORED_FOLDERS) {
    if ((await kindOf(worktree, folder)) === 'other')
      return {
        problem: `${folder} in ${worktree} must be a folder of its own, not a file or a link. Remove it.`,
      }
    await mkdir(join(worktree, folder), { recursive: true })
  }
  await keepIgnored(worktree)
  return null
}

/** An agent may have tidied the .gitignore away; nothing of these folders may reach a commit for that. */
export async function keepIgnored(worktree: string): Promise<void> {
  for (const folder of IGNORED_FOLDERS) {
    if ((await kindOf(worktree, folder)) !== 'folder') continue
    const file = join(worktree, folder, '.gitignore')
    const kind = await kindOf(worktree, `${folder}/.gitignore`)
    if (kind === 'missing') await writeFile(file, '*\n')
    else if (kind === 'file' && folder === RUN_FOLDER && (await readFile(file, 'utf8')) !== '*\n')
      await writeFile(file, '*\n')
  }
}

type Kind = 'missing' | 'folder' | 'file' | 'other'

/** Links are never followed, at no part of the way. */
async function kindOf(worktree: string, name: string): Promise<Kind> {
  const parts = name.split('/')
  let kind: Kind = 'folder'
  for (let depth = 1; depth <= parts.length; depth++) {
    if (kind !== 'folder') return 'other'
    kind = await kindAt(join(worktree, ...parts.slice(0, depth)))
    if (kind === 'missing') return 'missing'
  }
  return kind
}

async function kindAt(path: string): Promise<Kind> {
  try {
    const found = await lstat(path)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  }
}
