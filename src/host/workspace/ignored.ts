/** What lies in a worktree and reaches no commit: git ignores it, and whoever works there may have written it. */
import { broughtNames } from './brought.ts'
import { type Confined, failureOf } from './confined.ts'
import { namesOf, shown, textOf } from './file-name.ts'
import { GIT_IN_SHELL, GitFailure } from './git.ts'
import type { Ground } from './ground.ts'
import { RUN_DIR } from './run-folder.ts'
import { throughStore } from './store.ts'

const MOST = 20

const LISTING = `exec ${GIT_IN_SHELL} ls-files -z -o -i --exclude-standard --directory --no-empty-directory -- . "$@"`

/** For people, folders as one name; the first few where there are many. What the user brings is in every clean checkout, too. */
export async function ignoredFiles(ground: Ground, confined: Confined): Promise<string[]> {
  const ours = [RUN_DIR, '.vibe', ...(await broughtNames(ground))].map(
    (name) => `:(exclude,top,literal)${name}`,
  )
  const result = await confined({
    ground,
    writes: 'nothing',
    argv: ['sh', '-c', LISTING, 'ignored', ...ours],
    env: { ...throughStore(ground).env, GIT_LITERAL_PATHSPECS: '0' },
  })
  if (result.code !== 0) throw new GitFailure(`What git ignores could not be listed: ${failureOf(result)}`)
  return namesOf(textOf(result.stdout)).map(shown).slice(0, MOST)
}
