/** A rebase, merge or the like that somebody began in a checkout and did not end. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

const SIGNS = {
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
} as const

const REMAINS = [
  ...Object.keys(SIGNS),
  'MERGE_MSG',
  'MERGE_MODE',
  'MERGE_RR',
  'AUTO_MERGE',
  'SQUASH_MSG',
  'REBASE_HEAD',
  'sequencer',
  'BISECT_NAMES',
  'BISECT_TERMS',
  'BISECT_START',
  'BISECT_ANCESTORS_OK',
  'BISECT_EXPECTED_REV',
]

export function inProgress(gitDir: string): (typeof SIGNS)[keyof typeof SIGNS] | null {
  const sign = Object.entries(SIGNS).find(([file]) => existsSync(join(gitDir, file)))
  return sign?.[1] ?? null
}

/** Forgets that it was begun; files, index and branches stay as they are. */
export async function forgetProgress(gitDir: string): Promise<void> {
  for (const file of REMAINS) await rm(join(gitDir, file), { recursive: true, force: true })
}
