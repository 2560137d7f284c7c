/** A rebase, merge or the like that somebody began in a checkout and did not end. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const SIGNS = {
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
} as const

export function inProgress(gitDir: string): (typeof SIGNS)[keyof typeof SIGNS] | null {
  const sign = Object.entries(SIGNS).find(([file]) => existsSync(join(gitDir, file)))
  return sign?.[1] ?? null
}
