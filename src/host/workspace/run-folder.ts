/**
 * The folders of a worktree that belong to Signalbox and its agents, never to the project's history: the run's
 * repositories exclude them, and staging leaves them out whatever an ignore file says.
 */
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './file-error.ts'
import type { Problem } from './problem.ts'

/** For what agents leave beside the project's files. */
export const RUN_DIR = '.signalbox/run'

/** Only while no agent is at work there. */
export async function ensureRunFolders(worktree: string): Promise<Problem | null> {
  for (const folder of [RUN_DIR, '.vibe']) {
    const kind = await kindOf(worktree, folder)
    if (kind === 'file' || kind === 'other')
      return {
        problem: `${folder} in ${worktree} must be a folder of its own, not a file or a link. Remove it.`,
      }
    await mkdir(join(worktree, folder), { recursive: true })
  }
  return null
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

/** Answers are recorded as answers; they are no artifacts of a run. */
export const isAnswerFile = (name: string): boolean => /^(?:answer|decision)-[0-9a-f]{16}\.json$/.test(name)
